"""The answers of the first month to the questions of core."""

from __future__ import annotations

from ...errors import say
from ...machine.times import DAY
from ...match.happenings import Left
from ...service.work.feature import AboutBoard, Below, Feature, Tip, features
from ...service.work.work import Work
from ...store import User
from .rows import Tips

_MONTH = 30 * DAY  # after an account is opened
_PAUSE = DAY  # between one tip and the next
_MATCH = "match"  # the tip of the first game that ends


class FirstWeekFeature(Feature):
    """Tips in letters of a player's first month, each once, from core and from other features."""

    title = "tips for the first month"

    def footer(self, work: Work, letter: AboutBoard, user: User, reader: str) -> tuple[Below, ...]:
        """Return a tip for a new player who has moved, mostly none; there is at most one a day.

        Below the first game that ends there are two: how to play people, and a cup that waits for players.
        """
        is_new = work.now - user.made < _MONTH and user.letters == "each"
        match = letter.match
        if not (is_new and reader) or match.to_move == reader or user.drawing == "short":
            return ()
        if len(match.seats) == 1 or not match.has_moved(reader):
            return ()
        follows = any(isinstance(each, Left) for each in letter.happenings)
        if not letter.facts.has_room or follows or letter.facts.awaits:
            return ()
        given, is_over = work.tx.of(Tips).given(user.userid), match.position.over
        is_first = is_over and _MATCH not in given
        if not is_first and any(work.now - at < _PAUSE for at in given.values()):
            return ()
        fitting = [
            tip
            for tip in _tips(work, letter, user)
            if tip.name not in given and (is_over or not tip.at_end)
        ]
        fitting.sort(key=lambda tip: not tip.at_end)
        told = fitting[: 2 if is_first else 1]
        for tip in told:
            work.tx.of(Tips).give(user.userid, tip.name, work.now)
        return tuple(tip.below for tip in told)


def _tips(work: Work, letter: AboutBoard, user: User) -> list[Tip]:
    """Return what a player may not know, the most useful first."""
    said = say("If you'd like to play someone new, we'll find you an opponent. Reply:")
    tips = [Tip(_MATCH, Below(said, ("match",)), at_end=True)]
    for feature in features(Feature.tip, work.context.config.without):
        if tip := feature.tip(work, letter, user):
            tips.append(tip)
    said = say(
        "Would you like to play a friend? Reply with the word invite and your friend's email "
        "address, and we'll send your friend an empty board to start on."
    )
    tips.append(Tip("invite", Below(said)))
    if not user.lobby:
        said = say(
            "We can send you one letter a day with the games that other players are "
            "offering. To get it, reply:"
        )
        tips.append(Tip("lobby", Below(said, ("lobby on",))))
    return tips


FEATURE = FirstWeekFeature()
