"""The happening of a cup, for the letters of its games."""

from __future__ import annotations

from typing import ClassVar

from ...errors import Said, say
from ..league.happenings import InSeason


class InCup(InSeason, word="in-cup"):
    """The game belongs to a cup, ``Star cup 3``, which ends at ``ends``."""

    judged: ClassVar[Said] = say(
        "If it still runs when the cup ends, on {end}, it is judged: a player who can no longer be "
        "beaten wins; otherwise each of you gets half a point."
    )


HAPPENINGS = (InCup,)
