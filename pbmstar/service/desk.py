"""The desk that one piece of work is done at: the transaction, the time, the letters it writes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from .. import identity, render
from ..config import Config
from ..errors import Refusal
from ..match import Match, replay
from ..render import Comment
from ..store import Board, Tx, User

KEYS_KEPT = 60.0  # seconds
MATCHES_KEPT = 1000


class Envelope(NamedTuple):
    """Who a mail came from and went to, by SMTP; sender '' is the null sender.

    ``peer`` is the network address of the machine it came from, empty if that is one of ours.
    """

    sender: str
    recipients: tuple[str, ...]
    peer: str = ""


class Outcome(NamedTuple):
    """What became of a mail, for the log: applied, refused, ignored, duplicate or kept, and why.

    keep      to be put away for the operator, who has no address
    commands  those that were read, such as ``star move 17``
    letters   the numbers of those that were put into the outbox
    """

    name: str
    why: str = ""
    keep: bool = False
    commands: tuple[str, ...] = ()
    letters: tuple[int, ...] = ()

    def facts(self) -> dict[str, Any]:
        """What the log tells of it."""
        return {
            "outcome": self.name,
            "why": self.why,
            "commands": self.commands,
            "letters": self.letters,
        }


@dataclass(frozen=True)
class Context:
    """What the service needs from outside: the configuration, a clock, randomness."""

    config: Config
    renderer: render.Renderer
    clock: Callable[[], float]
    random: Callable[[int], bytes]
    passwords: identity.Passwords
    keyring: Keyring = field(init=False)
    matches: Matches = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "keyring", Keyring(self.random))
        object.__setattr__(self, "matches", Matches())


class Keyring:
    """The server's keys, read from the store now and then only. The first one is made when needed."""

    def __init__(self, random: Callable[[int], bytes]) -> None:
        self._random = random
        self._keys: list[tuple[int, bytes]] = []
        self._read = 0.0

    def keys(self, tx: Tx, now: float, needed: int | None = None) -> Sequence[tuple[int, bytes]]:
        """The keys, newest first; at most a minute old, or read anew if ``needed`` is not among them."""
        known = needed is None or needed in dict(self._keys)
        if not self._keys or not known or not 0 <= now - self._read < KEYS_KEPT:
            self._keys, self._read = tx.keys(), now
        if not self._keys:
            tx.add_key(self._random(32), now)
            return tx.keys()  # not kept: this transaction may yet be undone
        return self._keys


class Matches:
    """Matches replayed before, so that a game of 500 moves is not replayed for each of them.

    A match is known by its board's row: whatever changes a record changes its length, the number
    of resets, or the time of its last move. So a transaction that was undone leaves nothing wrong.
    """

    def __init__(self) -> None:
        self._kept: dict[Board, Match] = {}

    def match(self, tx: Tx, row: Board) -> Match:
        """The match of a board's row. Raises IllegalMove if the record is corrupt."""
        kept = self._kept.pop(row._replace(offer=""), None)
        match = kept or replay(row, tx.record(row.board))
        self.keep(match)
        return match if match.row == row else Match(row, match.record, match.position)

    def keep(self, match: Match) -> None:
        """Keep a match for the next move on its board."""
        if len(self._kept) >= MATCHES_KEPT:
            del self._kept[next(iter(self._kept))]
        self._kept[match.row._replace(offer="")] = match


@dataclass
class Desk:
    """One mail's or one operator's work in an open transaction.

    author      the address that the mail says it is from, and says only; None if there is none
    message_id  of the mail that is being answered
    peer        as in the envelope
    comment     what the mail's writer says to the opponent
    quiet       no letter but those that both players of a board get
    seat        the userid that a reply token speaks for
    answering   the userid to whom answers go: the one who has proved to be it
    after_refusal  what is to be kept although the command at hand is refused and undone
    commands, letters  see Outcome
    """

    context: Context
    tx: Tx
    now: float
    author: str | None = None
    message_id: str | None = None
    comment: str = ""
    quiet: bool = False
    seat: str | None = None
    answering: str | None = None
    keys: Sequence[tuple[int, bytes]] = ()
    peer: str = ""
    after_refusal: list[Callable[[], None]] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    letters: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.keys = self.context.keyring.keys(self.tx, self.now)
        self._random, self._serial = self.context.random(11).hex(), 10

    @property
    def address(self) -> str:
        """The server's own address."""
        return self.context.config.address

    def writers(self) -> list[User]:
        """The open accounts of the address that the mail says it is from."""
        return self.tx.users_at(self.author) if self.author else []

    def answer_to(self, userid: str) -> None:
        """The writer has proved to be that player: answers go to the player's address."""
        self.answering = userid

    def reader(self) -> User:
        """The account that what was asked for goes to; it need not have proved anything.

        Raises Refusal if the mail comes from the address of no account, or is a quiet one: nobody
        is answered then.
        """
        if self.quiet:
            raise Refusal("Mail of this kind is not answered.")
        proved = self.answering or self.seat
        user = self.tx.user(proved) if proved else next(iter(self.writers()), None)
        if user is None or user.state == "closed":
            raise Refusal("Only an account is answered.")
        if user.state == "suspended":
            raise Refusal("The address is to be confirmed first.")
        return user

    # -- letters

    def post(
        self,
        template: str,
        userid: str,
        address: str,
        facts: Mapping[str, Any],
        headers: Mapping[str, str] | None = None,
        answered: bool = True,
    ) -> int:
        """Put a letter into the outbox; returns its number. ``answered``: it answers the mail at hand."""
        subject, text = self.context.renderer.letter(template, {"address": self.address, **facts})
        content = (subject, text, render.hypertext(text))
        return self._send(userid, address, content, headers or {}, answered)

    def _send(
        self,
        userid: str,
        address: str,
        content: tuple[str, str, str],
        headers: Mapping[str, str],
        answered: bool,
    ) -> int:
        """Put Subject, text and HTML into the outbox as one mail to one recipient."""
        config = self.context.config
        serial = f"{self._random}{self._serial}"
        self._serial += 1
        own = dict(headers or {})
        message_id = own.pop("Message-ID", f"<pbmstar.{serial}@{config.domain}>")
        sender = own.pop("Envelope", "") or self.detailed(
            identity.sign_account(self.keys[0][1], "b", userid, address)
        )
        replied = self.message_id if answered else None
        root = own.pop("Thread", "")
        if message_id == root:
            root = ""
        mail = render.mail(
            {
                "From": f"Star game server <{self.address}>",
                "To": address,
                "Message-ID": message_id,
                "In-Reply-To": replied or root,
                "References": " ".join(filter(None, (root, replied))),
                "Auto-Submitted": "auto-replied" if replied else "auto-generated",
                "X-Auto-Response-Suppress": "OOF, AutoReply, DR, RN, NRN",
                "X-Pbmstar-Loop": config.domain,
                **own,
            },
            *content,
            self.now,
            f"=_{serial}",
        )
        letter = self.tx.add_letter(message_id, userid, address, sender, mail, self.now)
        self.letters.append(letter)
        return letter

    def post_board(
        self,
        match: Match,
        *,
        to: tuple[str, ...] | None = None,
        template: str = "board.txt",
        prefix: str = "",
        notices: tuple[str, ...] = (),
        comment: Comment | None = None,
        answers: str = "",
        first: bool = False,
        past: bool = False,
        unsubscribe: bool = False,
        states: tuple[str, ...] = ("active",),
        extra: Mapping[str, Any] | None = None,
    ) -> dict[str, int]:
        """Mail a board to its players, or to those of ``to``; returns the letters' numbers by userid.

        ``answers`` is the userid who wrote; ``past``: the board is shown as it was;
        ``states`` are those of accounts that are mailed, ``unsubscribe`` adds a way out.
        """
        facts = {
            **self.told(match, notices),
            "address": self.address,
            "prefix": prefix,
            "comment": comment if comment and comment.text else None,
            "choices": render.CHOICES,
            **(extra or {}),
        }
        subject, text = self.context.renderer.letter(template, facts)
        draft = render.Draft(text, facts["summary"], facts["summary_html"])
        shared = {
            "X-Pbmstar-Game": match.game.word,
            "X-Pbmstar-Board": str(match.number),
            "X-Pbmstar-Move": str(match.position.played),
            "X-Pbmstar-To-Move": match.to_move,
            "X-Pbmstar-Result": match.result,
        }
        letters: dict[str, int] = {}
        for userid in to or (match.row.first, match.row.second):
            user = self.tx.user(userid)
            if user is None or user.state not in states:
                continue
            root = self.thread(match, userid)
            player = userid if match.seat(userid) and not past else ""
            words = render.reply_words(match, userid) if player and match.to_move else ""
            reply_to = self.reply_to(match, userid) if words else ""
            headers = {"Thread": root, "Reply-To": reply_to, **shared}
            if first:
                headers["Message-ID"] = root
            if unsubscribe:
                wish = self.detailed(
                    identity.sign_account(self.keys[0][1], "u", userid, user.address)
                )
                headers["List-Unsubscribe"] = f"<mailto:{wish}?subject=unsubscribe>"
            choices = render.choices(match, player, self.address, words)
            content = (subject, *draft.filled(choices, words, reply_to))
            letters[userid] = self._send(
                userid, user.address, content, headers, answered=userid == answers
            )
        return letters

    def told(self, match: Match, notices: Sequence[str] = ()) -> dict[str, Any]:
        """What all letters about a board have in common: facts, the summary, and it as HTML."""
        facts = {**render.board(match), "notices": notices}
        summary = self.context.renderer.text("summary.txt", facts)
        drawing = facts["drawing"]
        before, _, after = summary.partition(drawing)
        html = render.paragraphs(before) + render.draw(match, drawing) + render.paragraphs(after)
        return {**facts, "summary": summary, "summary_html": html}

    def thread(self, match: Match, userid: str) -> str:
        """The Message-ID of a player's first letter of a board: the root of its thread."""
        mark = identity.thread_mark(self.keys[-1][1], userid, match.number)
        return f"<pbmstar.board{match.number}.{mark}@{self.context.config.domain}>"

    def reply_to(self, match: Match, userid: str) -> str:
        """The address that a reply goes to: it speaks for this player, board and turn."""
        seat = identity.Seat(userid, match.number, match.row.resets, match.row.length)
        return self.detailed(identity.sign(self.keys, seat))

    def detailed(self, detail: str) -> str:
        """The server's address with a detail: ``star+detail@domain``."""
        config = self.context.config
        return f"{config.local}+{detail}@{config.domain}"
