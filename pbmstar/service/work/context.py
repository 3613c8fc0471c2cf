"""The service's long-lived collaborators, and the values that come and go with each message.

Results that take long to compute, and are computed outside any transaction.

Work in a transaction asks for a result. If it is missing, ``NeedsComputation`` is raised, the work is
undone, the result is computed elsewhere, and the work is done again with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from ipaddress import IPv6Address, ip_address
from itertools import count
from threading import Event
from typing import Any, NamedTuple

from ... import identity
from ...config import Config
from ...errors import BadInput, BadOption
from ...machine.times import Epoch
from ...match import Match, Planned
from ...match.plan_grammar import read as read_plan
from ...match.terms import time_of_server
from ...store import Board, Store, Tx

KEYS_KEPT = 60.0  # seconds
MATCHES_KEPT = 1000
WRONG_A_MAIL = 3  # after so many wrong passwords of a message, no other one is hashed


class Envelope(NamedTuple):
    """The sender and the recipients of a message by SMTP, and its id in the log; '' is the null sender.

    ``peer``: the network address of the machine that sent the mail, as told by the machine of ours that
    passed it on; empty if the sender is a machine of ours. ``direct``: the machine connected to us itself.
    ``marks``: of a message of the mailbox; with one that is known the message is a duplicate. ``junk``: the
    provider took it for junk, so only a proof of its writer makes it a message to us.
    """

    sender: str
    recipients: tuple[str, ...]
    peer: str = ""
    mail: str = ""
    direct: bool = False
    marks: tuple[bytes, ...] = ()
    junk: bool = False


def network(peer: str) -> str:
    """Return the network of one machine or household: an IPv4 address, or the first half of an IPv6 one."""
    try:
        address = ip_address(peer)
    except ValueError:
        return peer
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return str(IPv6Address(int(address) >> 64 << 64))
    return str(address)


class Outcome(NamedTuple):
    """The outcome of a message, for the log: applied, refused, ignored, duplicate or kept, and the reason.

    keep      the mail must be put away for the operator, who has no address
    commands  the commands that were read, such as ``star move 17``
    letters   the numbers of the letters that were put into the outbox
    limits    the names of the limits reached: ``door``, ``letters``, ``mails``, ``signups``, ``wrong``
    authentic our mail server's verdict on the From address: pass, fail or none
    codes     the reasons of refusals, such as ``not-your-turn``
    said      a sentence for each of them; they may quote the mail, and so are not logged
    userid    the account that the mail is from, ``proved`` or not; empty if there is none
    message   a hash of its Message-ID, see identity.message_mark
    done      how many of its commands were carried out; None if none was looked at
    of        how many it has
    """

    name: str
    why: str = ""
    keep: bool = False
    commands: tuple[str, ...] = ()
    letters: tuple[int, ...] = ()
    limits: tuple[str, ...] = ()
    authentic: str = "none"
    codes: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    userid: str = ""
    proved: bool = False
    message: str = ""
    done: int | None = None
    of: int = 0

    @property
    def reason(self) -> str:
        """Return the reason as people read it; how many commands were done, if they were looked at."""
        return self.why if self.done is None else f"{self.done} of {self.of}"

    def facts(self) -> dict[str, Any]:
        """Return the facts for the log."""
        facts = self._asdict()
        del facts["keep"], facts["said"]
        facts["message_hash"] = facts.pop("message")
        if self.done is None:
            del facts["done"], facts["of"]
        return {"outcome": facts.pop("name"), **facts}


@dataclass(frozen=True)
class Context:
    """The collaborators and settings of the service, and its memory between messages.

    clock   returns the seconds since 1970 UTC
    time    the time of players if a challenge does not give one, in the canonical spelling
    chores  set while there may be work for many that waits to be done, see ``letters/chores``
    """

    config: Config
    clock: Callable[[], Epoch]
    random: Callable[[int], bytes]
    passwords: identity.Passwords
    keyring: Keyring = field(init=False)
    matches: Matches = field(init=False)
    time: str = field(init=False)
    chores: Event = field(init=False, default_factory=Event)

    def __post_init__(self) -> None:
        object.__setattr__(self, "keyring", Keyring(self.random))
        object.__setattr__(self, "matches", Matches())
        try:
            object.__setattr__(self, "time", time_of_server(self.config.time))
        except BadOption as error:
            raise BadInput(f"time: {error}") from None


class Keyring:
    """The server's keys, read from the store only now and then.

    A key is made if there is none yet.
    """

    def __init__(self, random: Callable[[int], bytes]) -> None:
        self._random = random
        self._keys: list[tuple[int, bytes]] = []
        self._read = 0.0

    def keys(self, tx: Tx, now: Epoch, needed: int | None = None) -> Sequence[tuple[int, bytes]]:
        """Return the keys, newest first.

        They were read a minute ago at most, and are read again if the number ``needed`` is not known.
        """
        known = needed is None or needed in dict(self._keys)
        if not self._keys or not known or not 0 <= now - self._read < KEYS_KEPT:
            self._keys, self._read = tx.ledger.keys(), now
        if not self._keys:
            tx.ledger.add_key(self._random(identity.KEY), now)
            return tx.ledger.keys()  # not kept: this transaction may yet be undone
        return self._keys


def in_steps(store: Store, step: Callable[[Tx], bool]) -> None:
    """Call ``step``, each time in a transaction of its own, until it returns False: nothing more is due."""
    more = True
    while more:
        with store.transaction() as tx:
            more = step(tx)


def _plans(tx: Tx, row: Board, match: Match) -> tuple[Planned, ...]:
    """Return the plans for the present position."""
    turn = (row.resets, row.length)
    plans = tx.boards.plans(row.board) if row.planned else ()
    read = match.game.read
    return tuple(
        Planned(each.userid, read_plan(each.plan, read)) for each in plans if each[1:3] == turn
    )


class Matches:
    """A cache of replayed matches: a game of 500 moves is not replayed for each move.

    A match is found by its board's row: each change of a record changes its length, the number of
    resets, or the time of its last move. So an undone transaction leaves no wrong match behind.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], Match] = {}

    def match(self, tx: Tx, row: Board) -> Match:
        """Return the match of a board's row. Raise IllegalMove if the record is corrupt."""
        key = (row.board, row.resets, row.length, row.since, row.seats, row.options)
        known = self._known.pop(key, None) or row.match(tx.boards.record(row.board))
        self._known[key] = known
        if len(self._known) > MATCHES_KEPT:
            del self._known[next(iter(self._known))]
        if row.planned or known.plans:
            known = replace(known, plans=_plans(tx, row, known))
        if row.noted or known.notes:
            known = replace(known, notes=tx.notebook.last_notes(row.board) if row.noted else ())
        if known.counts != row.counts:
            known = replace(known, counts=row.counts)
        if (known.request, known.clock) != (row.request, row.clock):
            known = replace(known, request=row.request, clock=row.clock)
        return known

    def keep(self, match: Match, options: str) -> None:
        """Cache a match for the next move on its board."""
        key = (match.number, match.resets, len(match.record), match.since, match.seats, options)
        self._known[key] = match


class Computation(NamedTuple):
    """One result to be computed.

    key      the key of the result in ``Precomputed.known``
    compute  returns the result; it needs only the processor, and may run in any thread
    kind     ``password``, ``bounce`` or ``reading``
    userid   the account of the password to check; empty for any other task
    idle     the result is False in any case: it is computed only to take as long as another
    """

    key: object
    compute: Callable[[], Any]
    kind: str
    userid: str = ""
    idle: bool = False


class NeedsComputation(Exception):
    """The work at hand first needs the result of ``task``."""

    def __init__(self, task: Computation) -> None:
        super().__init__(task.kind)
        self.task = task


@dataclass
class Precomputed:
    """The results for one message, kept while its work is done again.

    known    the results of tasks, by key
    drawn    random bytes: they come in the same order each time that the work is done
    serials  texts that no two letters share: each letter takes the next
    """

    known: dict[object, Any] = field(default_factory=dict)
    drawn: list[bytes] = field(default_factory=list)
    serials: Iterator[str] = field(init=False, compare=False, repr=False)
    _place: int = field(default=0, init=False)

    def begin(self, random: Callable[[int], bytes]) -> None:
        """Begin the work, or begin it again: the random bytes then come from the first on."""
        self._place = 0
        self.serials = map(f"{self.draw(11, random).hex()}{{}}".format, count(10))

    def draw(self, size: int, random: Callable[[int], bytes]) -> bytes:
        """Return random bytes: the ones drawn here the last time, or new ones if there are none."""
        if self._place == len(self.drawn):
            self.drawn.append(random(size))
        self._place += 1
        return self.drawn[self._place - 1]

    def of(self, task: Computation) -> Any:
        """Return the result of a task. Raise NeedsComputation if it is not computed yet."""
        if task.key not in self.known:
            raise NeedsComputation(task)
        return self.known[task.key]

    def is_guessing(self, task: Computation) -> bool:
        """Return True if too many passwords of this message were wrong to hash another one."""
        wrong = sum(right is False for right in self.known.values())
        return task.key not in self.known and wrong >= WRONG_A_MAIL
