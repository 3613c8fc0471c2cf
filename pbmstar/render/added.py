"""The part of features in letters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

from ..errors import Sentence
from ..parts import modules
from .board.view import View

_NO: Mapping[str, Any] = MappingProxyType({})


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
