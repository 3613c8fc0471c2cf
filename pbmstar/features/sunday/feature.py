"""The answers of the Sunday game to the questions of core."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType

from ...errors import Refusal, say
from ...match import Happening, Match
from ...service.work.context import Context
from ...service.work.work import BoardRefusal, Speaker, Work
from ...store import Store, Tx, User
from ..feature import Feature
from ..values import Gauge, Gauges
from . import rules, verbs, weekly
from .rows import Sundays

_ALIKE = frozenset(("decline", "cancel", "counter", "extend"))
_READERS, _PLAYERS = "pbmstar_sunday_readers", "pbmstar_sunday_players"


class SundayFeature(Feature):
    """The Sunday game."""

    name = rules.SUNDAY
    title = "Sunday games"
    needs = ("bots",)
    binding = True
    figures = MappingProxyType(
        {
            _READERS: Gauge("Players who get the Sunday game of each week."),
            _PLAYERS: Gauge("Boards of the newest Sunday game."),
        }
    )

    def series(self, work: Work, match: Match) -> str:
        """Return the Sunday that a board belongs to."""
        found = work.tx.of(Sundays).of_board(match.number)
        return rules.series(found.number) if found else ""

    def after(self, work: Work, match: Match) -> tuple[Happening, ...]:
        """Count a game again that goes on after it has been counted, or that has ended again."""
        self.corrected(work, match)
        return ()

    def require(self, work: Work, speaker: Speaker, act: str) -> None:
        """Refuse all that would make one player's game differ from the others'."""
        if act in _ALIKE:
            raise BoardRefusal(
                say(
                    "The Sunday game is the same for everybody, so you cannot change its terms. You can "
                    "ignore it, or resign."
                ),
                "sunday-game",
                speaker.match,
            )

    def corrected(self, work: Work, match: Match | None, is_removed: bool = False) -> None:
        """Count a game again that has been counted."""
        found = work.tx.of(Sundays).of_board(match.number) if match and not is_removed else None
        if match and found and found.margin is not None:
            work.tx.of(Sundays).count_in(found, rules.margin(match, found.userid))

    def leaves(self, work: Work, userid: str) -> None:
        """Give a player who closes the account no more games."""
        work.tx.of(Sundays).unsubscribe(userid)

    def unsubscribe(self, work: Work, user: User, purpose: str) -> None:
        """Stop the weekly game."""
        if purpose == "y":
            verbs.leave(work, user)

    def due(self, context: Context, store: Store, is_up: bool) -> None:
        """End the game of last week, and begin that of this week."""
        if is_up:
            weekly.carry_on(context, store)

    def check(self, tx: Tx, match: Match | None) -> Iterator[str]:
        """Compare the kept result of a board with its record."""
        found = tx.of(Sundays).of_board(match.number) if match else None
        if match is None or found is None or found.margin is None:
            return
        try:
            margin = rules.margin(match, found.userid)
        except Refusal:
            return
        if margin != found.margin:
            yield f"its Sunday result is {found.margin}, the record says {margin}"

    def census(self, tx: Tx) -> Gauges:
        """Count the players."""
        rows = tx.of(Sundays)
        newest = rows.newest()
        boards = rows.count_players(newest.number) if newest else 0
        return {_READERS: {(): rows.count_readers()}, _PLAYERS: {(): boards}}


FEATURE = SundayFeature()
