"""The answers of the first week to the questions of core."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...errors import say
from ...match.happenings import Left
from ...match.terms import DAY
from ...service.letters.post import BoardLetter
from ...service.work.work import Work
from ...store import User
from ..feature import Feature
from ..problem.rows import Problems
from ..values import Below
from .rows import Tips

_WEEK = 7 * DAY  # after an account is opened
_PAUSE = DAY  # between one tip and the next


def _problem(work: Work, user: User) -> Below | None:
    """Return the tip to solve the problem of the week; None if there is none, or if it comes by mail."""
    problems = work.tx.of(Problems)
    if problems.newest() is None or problems.is_reader(user.userid):
        return None
    said = say(
        "There is a problem each week: a position that exactly one move decides. To see it, or to get each "
        "by mail, reply:"
    )
    return Below(said, ("problem", "problem on"))


def _lobby(_work: Work, user: User) -> Below | None:
    """Return the tip to be told of the games that others offer; None for a player who is told."""
    said = say("A letter a day can list the games that other players offer you. To get it, reply:")
    return None if user.lobby else Below(said, ("lobby on",))


# The first of them that a player needs comes first.
_TIPS: Mapping[str, Callable[[Work, User], Below | None]] = {"problem": _problem, "lobby": _lobby}


class FirstWeekFeature(Feature):
    """Tips in letters of a player's first week, each once."""

    name = "firstweek"
    title = "tips for the first week"
    needs = ("offers", "problem")

    def below(self, work: Work, letter: BoardLetter, user: User, reader: str) -> tuple[Below, ...]:
        """Return a tip for a new player who has moved; mostly none, and at most one a day."""
        is_new = work.now - user.made < _WEEK and user.letters == "each"
        if not (is_new and reader) or letter.match.to_move == reader or user.drawing == "short":
            return ()
        if not letter.match.has_moved(reader):
            return ()
        follows = any(isinstance(each, Left) for each in letter.happenings)
        if letter.facts.template != "board" or follows or letter.facts.awaits:
            return ()
        given = work.tx.of(Tips).given(user.userid)
        if any(work.now - at < _PAUSE for at in given.values()):
            return ()
        for tip, found in _TIPS.items():
            if tip not in given and (below := found(work, user)):
                work.tx.of(Tips).give(user.userid, tip, work.now)
                return (below,)
        return ()


FEATURE = FirstWeekFeature()
