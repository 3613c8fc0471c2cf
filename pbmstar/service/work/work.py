"""The state of one message, or of one admin command, while it is being worked on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ...errors import BadInput, Refusal, Sentence, say
from ...grammar.words import ENGLISH
from ...identity import DRAFT, OFFER, REQUEST
from ...machine.times import DAY, Epoch, Seconds
from ...match import Match
from ...store import Tx, User
from .context import Context, Precomputed


class Source(NamedTuple):
    """The place that a message came from, as hashes.

    place   all messages of one sender share it, and others do not
    origin  that and the machine, or the envelope's domain, even if the sender is vouched for; wrong passwords
            and messages that prove nothing count here, so a forged pass takes nothing from the owner
    is_one  the place is one machine, or one address that our mail server vouches for
    """

    place: str = ""
    origin: str = ""
    is_one: bool = False


class Sender(NamedTuple):
    """The sender of a message, by its header and envelope; it proves nothing. A command line has no address.

    address     the address that the message claims to come from; empty if there is none
    message_id  its Message-ID, for the letters that answer it
    authentic   our mail server's verdict on the address: pass, fail or none
    quiet       it is of a kind that is not answered if nothing proves its writer
    looks       it looks automatic by its Subject alone
    """

    address: str = ""
    message_id: str = ""
    source: Source = Source()
    authentic: str = "none"
    quiet: bool = False
    looks: bool = False

    @property
    def is_authentic(self) -> bool:
        """Return True if our mail server vouches for the address."""
        return self.authentic == "pass"

    @property
    def is_failed(self) -> bool:
        """Return True if our mail server says that the address is forged."""
        return self.authentic == "fail"


class Words(NamedTuple):
    """The words of a message to the opponent, and what of them is not passed on.

    text          the words to the opponent
    is_shortened  they were too long, and only their beginning is passed on
    withheld      the number of lines left out of them: they may hold a password or a plan
    masked        an address was left out of them
    signature     the lines left out of them as the writer's signature, in one line
    attached      the message has a photo or another file
    left_out      the number of lines of the message that were taken for a quotation or a signature, and may
                  be the writer's; they stand below the line ``below``
    mark          a hash of the whole message, if it came to a reply address
    """

    text: str = ""
    is_shortened: bool = False
    withheld: int = 0
    masked: bool = False
    signature: str = ""
    attached: bool = False
    left_out: int = 0
    below: str = ""
    mark: str = ""

    @property
    def is_cut(self) -> bool:
        """Return True if something that the writer has written is not passed on, and no signature."""
        return bool(self.withheld or self.attached or self.left_out or self.masked)


class Guest(NamedTuple):
    """The facts that the door knows of somebody without an account.

    is_known  the message answers a letter of ours to the sender's address
    is_talk   it asks for nothing that we know
    language  of the letter that a guest answers, or in which a newcomer writes, or which a guest has
              ``chosen``; empty for English
    first     the first move that a guest has chosen on the board of the letter
    game      the place of that board's game among the door's games
    question  the kind of the feature's question that the guest's letter asks; empty if it asks none
    starts    the guest has given a name alone: the game of the door begins with the account
    """

    is_known: bool = False
    is_talk: bool = False
    language: str = ""
    chosen: str = ""
    first: str = ""
    game: int = 0
    question: str = ""
    starts: bool = False


@dataclass(frozen=True)
class Asking:
    """A reading of a message; see ``asked``.

    game       the word of the game that it names; empty for none
    answers    the sentences that answer it
    is_friend  it names a person to play with
    leaves     it asks for no more mail
    name       the name that its writer wants to have; empty if it gives none
    starts     it could be an answer to an invitation
    plays      a short line of it wishes to play
    language   that it shows
    """

    game: str = ""
    answers: tuple[Sentence, ...] = ()
    is_friend: bool = False
    leaves: bool = False
    name: str = ""
    starts: bool = False
    plays: bool = False
    language: str = ENGLISH


@dataclass
class Report:
    """A report on one message for the log; ``done`` is for its author too.

    commands  the commands that were read, such as ``star move 17``
    done      the commands that were carried out
    letters   the numbers of the letters that were put into the outbox
    limits    the names of the limits that were reached
    reasons   those for which commands were refused or the mail was ignored: their sentences by code
    guessed   the userids for which a password was wrong
    """

    commands: list[str] = field(default_factory=list)
    done: list[str] = field(default_factory=list)
    letters: list[int] = field(default_factory=list)
    limits: list[str] = field(default_factory=list)
    reasons: dict[str, str] = field(default_factory=dict)
    guessed: list[str] = field(default_factory=list)

    def refused(self, code: str, sentence: str) -> None:
        """Note why something was refused or ignored; the first sentence with that code stays."""
        self.reasons.setdefault(code, sentence)

    def reached(self, limit: str) -> None:
        """Note that a limit was reached."""
        if limit not in self.limits:
            self.limits.append(limit)


@dataclass
class Queue:
    """The things that wait while the commands of a message are carried out.

    asked          the letters that were asked for, each with its reader, by their keys; None if it was mailed
    after_refusal  the acts that are done even if the command at hand is refused and undone
    """

    asked: dict[object, tuple[User, Callable[[], object]] | None] = field(default_factory=dict)
    after_refusal: list[Callable[[], None]] = field(default_factory=list)

    def undo(self, asked: int) -> None:
        """Drop all except the first ``asked`` letters, and do what is done after a refusal."""
        for key in list(self.asked)[asked:]:
            del self.asked[key]
        for act in self.after_refusal:
            act()


@dataclass
class Work:
    """One piece of work in an open transaction.

    now       the time when it began; all its changes carry this time
    keys      the keys that sign reply addresses, newest first
    results   the results that have been computed for this message
    proved    the userid that a password or a reply token has proved; empty if nothing has yet
    operator  the user of this machine who gives an operator's command, for the audit
    limited   rates are limited
    """

    context: Context
    tx: Tx
    now: Epoch
    sender: Sender = field(default_factory=Sender)
    keys: Sequence[tuple[int, bytes]] = ()
    results: Precomputed = field(default_factory=Precomputed)
    report: Report = field(default_factory=Report)
    queue: Queue = field(default_factory=Queue)
    words: Words = field(default_factory=Words)
    guest: Guest = field(default_factory=Guest)
    proved: str = ""
    operator: str = "operator"
    limited: bool = field(init=False)

    def __post_init__(self) -> None:
        self.limited = self.context.config.limits
        self.keys = self.context.keyring.keys(self.tx, self.now)
        self.results.begin(self.context.random)

    def random(self, size: int) -> bytes:
        """Return random bytes; they are the same again if the work is done again."""
        return self.results.draw(size, self.context.random)

    def note(self, act: str) -> None:
        """Note an act of the operator for audit."""
        self.tx.ledger.add_act(self.now, self.operator, act)

    def exceeds(self, most: int, what: str, window: Seconds = DAY) -> bool:
        """Count an event; return True if rates are limited and more than ``most`` came in the window."""
        return self.limited and self.tx.ledger.count(what, self.now, window) > most

    def accounts(self) -> list[User]:
        """Return the accounts of the From address, unless that is forged."""
        address = "" if self.sender.is_failed else self.sender.address
        return self.tx.accounts.users_at(address) if address else []

    def player(self, userid: str) -> User:
        """Return the account of a player. Raise BadInput if there is none, or it is closed."""
        user = self.tx.accounts.user(userid)
        if user is None or user.state == "closed":
            raise no_player(userid)
        return user

    def account(self, userid: str) -> User:
        """Return an account that is known to exist, such as a player's on a board."""
        user = self.tx.accounts.user(userid)
        assert user is not None
        return user

    def is_from(self, user: User) -> bool:
        """Return True if the mail claims to come from one of the account's addresses."""
        return self.sender.address in self.tx.accounts.addresses(user)

    def may_be(self, userid: str) -> bool:
        """Return True if anything suggests that a player wrote the mail."""
        return bool(self.standing(userid))

    def standing(self, userid: str) -> str:
        """Return the evidence that a player wrote the mail.

        ``own``: it is proved, or it comes from a place that the player has proved. ``vouched``: our mail
        server vouches for its address. Otherwise an empty string.
        """
        origin = self.sender.source.origin
        if self.proved == userid or self.tx.accounts.place(userid, origin).known:
            return "own"
        return "vouched" if self.sender.is_authentic else ""


class Speaker(NamedTuple):
    """The player for whom a command on a board speaks, proved by a password or by a reply token.

    seen  the length of the record in the letter that a reply answers, -1 if it has been cut back since;
          None for a command with a password
    shown the mark of the question in the letter that a reply answers, see identity.shown_mark
    line  the line of a reply that its command was read from
    text  that line and those below it
    """

    match: Match
    userid: str
    seen: int | None = None
    shown: str = ""
    line: str = ""
    text: str = ""

    @property
    def draft(self) -> str:
        """The mark of the moves that the letter has previewed; empty if it has previewed none."""
        return self.shown if self.shown.startswith(DRAFT[0]) else ""

    @property
    def request(self) -> str:
        """The mark of the opponent's request that the letter has shown; empty if it has shown none."""
        return self.shown if self.shown.startswith(REQUEST[0]) else ""

    @property
    def offer(self) -> str:
        """The mark of the act that the letter has offered; empty if it has offered none."""
        return self.shown if self.shown.startswith(OFFER[0]) else ""


class BoardRefusal(Refusal):
    """A command that was refused on a board; the answer shows the board as it stands."""

    def __init__(self, said: Sentence | str, code: str, match: Match) -> None:
        super().__init__(said, code)
        self.match = match


def no_player(userid: str) -> BadInput:
    """Return the refusal of a name that no player has."""
    return BadInput(say("There's no player called {userid}.", userid=userid), "no-player")
