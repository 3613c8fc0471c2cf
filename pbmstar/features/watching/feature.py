"""The answers of watching to the questions of core."""

from __future__ import annotations

from collections.abc import Mapping

from ...errors import say
from ...match import Match
from ...service.letters.post import BoardLetter
from ...service.work.apply import Change
from ...service.work.work import Work
from ...store import User
from ..feature import Feature
from ..values import Below
from . import letters
from .commands import DIGEST
from .rows import Watches
from .tables import watches


class WatchingFeature(Feature):
    """The answers of watching to what core asks: see ``Feature``."""

    name = "watching"
    title = "watchers"

    def began(self, work: Work, match: Match) -> Mapping[str, int]:
        """Let people who watch the games of its players watch a new game."""
        if match.terms.private or len(match.seats) == 1:
            return {}
        followers = [
            each
            for each in work.tx.of(Watches).followers(match.seats)
            if each.name not in match.seats
        ]
        for each in followers:
            work.tx.of(Watches).watch(match.number, each.name, each.how)
        return {watches.name: len({each.name for each in followers})} if followers else {}

    def told(self, work: Work, change: Change) -> None:
        """Tell the watchers; a board comes with their number, so one without any costs no statement."""
        if _count(change.after):
            letters.tell(work, change)

    def below(self, work: Work, letter: BoardLetter, user: User, reader: str) -> tuple[Below, ...]:
        """Return how many watch, for a player; the way to stop, for a watcher."""
        number = letter.match.number
        if reader and (count := _count(letter.match)):
            return (Below(say("Watched by {number}.", number=count)),)
        if letter.is_public and not letter.match.position.over:
            said = say("You watch this board. To stop, reply:")
            return (Below(said, (f"unwatch {number}",)),)
        return ()

    def stop(self, work: Work, user: User) -> str:
        """Return the command that lists what a player watches, if some of it is told once a day."""
        mine = work.tx.of(Watches)
        wanted = {each.how for each in (*mine.watched(user.userid), *mine.followed(user.userid))}
        return f"watches {user.userid} password" if DIGEST in wanted else ""

    def leaves(self, work: Work, userid: str) -> None:
        """Forget what a player watches, and who watches the player."""
        work.tx.of(Watches).forget(userid)


def _count(match: Match) -> int:
    """Return how many others watch a board."""
    return dict(match.counts).get(watches.name, 0)


FEATURE = WatchingFeature()
