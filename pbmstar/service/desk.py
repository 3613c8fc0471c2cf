"""The desk that one piece of work is done at: the transaction, the time, the letters it writes."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from .. import identity, render
from ..config import Config
from ..errors import Refusal
from ..match import Match
from ..render import Comment
from ..store import Tx, User

ONCE = "a"  # local parts of confirming addresses: star+a<token>


class Envelope(NamedTuple):
    """Who a mail came from and went to, by SMTP; sender '' is the null sender."""

    sender: str
    recipients: tuple[str, ...]


class Outcome(NamedTuple):
    """What became of a mail, for the log: applied, refused, ignored or duplicate, and why."""

    name: str
    why: str = ""


@dataclass(frozen=True)
class Context:
    """What the service needs from outside: the configuration, a clock, randomness."""

    config: Config
    renderer: render.Renderer
    clock: Callable[[], float]
    random: Callable[[int], bytes]
    passwords: identity.Passwords


@dataclass
class Desk:
    """One mail's or one operator's work in an open transaction.

    author      the address that the mail says it is from, and says only; None if there is none
    message_id  of the mail that is being answered
    comment     what the mail's writer says to the opponent
    quiet       no letter but those that both players of a board get
    seat        the userid that a reply token speaks for
    answering   the userid to whom answers go: the one who has proved to be it
    after_refusal  what is to be kept although the command at hand is refused and undone
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
    keys: list[tuple[int, bytes]] = field(default_factory=list)
    after_refusal: list[Callable[[], None]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.keys = self.tx.keys()
        if not self.keys:
            self.tx.add_key(self.context.random(32), self.now)
            self.keys = self.tx.keys()

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

        Raises Refusal if the mail comes from the address of no account: nobody is answered then.
        """
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
        config = self.context.config
        serial = self.context.random(12).hex()
        subject, body = self.context.renderer.letter(template, {"address": self.address, **facts})
        own = dict(headers or {})
        message_id = own.pop("Message-ID", f"<pbmstar.{serial}@{config.domain}>")
        replied = self.message_id if answered else None
        root = own.pop("Thread", "")
        if message_id == root:
            root = ""
        content = render.mail(
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
            subject,
            body,
            render.hypertext(
                subject,
                body,
                str(facts.get("drawing", "")),
                str(facts.get("drawn", "")),
                own.get("Reply-To", ""),
                str(facts.get("words", "")),
            ),
            self.now,
            f"=_{serial}",
        )
        sender = self.detailed(identity.sign_account(self.keys, "b", userid, address))
        return self.tx.add_letter(message_id, userid, address, sender, content, self.now)

    def post_board(
        self,
        match: Match,
        *,
        told: Mapping[str, Any] | None = None,
        to: tuple[str, ...] | None = None,
        template: str = "board.txt",
        prefix: str = "",
        notices: tuple[str, ...] = (),
        comment: Comment | None = None,
        answers: str = "",
        first: bool = False,
        unsubscribe: bool = False,
        states: tuple[str, ...] = ("active",),
        extra: Mapping[str, Any] | None = None,
    ) -> dict[str, int]:
        """Mail a board to its players, or to those of ``to``; returns the letters' numbers by userid.

        ``told`` is render.board(match) if the caller has it; ``answers`` is the userid who wrote;
        ``states`` are those of accounts that are mailed, ``unsubscribe`` adds a way out.
        """
        told = told or render.board(match)
        letters: dict[str, int] = {}
        for userid in to or (match.row.first, match.row.second):
            user = self.tx.user(userid)
            if user is None or user.state not in states:
                continue
            root = self.thread(match, userid)
            facts = {
                **told,
                "prefix": prefix,
                "notices": notices,
                "comment": comment if comment and comment.text else None,
                "can": render.can(match, userid),
                "words": render.reply_words(match, userid),
                "reply": not match.position.over,
                **(extra or {}),
            }
            headers = {
                "Thread": root,
                "Reply-To": self.reply_to(match, userid) if facts["reply"] else "",
                "X-Pbmstar-Game": match.game.word,
                "X-Pbmstar-Board": str(match.number),
                "X-Pbmstar-Move": str(match.position.played),
                "X-Pbmstar-To-Move": match.to_move,
                "X-Pbmstar-Result": match.result,
            }
            if first:
                headers["Message-ID"] = root
            if unsubscribe:
                wish = self.detailed(identity.sign_account(self.keys, "u", userid, user.address))
                headers["List-Unsubscribe"] = f"<mailto:{wish}?subject=unsubscribe>"
            letters[userid] = self.post(
                template, userid, user.address, facts, headers, answered=userid == answers
            )
        return letters

    def thread(self, match: Match, userid: str) -> str:
        """The Message-ID of a player's first letter of a board: the root of its thread."""
        key = self.keys[-1][1]
        mark = hmac.digest(key, f"thread|{userid}|{match.number}".encode(), "sha256").hex()[:16]
        return f"<pbmstar.board{match.number}.{mark}@{self.context.config.domain}>"

    def reply_to(self, match: Match, userid: str) -> str:
        """The address that a reply goes to: it speaks for this player, board and turn."""
        if match.position.over:
            return ""
        seat = identity.Seat(userid, match.number, match.row.resets, match.row.length)
        return self.detailed(identity.sign(self.keys, seat))

    def detailed(self, detail: str) -> str:
        """The server's address with a detail: ``star+detail@domain``."""
        config = self.context.config
        return f"{config.local}+{detail}@{config.domain}"
