"""The verb of the Sunday game, and its answers to the questions of core."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from types import MappingProxyType

from ...command import Command
from ...errors import Refusal, say, together
from ...identity import Purpose
from ...match import Happening, Match
from ...match.dates import moment
from ...service.letters.post import tell_account
from ...service.work.context import Context
from ...service.work.feature import AboutBoard, Answers, Below, Feature, Gauge, Group, Series, Tip
from ...service.work.work import BoardRefusal, Speaker, Work
from ...store import Store, Tx, User
from . import rules, weekly
from .rows import Sundays
from .rules import end_of, is_short, week_of


def sunday(work: Work, command: Command, user: User) -> None:
    """Let a player play the Sunday game of each week, or no longer. Raises Refusal."""
    if not command["on"]:
        leave(work, user)
        return
    if not weekly.is_played(work):
        raise Refusal(
            say("There's no Sunday game on this server, because the bot for it doesn't play here."),
            "bots-off",
        )
    rows = work.tx.of(Sundays)
    for other in work.tx.accounts.users_at(user.address):
        if other.userid != user.userid and rows.is_reader(other.userid):
            raise Refusal(
                say("Another account at your address already plays the Sunday game."),
                "same-mailbox",
            )
    now = weekly.current(work)
    has_board = now is not None and rows.has_board(now.number, user.userid)
    is_late = now is not None and not has_board and is_short(work.now)
    rows.subscribe(user.userid, now.number if now and is_late else 0)
    if now and not is_late and not has_board:
        weekly.begin(work, now, user)
        return
    until = moment(end_of(week_of(work.now)), user.zone)
    comes = say("Your board is on its way.")
    if has_board:
        comes = say(
            "You already have this week's board, and you can play it until {until}.", until=until
        )
    if is_late:
        comes = say(
            "This week is nearly over, so you'll get your first board on {until}, with a week "
            "to play it.",
            until=until,
        )
    follows = say(
        "At the end of each week, we'll send you everyone's results and the next board. "
        "Everyone who played can then see your name, your result and your moves."
    )
    notice = together(say("You'll get the Sunday game from now on."), comes, follows)
    tell_account(work, user, say("sunday"), notice, ("sunday off",))


def leave(work: Work, user: User) -> None:
    """Give a player no more Sunday games; the one that runs stays until its end."""
    work.tx.of(Sundays).unsubscribe(user.userid)
    notice = say(
        "You won't get any more Sunday games. You can still play this week's until Sunday, "
        "but you won't get the results."
    )
    tell_account(work, user, say("sunday"), notice, ("sunday on",))


_ALIKE = frozenset(("decline", "cancel", "counter", "extend"))


def _count_players(tx: Tx) -> Series:
    """Return the number of boards of the newest Sunday game."""
    newest = tx.of(Sundays).newest()
    return {(): tx.of(Sundays).count_players(newest.number) if newest else 0}


class SundayFeature(Feature):
    """The Sunday game."""

    title = "Sunday games"
    answers = MappingProxyType({Purpose.STOP_SUNDAY: Answers(stop=leave)})
    figures = MappingProxyType(
        {
            "pbmstar_sunday_readers": Gauge(
                "Players who get the Sunday game of each week.",
                of_store=lambda tx: {(): tx.of(Sundays).count_readers()},
            ),
            "pbmstar_sunday_players": Gauge(
                "Boards of the newest Sunday game.", of_store=_count_players
            ),
        }
    )

    def group(self, work: Work, match: Match) -> Group | None:
        """Return the games of a Sunday. Once it is over, all who have played it may see them."""
        sundays = work.tx.of(Sundays)
        found = sundays.of_board(match.number)
        return found and Group(
            rules.series(found.number), partial(sundays.has_played, found.number)
        )

    def on_game_end(self, work: Work, match: Match, late: str = "") -> tuple[Happening, ...]:
        """Count a game again that goes on after it has been counted, or that has ended again."""
        if not late:
            self.on_correction(work, match)
        return ()

    def check_act(self, work: Work, speaker: Speaker, act: str) -> None:
        """Refuse all that would make one player's game differ from the others'."""
        if act in _ALIKE:
            raise BoardRefusal(
                say(
                    "The Sunday game is the same for everyone, so you can't change its terms. "
                    "You can ignore it, or resign."
                ),
                "sunday-game",
                speaker.match,
            )

    def footer(self, work: Work, letter: AboutBoard, user: User, reader: str) -> tuple[Below, ...]:
        """Return when the results come, once a player's game has ended."""
        match = letter.match
        if not reader or match.terms.contest != rules.SUNDAY or not match.position.over:
            return ()
        found = work.tx.of(Sundays).of_board(match.number)
        if found is None or found.margin is not None:
            return ()
        return (Below(say("On Sunday, we'll send you everyone's results and the next board.")),)

    def tip(self, work: Work, letter: AboutBoard, user: User) -> Tip | None:
        """Tell of the Sunday game, unless the player plays it."""
        if work.tx.of(Sundays).is_reader(user.userid) or not weekly.is_played(work):
            return None
        said = say(
            "Every Sunday, everyone who joins gets the same board against the same bot. A week "
            "later, you find out who did best. To join in, reply:"
        )
        return Tip(rules.SUNDAY, Below(said, ("sunday on",)))

    def on_correction(self, work: Work, match: Match | None, is_removed: bool = False) -> None:
        """Count a game again that has been counted."""
        found = work.tx.of(Sundays).of_board(match.number) if match and not is_removed else None
        if match and found and found.margin is not None:
            work.tx.of(Sundays).count_in(found, rules.margin(match, found.userid))

    def on_account_close(self, work: Work, userid: str) -> None:
        """Give a player who closes the account no more games."""
        work.tx.of(Sundays).unsubscribe(userid)

    def due(self, context: Context, store: Store, is_up: bool) -> None:
        """End last week's game, and start this week's."""
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


FEATURE = SundayFeature()
