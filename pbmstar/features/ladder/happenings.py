"""The happenings on a ladder, for the letters of its games."""

from __future__ import annotations

from ...errors import Said, say
from ...match import Match
from ...match.happenings import OfFeature


class Challenged(OfFeature, word="challenged"):
    """``userid`` has challenged a higher player of a ladder; ``places`` has the lower player's first."""

    userid: str
    places: tuple[int, int]

    def sentences(self, match: Match, zone: str) -> tuple[Said, ...]:
        """Return what the challenge is about."""
        userid, (own, place) = self.userid, self.places
        return (
            say(
                "{userid}, at place {own} of the {game} ladder, challenges {other} at place {place}. If "
                "{userid} wins, {userid} takes place {place}; otherwise nothing changes.",
                userid=userid,
                own=own,
                game=match.game.title,
                other=match.opponent(userid),
                place=place,
            ),
        )


class Placed(OfFeature, word="placed"):
    """A game of a ladder has ended: its players with their places now, 0 for a player not on the ladder."""

    players: tuple[tuple[str, int], ...]

    def sentences(self, match: Match, zone: str) -> tuple[Said, ...]:
        """Return the new places."""
        where = tuple(
            say("{userid} is at place {place}", userid=userid, place=place)
            if place
            else say("{userid} is no longer on it", userid=userid)
            for userid, place in self.players
        )
        return (say("On the {game} ladder {where} now.", game=match.game.title, where=where),)


HAPPENINGS = (Challenged, Placed)
