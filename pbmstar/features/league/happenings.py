"""The happenings of a season, for the letters of its games."""

from __future__ import annotations

from typing import ClassVar

from ...errors import Said, say, together
from ...machine.times import Epoch
from ...match import Match
from ...match.happenings import OfFeature
from ...render.board.dates import moment


class InSeason(OfFeature, word="in-season"):
    """The game belongs to a season, ``Star league 3, division 2``, which ends at ``ends``.

    judged  what happens if the game still runs then
    """

    judged: ClassVar[Said] = say(
        "If it still runs when the season ends, on {end}, it is judged: a player who can no longer be "
        "beaten wins; otherwise each of you gets half a point."
    )

    season: str
    ends: Epoch

    def sentences(self, match: Match, zone: str) -> tuple[Said, ...]:
        """Return what is different in such a game."""
        return (
            together(
                say(
                    "This is a game of {season}. It cannot be declined, and no move is taken back.",
                    season=self.season,
                ),
                self.judged.given(end=moment(self.ends, zone)),
            ),
        )


HAPPENINGS = (InSeason,)
