"""The desk that one piece of work is done at: the transaction, the time, the letters it writes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .. import identity, render
from ..errors import Refusal
from ..match import Match
from ..render import Comment
from ..store import Tx, User
from .context import Context


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
