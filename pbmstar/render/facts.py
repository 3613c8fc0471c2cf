"""The facts of letters: a class for each letter, which names its template and what the template is told.

What sends a letter makes one of these values, and mypy checks it. A recipe keeps it as JSON. A letter
that an earlier version has left in the outbox may lack what was added since: that has its default then.
The facts of a feature's letters are classes in the module ``facts`` of its folder.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache
from typing import Any, ClassVar

from ..features import modules


@dataclass(frozen=True)
class Facts:
    """The facts of a letter besides its board. A field has a default if it was added to a letter later.

    Values are texts, numbers, dataclasses, and what holds these. A template sees a dataclass as a mapping.
    """

    template: ClassVar[str]  # the name of the letter's template, without its ending

    def stored(self) -> dict[str, Any]:
        """Return the facts as JSON has them, by name, without those that have their default."""
        values = ((each, getattr(self, each.name)) for each in fields(self))
        return {each.name: _stored(value) for each, value in values if value != each.default}


def _stored(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        value = vars(value)
    if isinstance(value, Mapping):
        return {name: _stored(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_stored(each) for each in value]
    return value


def defaults(kind: type[Facts]) -> Mapping[str, Any]:
    """Return the defaults of a letter's facts, by name."""
    return {each.name: each.default for each in fields(kind) if each.default is not MISSING}


@cache
def kinds() -> Mapping[str, type[Facts]]:
    """Return the class of facts of each letter, of core and of features, by the name of its template."""
    own = list(globals().values())
    values = own + [each for _, module in modules("facts") for each in vars(module).values()]
    classes = [each for each in values if isinstance(each, type) and issubclass(each, Facts)]
    return {each.template: each for each in classes if each not in (Facts, Loose)}


@dataclass(frozen=True)
class AccountFacts(Facts):
    """A notice about the reader's account, and perhaps all its settings."""

    template = "account"
    userid: str
    topic: str
    notice: str
    replies: Sequence[str] = ()
    settings: Mapping[str, str] | None = None


@dataclass(frozen=True)
class PageFacts(Facts):
    """A help page."""

    template = "page"
    topic: str


@dataclass(frozen=True)
class WhoFacts(Facts):
    """Players who take challenges."""

    template = "who"
    reader: str
    players: Sequence[WhoLine]
    bots: bool = False


@dataclass(frozen=True)
class WhoLine:
    """A player who takes challenges: how many games are running, and how many weeks ago it was here."""

    userid: str
    running: int
    seen: str
    away: bool = False


@dataclass(frozen=True)
class BestFacts(Facts):
    """The best results in a puzzle, and in words the best that is ``known``."""

    template = "best"
    title: str
    word: str
    options: str
    known: str
    bests: Sequence[BestLine]


@dataclass(frozen=True)
class BestLine:
    """A result of a player in a puzzle; ``date``: its day, in UTC."""

    rank: int
    date: str
    userid: str
    note: str


@dataclass(frozen=True)
class Loose(Facts):
    """The facts of a letter that has no class yet."""

    name: str
    values: Mapping[str, Any]

    @property
    def template(self) -> str:  # type: ignore[override]
        """Return the name of the letter's template."""
        return self.name

    def stored(self) -> dict[str, Any]:
        """Return the facts as they are."""
        return dict(self.values)
