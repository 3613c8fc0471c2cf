"""Functions by their places, for what is kept as text, and for modules that are imported at first use."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

_PACKAGE = "pbmstar."


def place_of(function: Callable[..., object]) -> str:
    """Return the place of a module's function, as ``service.verbs.play.move``."""
    return f"{function.__module__.removeprefix(_PACKAGE)}.{function.__name__}"


@cache
def function_at(place: str) -> Callable[..., Any]:
    """Return the function at a place; its module is imported now. Raises ImportError, AttributeError."""
    module, _, name = place.rpartition(".")
    found: Callable[..., Any] = getattr(import_module(f"{_PACKAGE}{module}"), name)
    return found
