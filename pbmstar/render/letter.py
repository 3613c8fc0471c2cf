"""The facts of a letter, in a class that says what's true of its kind, and the sheet it's written on.

What sends a letter makes a value of such a class, and mypy checks it. A recipe keeps it as JSON. A letter
that an earlier version has left in the outbox may lack what was added since: that has its default then.
``render.facts`` has the letters of core; a feature's letters are classes in its module ``facts``.

The part of features in letters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

from ..errors import NOTHING, Sentence
from ..machine.times import when
from ..match.terms import NONE
from ..parts import modules
from .board.view import View
from .pages import Page
from .picture import attached
from .ratings import rating_header
from .recipe import Recipe, Replays
from .translator import Translator

Drawn = attached.Drawn
Pictures = dict[str, attached.Drawn | None]  # by name; None for one that cannot be drawn
_NO: Mapping[str, Any] = MappingProxyType({})


@dataclass
class Sheet:
    """A letter while it's written: what the class of its facts may ask.

    facts    all that fills its template, by name: the recipe's facts, as JSON has them, and what was added
    board    the board that it shows, as its reader sees it; None if it shows none
    asks     words that a reply about the board may begin with besides the usual ones
    replays  makes matches from the packed boards among the facts
    help     returns the help page on a topic, in the reader's language
    """

    recipe: Recipe
    facts: dict[str, Any]
    board: View | None
    translator: Translator
    asks: Sequence[str]
    replays: Replays
    help: Callable[[str], Page]


@dataclass(frozen=True)
class AddedFacts:
    """Facts that a feature adds to a letter of core, by names of its own: see its module ``facts``.

    Values are texts, sentences, numbers, dataclasses, and what holds these. A template sees a dataclass as
    a mapping.
    """

    def stored(self) -> dict[str, Any]:
        """Return the facts as JSON has them, by name, without those that have their default."""
        usual = defaults[type(self)]
        return as_json(
            {
                name: value
                for name, value in vars(self).items()
                if name not in usual or value != usual[name]
            }
        )


@dataclass(frozen=True)
class Facts(AddedFacts):
    """The facts of a letter besides its board. A field has a default if it was added to a letter later.

    What is true of a kind of letter stands in its class:

    template       the name of its template, without the ending
    copied         the other addresses of the account get it too
    first_only     it could give the account away, so only the first address gets it
    always_first   the first address gets it too, if it answers another one
    stays          it is for the reader at its address: it is never sent on to another one
    takes_replies  a reply to it speaks for its reader's account
    tells_request  it shows what the opponent asks, so that a reply can accept that
    names_board    its headers name its board for programs
    tells_board    they also tell the state of the board
    waits          others go first while the relay takes only some letters
    has_room       features may add to it below its board what its reader didn't ask for

    What follows from the facts when it's written stands there too, in the methods: each is told the sheet.
    """

    template: ClassVar[str]
    copied: ClassVar[bool] = False
    first_only: ClassVar[bool] = False
    always_first: ClassVar[bool] = False
    stays: ClassVar[bool] = False
    takes_replies: ClassVar[bool] = True
    tells_request: ClassVar[bool] = False
    names_board: ClassVar[bool] = False
    tells_board: ClassVar[bool] = False
    waits: ClassVar[bool] = False
    has_room: ClassVar[bool] = False

    def __init_subclass__(cls) -> None:
        """Let ``render.facts.kinds`` find the class, unless it's the ground of others and has no template."""
        if hasattr(cls, "template"):
            BY_TEMPLATE[cls.template] = cls

    @classmethod
    def filled(cls, sheet: Sheet) -> Mapping[str, Any]:
        """Return what its template is told besides the facts. A ``board`` among it stands for the sheet's."""
        return {}

    @classmethod
    def headers(cls, sheet: Sheet) -> Mapping[str, str]:
        """Return the header fields that tell programs of its board.

        The deadline is empty while the clock is stopped, and absent in the turn of a bot.
        """
        board, recipe = sheet.board, sheet.recipe
        if board is None or not board.number or not cls.names_board:
            return {}
        heads = {"X-Pbmstar-Game": board.match.game.word, "X-Pbmstar-Board": str(board.number)}
        if not cls.tells_board:
            return heads
        heads |= {
            "X-Pbmstar-Move": str(board.match.position.played),
            "X-Pbmstar-To-Move": board.to_move,
            "X-Pbmstar-Result": board.result or recipe.facts.get("result", ""),
            "X-Pbmstar-By-Plan": board.by_plan,
        }
        heads["X-Pbmstar-Rating"] = rating_header(recipe.facts.get("rating"))
        if clock := recipe.clock:
            if clock.deadline is not None or clock.stands:
                deadline = "" if clock.deadline is None else when(clock.deadline)
                heads["X-Pbmstar-Deadline"] = deadline
            left = clock.left if clock.time != NONE else {}
            heads["X-Pbmstar-Clock"] = " ".join(f"{who}={seconds}" for who, seconds in left.items())
        return heads

    @classmethod
    def pictures(cls, sheet: Sheet) -> Pictures:
        """Draw the pictures of its HTML by name; there are no more than a message may have."""
        return {} if sheet.board is None else {"picture": attached.of_board(sheet.board)}

    @classmethod
    def illustrated(cls, sheet: Sheet) -> Mapping[str, Any]:
        """Return what its HTML is told of its pictures: they are drawn, and facts of the sheet by now."""
        return {}

    @classmethod
    def files(cls, sheet: Sheet) -> Sequence[bytes]:
        """Return the files that are attached to it."""
        return ()


BY_TEMPLATE: dict[str, type[Facts]] = {}  # those that are imported so far
_PLAIN = frozenset((str, int, float, bool, type(None)))  # the types of JSON that hold nothing else


def as_json(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return facts as JSON has them, by name."""
    return {
        name: value if type(value) in _PLAIN else _stored(value) for name, value in facts.items()
    }


def _stored(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [each if type(each) in _PLAIN else _stored(each) for each in value]
    if isinstance(value, Sentence):
        return value.stored() if value else ""
    whole = vars(value) if is_dataclass(value) else value
    if not isinstance(whole, dict | Mapping):  # the first of them is found at once
        return value
    return as_json(whole)


class _Defaults(dict[type, Mapping[str, Any]]):
    """The defaults of each class of facts, by name, found once."""

    def __missing__(self, kind: type[AddedFacts]) -> Mapping[str, Any]:
        usual = {each.name: each.default for each in fields(kind) if each.default is not MISSING}
        self[kind] = usual
        return usual


defaults = _Defaults()


def unsaid(kind: type[AddedFacts]) -> Mapping[str, Any]:
    """Return the defaults of a class of facts as a template sees them: no sentence is an empty text."""
    return {name: "" if value == NOTHING else value for name, value in defaults[kind].items()}


class Letters(NamedTuple):
    """The constant LETTERS of a feature: its part in letters, beside its own ones.

    filters   for templates
    buttons   what buttons say instead of the lines they send, by the whole line or, up to a space, its start
    goes_on   returns the line of a reply that plays a finished game on after a move, or an empty text
    of_board  returns the facts that it adds to letters with a board, from the board, the site and the facts
    """

    filters: tuple[Callable[..., object], ...] = ()
    buttons: Mapping[str, Sentence] = _NO
    goes_on: Callable[[int], str] | None = None
    of_board: Callable[[View, str, Mapping[str, Any]], Mapping[str, Any]] | None = None


@cache
def of_features() -> Mapping[str, Letters]:
    """Return the part in letters of each feature that has one, by its name."""
    return {name: module.LETTERS for name, module in modules("facts")}
