"""Errors, sorted by the one who must act; and sentences as values, which errors are made of.

``Refusal``           the player must act: the text is written for the player's eyes.
``Unreadable``        the sender's program must act: the mail itself cannot be accepted.
``TemporaryFailure``  nobody must act: the trouble is ours and will pass; the sender's server tries again.

Any other error that escapes is a bug: the edges (daemon, command line) catch it, keep the mail, and
tell only the operator.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

T = TypeVar("T")

# A word or name that is the same in all languages, a number, a sentence, or a list: "a, b and c".
Value: TypeAlias = "str | int | Sentence | tuple[Value, ...]"
SAID = "§"  # the key under which JSON has a sentence
_PLAIN = (str, int)  # values that JSON has as they are


@dataclass(frozen=True)
class Sentence:
    """A sentence as a value, which each reader gets in a language of their own. ``str(said)`` is English.

    text     the English sentence with the names of values in braces: its key in the catalogs
    values   the values by name
    plural   the sentence for all numbers but 1 in ``values["count"]``; empty if it counts nothing
    """

    text: str
    values: Mapping[str, Value] = field(default_factory=dict)
    plural: str = ""

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> Sentence:
        """Return the sentence that ``stored`` has stored. Raises KeyError, TypeError for other values."""
        text, *more = stored[SAID]
        values = {name: _recalled(value) for name, value in more[0].items()} if more else {}
        return cls(text, values, *more[1:])

    def stored(self) -> dict[str, Any]:
        """Return the sentence in the form of JSON."""
        values = {
            name: value if type(value) in _PLAIN else _to_json(value)
            for name, value in self.values.items()
        }
        parts = [self.text, values, self.plural] if self.plural else [self.text, values]
        return {SAID: parts if values else parts[:1]}

    def __str__(self) -> str:
        is_one = not self.plural or self.values["count"] == 1
        return self.filled(self.text if is_one else self.plural, _in_english)

    def __bool__(self) -> bool:
        """Return False for ``NOTHING``."""
        return bool(self.text)

    def given(self, **values: Value) -> Sentence:
        """Return the sentence with these values."""
        return Sentence(self.text, {**self.values, **values}, self.plural)

    def filled(self, pattern: str, tell: Callable[[Value], str]) -> str:
        """Return a pattern, the sentence in any language, with the values in it as ``tell`` writes them."""
        if not self.values:
            return pattern
        return pattern.format_map({name: tell(value) for name, value in self.values.items()})


NOTHING = Sentence("")  # no sentence: nothing is to be said


def say(text: str, /, **values: Value) -> Sentence:
    """Return a sentence with values: ``say("The cell {name} is taken.", name="C3")``."""
    return Sentence(text, values)


def literal(text: str) -> Sentence:
    """Return a text that is the same in all languages, such as a name or a command, as a sentence."""
    return Sentence("{text}", {"text": text})


def say_many(one: str, many: str, /, count: int, **values: Value) -> Sentence:
    """Return a sentence about ``{count}`` things; ``one`` is the sentence for 1."""
    return Sentence(one, {"count": count, **values}, many)


def together(*parts: Value | None, by: str = " ") -> Sentence:
    """Return whole sentences or lines one after the other, ``by`` between them; empty ones are left out."""
    kept = [each for each in parts if each]
    values: dict[str, Value] = {f"part{number}": part for number, part in enumerate(kept)}
    return Sentence(by.join(map("{{{}}}".format, values)), values)


def either(words: Sequence[str]) -> Sentence:
    """Return words that are the same in all languages as a choice: ``a, b or c``."""
    *others, last = words
    return (
        say("{words} or {last}", words=", ".join(others), last=last)
        if others
        else say("{last}", last=last)
    )


def _in_english(value: Value) -> str:
    if isinstance(value, tuple):
        *others, last = map(_in_english, value)
        return f"{', '.join(others)} and {last}" if others else last
    return str(value)


def _to_json(value: Value) -> Any:
    if isinstance(value, Sentence):
        return value.stored()
    return [_to_json(each) for each in value] if isinstance(value, tuple) else value


def _recalled(value: Any) -> Value:
    if isinstance(value, dict):
        return Sentence.of(value)
    recalled: Value = tuple(map(_recalled, value)) if isinstance(value, list) else value
    return recalled


class PbmstarError(Exception):
    """The base of all errors that this package raises on purpose."""


class Refusal(PbmstarError):
    """A refusal of a command. ``str(error)`` is one or more whole sentences for the player, in English.

    ``said`` are these sentences as a value; what only an operator can read is a plain text. ``code`` is
    a short name of the reason, in kebab-case, for programs and tests.
    """

    def __init__(self, said: Sentence | str, code: str = "refused") -> None:
        super().__init__(said)
        self.said = said
        self.code = code

    @property
    def told(self) -> Sentence:
        """Return the sentences for a player. What only an operator can read stays English."""
        return self.said if isinstance(self.said, Sentence) else literal(self.said)


class UnknownGame(Refusal):
    """A name that no game has."""


class BadOption(Refusal):
    """An option that the game does not have, or a value that it does not take."""


class InvalidMove(Refusal):
    """A text that is not a move on this board in any position."""


class IllegalMove(Refusal):
    """A move that is not allowed now."""


class BadInput(Refusal):
    """A value that does not have the required form."""


class UsageError(BadInput):
    """A line that is meant as a command and cannot be read; the text shows the right form.

    ``understood``: the part of the line that was understood, without possible passwords; ``board``:
    the number of the board that the line names, 0 if it names none.
    """

    def __init__(
        self, said: Sentence | str, code: str, understood: str = "", board: int = 0
    ) -> None:
        super().__init__(said, code)
        self.understood = understood
        self.board = board


# What code raises that works on stored values which are damaged: no error of the database, and no end of the
# program.
DAMAGE = (Refusal, ArithmeticError, LookupError, RecursionError, ValueError)
# What only code raises that reads such values, where they may be of any type. Anywhere else these are bugs,
# and a bug must not be told as a damaged board.
BUGS = (AssertionError, AttributeError, TypeError)
MISREAD = (*DAMAGE, *BUGS)


class Unreadable(PbmstarError):
    """A message that is refused as a whole. ``str(error)`` is constant ASCII text, never user data."""


DATABASE = "database"  # a kind of ``TemporaryFailure``


class TemporaryFailure(PbmstarError):
    """A trouble of ours that will pass: database locked, disk full. The text is for the log.

    ``kind`` is DATABASE if the database could not be used. ``pauses``: the seconds after which it makes sense
    to try again, the first time and at most; None if nothing says so.
    """

    def __init__(
        self, text: str, kind: str = "", pauses: tuple[float, float] | None = None
    ) -> None:
        super().__init__(text)
        self.kind, self.pauses = kind, pauses


class CommitUnknown(TemporaryFailure):
    """A commit that the disk did not confirm: this process no longer knows the content of the disk.

    A restarted process can continue from that content, so callers treat this as TemporaryFailure.
    """


class CorruptDatabase(TemporaryFailure):
    """The file of the database is damaged, or is not a database: only a backup helps."""


class SchemaChanged(CommitUnknown):
    """A change of the tables to another version: this program must end, and the right one must start."""

    def __init__(self, version: str, own: str) -> None:
        super().__init__(
            f"the tables of the database have become those of revision {version}, and this program knows "
            f"{own}: start the program that belongs to them",
            DATABASE,
        )


def as_future_error(error: BaseException) -> Exception:
    """Return the error, or one in its place if a future cannot carry it.

    A future refuses StopIteration, and an error that is not an Exception would end the event loop.
    """
    if isinstance(error, Exception) and not isinstance(error, StopIteration):
        return error
    other = RuntimeError(f"{type(error).__name__} was raised")
    other.__cause__ = error
    return other


def call_for_future(call: Callable[[], T]) -> T:
    """Return the result of the call. Raises only what a future can carry, see ``as_future_error``."""
    try:
        return call()
    except BaseException as error:
        raise as_future_error(error)  # noqa: B904 - its cause is the error, unless it is the error itself
