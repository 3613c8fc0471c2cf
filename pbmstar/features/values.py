"""The values in which features answer: figures, pages with tables, findings, workers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from ..errors import Said, Value
from ..machine.times import Seconds

if TYPE_CHECKING:
    from ..delivery.dispatch import Submit
    from ..match import Happening
    from ..service.admin.metrics import Metrics
    from ..service.letters.post import PlainLetter
    from ..service.work.context import Context

Labels = tuple[str, ...]  # their values, in the order of Gauge.labels
Gauges = Mapping[str, Mapping[Labels, float]]
Writer = Callable[[str], "PlainLetter"]  # it returns a letter to that address


class Gauge(NamedTuple):
    """A figure for monitoring: help text, kind, names of its labels, bounds of a histogram."""

    text: str
    kind: str = "gauge"
    labels: tuple[str, ...] = ()
    bounds: tuple[float, ...] = ()


class TablePage(NamedTuple):
    """A page with a table, for a feature that shows such pages to everybody.

    path      its place among them: ``NAME/hex.html``
    template  below ``templates/<feature>/pages``; ``facts`` fill it
    players   the userids in it
    joins     the command that joins it; empty while nobody can
    first     the best players for the front page with their points, as they are shown, by the title of a game
    of_each   what the player's own page shows of the table, by userid: it is written anew if that changes
    """

    path: str
    template: str
    title: Value
    facts: Mapping[str, Any]
    players: frozenset[str] = frozenset()
    joins: str = ""
    first: Mapping[str, Sequence[tuple[str, str]]] = MappingProxyType({})
    of_each: Mapping[str, tuple[Any, ...]] = MappingProxyType({})


OK, WARN, FAIL = "ok", "warn", "fail"


class Finding(NamedTuple):
    """The result of one check: OK, WARN (it may be meant so) or FAIL; advice is empty if it is OK."""

    verdict: str
    what: str
    advice: str = ""

    def __str__(self) -> str:
        line = f"{self.verdict:<4} {self.what}"
        return f"{line}\n     {self.advice}" if self.advice else line


class Below(NamedTuple):
    """A sentence at the end of a letter about a board; it ends before ``replies``, lines to reply."""

    said: Said
    replies: Sequence[str] = ()


class Expected(NamedTuple):
    """An answer of a feature's player that is to come: what a letter tells of it now.

    seconds  the letter waits so long for it, so that it can tell of both; 0 if it goes at once
    """

    happenings: tuple[Happening, ...]
    seconds: Seconds = 0.0


class Tools(NamedTuple):
    """The things that a worker works with.

    context  the surroundings of the service
    submit   gives the writer a job
    deliver  to be called when there are letters to send
    metrics  the figures of the daemon, to count in
    """

    context: Context
    submit: Submit
    deliver: Callable[[], object]
    metrics: Metrics


class Worker(Protocol):
    """A part of the daemon with threads of its own."""

    def start(self) -> None: ...

    def wake(self) -> None:
        """Look for work, which a message may have caused. Any thread may call this, and need not wait."""

    def stop(self, patience: Seconds) -> bool:
        """End the threads. Return False if one has not ended after some ``patience``, in seconds."""
