"""The happening of a cup, for the letters of its games."""

from __future__ import annotations

from typing import ClassVar

from ..league.happenings import InSeason


class InCup(InSeason, word="in-cup"):
    """The game belongs to a cup, ``Star cup 3``, which ends at ``ends``."""

    what: ClassVar[str] = "cup"


HAPPENINGS = (InCup,)
