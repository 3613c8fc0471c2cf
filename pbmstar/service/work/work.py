"""The state of one mail, or of one admin command, while it is worked on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ...errors import BadInput, Refusal
from ...identity import DRAFT, OFFER, REQUEST
from ...match import Match
from ...store import OtherAddress, Tx, User
from .context import Context
from .results import Results

_COMMENT_CHARACTERS = 2000
_COMMENT_LINES = 100


@dataclass
class Author:
    """The author of the mail at hand, as far as that is known. An operator's command has no address.

    address     the address that the mail says it is from, and says only; empty if there is none
    message_id  of the mail, for the letters that answer it
    place       a hash of where it came from: what mails of one sender have in common, and others lack
    origin      a hash of that and of the machine or envelope's domain, even of who is vouched for:
                wrong passwords and mails that prove nothing count here, so that a forged pass takes
                nothing from the owner
    is_one      the place is one machine, or one address that our mail server vouches for
    authentic   what our mail server found out about the address: pass, fail or none
    quiet       the mail is of a kind that is not answered: only what both players get is mailed
    is_guest    it answers a letter of ours to the author's address, which is no account's
    is_talk     it asks for nothing that we know, and its author is no account
    first       the first move that a guest has chosen on the board of the welcome
    proved      the userid that a password or a reply token has proved; empty while nothing has
    comment     what the author says to the opponent
    cut         the comment was longer than what is passed on
    attached    the mail has a photo or another file, which is not passed on
    withheld    lines that were left out of it because they may hold a password or a plan
    operator    the user of this machine who gives an operator's command, for the audit
    """

    address: str = ""
    message_id: str = ""
    place: str = ""
    origin: str = ""
    is_one: bool = False
    authentic: str = "none"
    quiet: bool = False
    is_guest: bool = False
    is_talk: bool = False
    first: str = ""
    proved: str = ""
    comment: str = ""
    cut: bool = False
    withheld: int = 0
    attached: bool = False
    operator: str = "operator"

    def say(self, words: str, withheld: int) -> None:
        """Keep the words to the opponent, as far as they are passed on."""
        whole = words.strip()
        lines = whole[:_COMMENT_CHARACTERS].split("\n")[:_COMMENT_LINES]
        self.comment = "\n".join(lines).strip()
        self.cut = len(self.comment) < len(whole)
        self.withheld = withheld

    @property
    def is_authentic(self) -> bool:
        """Return True if our mail server vouches for the address."""
        return self.authentic == "pass"

    @property
    def is_failed(self) -> bool:
        """Return True if our mail server says that the address is forged."""
        return self.authentic == "fail"


@dataclass
class Report:
    """A report on one mail: for the log, and ``done`` for its author too.

    commands  that were read: ``star move 17``
    done      those of them that were carried out
    letters   the numbers of the letters that were put into the outbox
    limits    the names of the limits that were reached
    codes     the reasons of what was refused or ignored
    """

    commands: list[str] = field(default_factory=list)
    done: list[str] = field(default_factory=list)
    letters: list[int] = field(default_factory=list)
    limits: list[str] = field(default_factory=list)
    codes: list[str] = field(default_factory=list)

    def reached(self, limit: str) -> None:
        """Note that a limit was reached."""
        if limit not in self.limits:
            self.limits.append(limit)


@dataclass
class Queue:
    """The things that wait while the commands of a mail are carried out.

    asked  letters that were asked for, with their readers, by what they show; None if mailed
    kept   what is done although the command at hand is refused and undone
    """

    asked: dict[object, tuple[User, Callable[[], object]] | None] = field(default_factory=dict)
    kept: list[Callable[[], None]] = field(default_factory=list)

    def undo(self, asked: int) -> None:
        """Drop all but the first ``asked`` letters, and do what is kept: a command was refused."""
        for key in list(self.asked)[asked:]:
            del self.asked[key]
        for keep in self.kept:
            keep()


@dataclass
class Work:
    """One piece of work in an open transaction.

    now      when it began; all that it changes carries this time
    keys     the keys that sign reply addresses, newest first
    results  all that has been computed for this mail
    """

    context: Context
    tx: Tx
    now: float
    author: Author = field(default_factory=Author)
    keys: Sequence[tuple[int, bytes]] = ()
    results: Results = field(default_factory=Results)
    report: Report = field(default_factory=Report)
    queue: Queue = field(default_factory=Queue)

    def __post_init__(self) -> None:
        self.keys = self.context.keyring.keys(self.tx, self.now)
        self.results.begin(self.context.random)

    def random(self, size: int) -> bytes:
        """Return random bytes; the same again when the work is done again."""
        return self.results.draw(size, self.context.random)

    @property
    def limited(self) -> bool:
        """Return True if limits of rates are kept."""
        return self.context.config.limits

    def accounts(self) -> list[User]:
        """Return the accounts of the From address, unless that is forged."""
        address = "" if self.author.is_failed else self.author.address
        return self.tx.accounts.users_at(address) if address else []

    def player(self, userid: str) -> User:
        """Return the account of a player. Raise BadInput if there is none, or it is closed."""
        user = self.tx.accounts.user(userid)
        if user is None or user.state == "closed":
            raise BadInput(f"There is no player {userid}.", "no-player")
        return user

    def is_from(self, user: User) -> bool:
        """Return True if the mail says that it is from an address of an account."""
        return self.author.address in self.tx.accounts.addresses(user)

    def other_of(self, user: User) -> OtherAddress | None:
        """Return the address that the mail says it is from if that is an account's, but not its first."""
        others = self.tx.accounts.others(user)
        return next((each for each in others if each.address == self.author.address), None)

    def may_be(self, userid: str) -> bool:
        """Return True if something speaks for the mail being a player's."""
        return bool(self.standing(userid))

    def standing(self, userid: str) -> str:
        """Return how much speaks for a mail being a player's: ``own`` if it proves that or comes from
        where the player has proved to be, ``vouched`` if our mail server says so of its address, else
        an empty text."""
        author = self.author
        if author.proved == userid or self.tx.accounts.place(userid, author.origin).known:
            return "own"
        return "vouched" if author.is_authentic else ""


class Seat(NamedTuple):
    """A player on a board, proved by a password or by a reply token.

    seen  how long the record was in the letter that a reply answers, -1 if it has been cut back since;
          None for a command with a password
    shown the question that the letter has put which a reply answers, see identity.shown_mark
    line  of a reply that its command was read from
    """

    match: Match
    userid: str
    seen: int | None = None
    shown: str = ""
    line: str = ""

    @property
    def draft(self) -> str:
        """The mark of the moves that the letter has previewed; empty if it has not."""
        return self.shown if self.shown.startswith(DRAFT[0]) else ""

    @property
    def request(self) -> str:
        """The mark of the opponent's request that the letter has shown; empty if it has not."""
        return self.shown if self.shown.startswith(REQUEST[0]) else ""

    @property
    def offer(self) -> str:
        """The mark of what the letter has offered to do; empty if it has offered nothing."""
        return self.shown if self.shown.startswith(OFFER[0]) else ""


class BoardRefusal(Refusal):
    """A command that was refused on a board; the answer shows the board as it stands."""

    def __init__(self, text: str, code: str, match: Match) -> None:
        super().__init__(text, code)
        self.match = match
