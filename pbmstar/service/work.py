"""The state of one mail, or of one admin command, while it is worked on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ..errors import Refusal
from ..match import Match
from ..store import Tx, User
from .context import Context
from .results import Results

_COMMENT_CHARACTERS = 2000
_COMMENT_LINES = 100


@dataclass
class Author:
    """Who wrote the mail at hand, as far as that is known. An operator's command has no author.

    address     the address that the mail says it is from, and says only; empty if there is none
    message_id  of the mail, for the letters that answer it
    place       a hash of where it came from: what mails of one sender have in common, and others lack
    is_one      the place is one machine, or one address that our mail server vouches for
    authentic   what our mail server found out about the address: pass, fail or none
    quiet       the mail is of a kind that is not answered: only what both players get is mailed
    is_guest    it answers a letter of ours to the author's address, which is no account's
    proved      the userid that a password or a reply token has proved; empty while nothing has
    comment     what the author says to the opponent
    cut         the comment was longer than what is passed on
    withheld    lines that were left out of it because they may hold a password
    """

    address: str = ""
    message_id: str = ""
    place: str = ""
    is_one: bool = False
    authentic: str = "none"
    quiet: bool = False
    is_guest: bool = False
    proved: str = ""
    comment: str = ""
    cut: bool = False
    withheld: int = 0

    def say(self, words: str, withheld: int) -> None:
        """Take what the author says to the opponent, as far as it is passed on."""
        whole = words.strip()
        lines = whole[:_COMMENT_CHARACTERS].split("\n")[:_COMMENT_LINES]
        self.comment = "\n".join(lines).strip()
        self.cut = len(self.comment) < len(whole)
        self.withheld = withheld

    @property
    def is_authentic(self) -> bool:
        """Whether our mail server vouches for the address."""
        return self.authentic == "pass"

    @property
    def is_failed(self) -> bool:
        """Whether our mail server says that the address is forged."""
        return self.authentic == "fail"


@dataclass
class Work:
    """One piece of work in an open transaction.

    now            when it began; all that it changes carries this time
    keys           the keys that sign reply addresses, newest first
    after_refusal  what is kept although the command at hand is refused and undone
    commands       the commands that were read, for the log: ``star move 17``
    letters        the numbers of the letters that were put into the outbox
    asked          letters that were asked for, with their readers, by what they show; None if mailed
    limits         names of the limits that were reached, for the log
    results        what has been computed for this mail
    codes          the reasons of what was refused or ignored
    actor          who does it by hand, for the audit
    reserved       the numbers that letters about a board to a player are to have
    """

    context: Context
    tx: Tx
    now: float
    author: Author = field(default_factory=Author)
    keys: Sequence[tuple[int, bytes]] = ()
    after_refusal: list[Callable[[], None]] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    letters: list[int] = field(default_factory=list)
    asked: dict[object, tuple[User, Callable[[], object]] | None] = field(default_factory=dict)
    limits: list[str] = field(default_factory=list)
    results: Results = field(default_factory=Results)
    codes: list[str] = field(default_factory=list)
    actor: str = "operator"
    reserved: dict[tuple[int, str], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.keys = self.context.keyring.keys(self.tx, self.now)
        self._drawn = 0
        self._random, self._count = self.random(11).hex(), 9

    def random(self, size: int) -> bytes:
        """Random bytes; the same again when the work is done again."""
        if self._drawn == len(self.results.drawn):
            self.results.drawn.append(self.context.random(size))
        self._drawn += 1
        return self.results.drawn[self._drawn - 1]

    def reached(self, limit: str) -> None:
        """Note that a limit was reached."""
        if limit not in self.limits:
            self.limits.append(limit)

    def serial(self) -> str:
        """Something that no other letter has."""
        self._count += 1
        return f"{self._random}{self._count}"

    @property
    def limited(self) -> bool:
        """Whether limits of rates are kept."""
        return self.context.config.limits

    def accounts(self) -> list[User]:
        """The accounts of the address that the mail says it is from, unless that is forged."""
        address = "" if self.author.is_failed else self.author.address
        return self.tx.users_at(address) if address else []

    def may_be(self, userid: str) -> bool:
        """Whether the mail is a player's, as far as can be told: it proves that, our mail server
        vouches for its address, or it comes from where the player has proved to be."""
        author = self.author
        return (
            author.proved == userid
            or author.is_authentic
            or bool(self.tx.place(userid, author.place).known)
        )


class Seat(NamedTuple):
    """A player on a board, proved by a password or by a reply token.

    seen  how long the record was in the letter that a reply answers, -1 if it has been cut back since;
          None for a command with a password
    draft which moves a letter has previewed that a reply answers, see identity.draft_mark
    """

    match: Match
    userid: str
    seen: int | None = None
    draft: str = ""


class BoardRefusal(Refusal):
    """A command that was refused on a board; the answer shows the board as it stands."""

    def __init__(self, text: str, code: str, match: Match) -> None:
        super().__init__(text, code)
        self.match = match
