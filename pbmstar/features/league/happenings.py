"""The happenings of a season, for the letters of its games."""

from __future__ import annotations

from typing import ClassVar

from ...match import Match
from ...match.happenings import OfFeature
from ...render.board.dates import moment


class InSeason(OfFeature, word="in-season"):
    """The game belongs to a season, ``Star league 3, division 2``, which ends at ``ends``.

    what  the word for such a season
    """

    what: ClassVar[str] = "season"

    season: str
    ends: float

    def sentences(self, match: Match, zone: str) -> tuple[str, ...]:
        """Return what is different in such a game."""
        return (
            f"This is a game of {self.season}. It cannot be declined, and no move is taken back. If it "
            f"still runs when the {self.what} ends, on {moment(self.ends, zone)}, it is judged: who can no "
            "longer be beaten wins, else each of you gets half a point.",
        )


HAPPENINGS = (InSeason,)
