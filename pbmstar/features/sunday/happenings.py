"""The happening of the Sunday game, for the letter that begins it."""

from __future__ import annotations

from ...errors import Said, say
from ...machine.times import Epoch
from ...match import Match
from ...match.happenings import OfFeature
from ...render.board.dates import moment


class OnSunday(OfFeature, word="on-sunday"):
    """The game is Sunday game ``number``, which ends at ``ends``."""

    number: int
    ends: Epoch

    def sentences(self, match: Match, zone: str) -> tuple[Said, ...]:
        """Return what is different in such a game."""
        return (
            say(
                "This is Sunday game {number}: everybody who plays it gets this board, and {bot} answers "
                "the same moves alike. You have until {end}. The margin counts, nobody sees your moves "
                "until then, and you cannot take a move back. The next letter says how everybody did.",
                number=self.number,
                bot=match.program,
                end=moment(self.ends, zone),
            ),
        )


HAPPENINGS = (OnSunday,)
