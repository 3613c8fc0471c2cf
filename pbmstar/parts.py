"""The features of this server, each with its parts: what core loads of a feature, when it is needed.

A feature is a folder of ``features``: all that goes beyond one game. Its parts are modules that have the same
names in all of them. Core reads one constant of each, which mypy checks where it is written:

``commands``  COMMANDS: its verbs and happenings, see ``grammar.verb.Commands``. Light: the parser loads it.
``rows``      TABLES: its tables of the database, and the statements that read and change them.
``facts``     its letters, a class for each, see ``render.letter``, and LETTERS: its part in other letters,
              see ``render.letter.Letters``. What writes letters loads it.
``feature``   FEATURE: its answers to the questions that core asks, see ``service.work.feature.Feature``.
``cli``       COMMAND: its command line. Only this command loads it.

Leave a folder and its line here out, and everything else works. This module imports no feature, and core
imports none but by it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType, ModuleType
from typing import Any, NamedTuple

_PACKAGE = "pbmstar."


class Parts(NamedTuple):
    """The parts of a feature.

    modules   those that its folder has, with blanks between
    needs     the features that it imports: without one of them it is switched off, too
    operator  by its group, the operator's command and its summary
    """

    modules: str
    needs: tuple[str, ...] = ()
    operator: Mapping[str, tuple[str, str]] = MappingProxyType({})


def _parts(modules: str, needs: str = "", **operator: tuple[str, str]) -> Parts:
    return Parts(modules, tuple(needs.split()), operator)


# In this order core asks them: who comes first is told first. No answer changes another one's.
FEATURES: Mapping[str, Parts] = {
    "contests": _parts("commands rows facts feature"),
    "league": _parts(
        "commands rows facts feature cli", "contests",
        admin=("league", "Leagues and their seasons."),
    ),
    "cup": _parts(
        "commands facts feature cli", "contests league",
        admin=("cup", "Cups: their tables, and changes by hand."),
    ),
    "ladder": _parts(
        "commands rows facts feature cli", "contests",
        admin=("ladder", "Ladders: list, open, close, show."),
    ),
    "postcard": _parts("commands facts feature"),
    "watching": _parts("commands rows facts feature"),
    "window": _parts("commands rows facts feature"),
    "problem": _parts(
        "commands rows facts feature cli",
        admin=("problem", "The problem of the week."),
    ),
    "firstweek": _parts("rows feature"),
    "playout": _parts("commands facts feature"),
    "course": _parts("commands facts feature"),
    "sunday": _parts(
        "commands rows facts feature cli",
        admin=("sunday", "The Sunday game: list."),
    ),
    "website": _parts(
        "facts feature cli",
        main=("site", "Write the pages of the website now."),
    ),
}  # fmt: skip


def switched_off(without: frozenset[str]) -> tuple[str, ...]:
    """Return the features that are not there: those ``without``, and those that need one of them."""
    return tuple(
        name for name, parts in FEATURES.items() if not without.isdisjoint((name, *parts.needs))
    )


@cache
def modules(part: str) -> tuple[tuple[str, ModuleType], ...]:
    """Return that part of each feature that has it, with the feature's name. It is imported now."""
    return tuple(
        (name, import_module(f"pbmstar.features.{name}.{part}"))
        for name, parts in FEATURES.items()
        if part in parts.modules.split()
    )


def commands(group: str) -> Iterator[tuple[str, str, str]]:
    """Yield the operator's commands in a group, ``main`` or ``admin``: feature, name, and what it is for."""
    for feature, parts in FEATURES.items():
        if group in parts.operator:
            yield feature, *parts.operator[group]


def place_of(function: Callable[..., object]) -> str:
    """Return the place of a module's function, as ``service.verbs.play.move``."""
    return f"{function.__module__.removeprefix(_PACKAGE)}.{function.__name__}"


@cache
def function_at(place: str) -> Callable[..., Any]:
    """Return the function at a place; its module is imported now. Raises ImportError, AttributeError."""
    module, _, name = place.rpartition(".")
    found: Callable[..., Any] = getattr(import_module(f"{_PACKAGE}{module}"), name)
    return found
