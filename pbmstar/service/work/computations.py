"""Results that take long to compute, and are computed outside any transaction.

Work in a transaction asks for a result. If it is missing, ``NeedsComputation`` is raised, the work is
undone, the result is computed elsewhere, and the work is done again with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any, NamedTuple

WRONG_A_MAIL = 3  # after so many wrong passwords of a message, no other one is hashed


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
