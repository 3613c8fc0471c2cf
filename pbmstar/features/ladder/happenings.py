"""The happenings on a ladder, for the letters of its games."""

from __future__ import annotations

from ...match import Match
from ...match.happenings import OfFeature


class Challenged(OfFeature, word="challenged"):
    """``userid`` has challenged a higher player of a ladder; ``places`` has the lower player's first."""

    userid: str
    places: tuple[int, int]

    def sentences(self, match: Match, zone: str) -> tuple[str, ...]:
        """Return what the challenge is about."""
        userid, (own, place) = self.userid, self.places
        other, title = match.opponent(userid), match.game.title
        return (
            f"{userid}, at place {own} of the {title} ladder, challenges {other} at place {place}. "
            f"If {userid} wins, {userid} takes place {place}; else nothing changes.",
        )


class Placed(OfFeature, word="placed"):
    """A game of a ladder has ended: its players with their places now, 0 for a player not on the ladder."""

    players: tuple[tuple[str, int], ...]

    def sentences(self, match: Match, zone: str) -> tuple[str, ...]:
        """Return the new places."""
        where = " and ".join(
            f"{userid} is {'at place ' + str(place) if place else 'not on it any more'}"
            for userid, place in self.players
        )
        return (f"On the {match.game.title} ladder {where} now.",)


HAPPENINGS = (Challenged, Placed)
