"""The commands of ladders."""

from __future__ import annotations

from ...errors import Sentence, say
from ...grammar import arguments as a
from ...grammar.verb import ACCOUNT, Commands, Verb, Who
from ...match import Match
from ...match.happenings import Itself


class Challenged(Itself, word="challenged"):
    """``userid`` has challenged a higher player of a ladder; ``places`` has the lower player's first."""

    userid: str
    places: tuple[int, int]

    def sentences(self, match: Match, zone: str, reader: str) -> tuple[Sentence, ...]:
        """Return what the challenge is about."""
        userid, (own, place) = self.userid, self.places
        return (
            say(
                "This is a challenge on the {game} ladder: {userid} (number {own}) against "
                "{other} (number {place}). If {userid} wins, {userid} moves up to number "
                "{place}. Otherwise, the ladder stays the same.",
                userid=userid,
                own=own,
                game=match.game.title,
                other=match.opponent(userid),
                place=place,
            ),
        )


class Placed(Itself, word="placed"):
    """A game of a ladder has ended: its players with their places now, 0 for a player not on the ladder."""

    players: tuple[tuple[str, int], ...]

    def sentences(self, match: Match, zone: str, reader: str) -> tuple[Sentence, ...]:
        """Return the new places."""
        where = tuple(
            say("{userid} is now number {place}", userid=userid, place=place)
            if place
            else say("{userid} is no longer listed", userid=userid)
            for userid, place in self.players
        )
        return (say("On the {game} ladder, {where}.", game=match.game.title, where=where),)


# fmt: off
COMMANDS = Commands(
    verbs=(
        Verb("ladder join", (a.GAME, *ACCOUNT), "join a ladder, at the bottom",
             "feature.join", Who.ACCOUNT, "ladder join star alice s3cret", setting=True),
        Verb("ladder leave", (a.GAME, *ACCOUNT),
             "leave a ladder once your games on it are over",
             "feature.leave", Who.ACCOUNT, "ladder leave star alice s3cret", setting=True, unlisted=True),
        Verb("ladder challenge", (a.GAME, *ACCOUNT, a.USERID2),
             "challenge a player up to three places above you",
             "feature.challenge", Who.ACCOUNT, "ladder challenge star alice s3cret bob", setting=True),
        Verb("ladder table", (a.GAME,), "show a ladder",
             "feature.table", Who.ADDRESS, "ladder table star"),
    ),
    happenings=(Challenged, Placed),
)
# fmt: on
