"""The answers of ladder to the questions of core."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ... import games
from ...errors import Sentence, say
from ...match import Happening, Match
from ...service.reminders.leave import is_away
from ...service.work.context import Context
from ...service.work.feature import AboutBoard, Below, Feature, TablePage, Tip
from ...service.work.work import BoardRefusal, Speaker, Work
from ...store import Store, Tx, User
from ..contests.rows import OPEN, Contest, Contests
from . import verbs
from .rows import Steps
from .rules import fold
from .verbs import LADDER


class LadderFeature(Feature):
    """The answers of ladders to what core asks: see ``Feature``."""

    name = LADDER
    title = "ladders"

    def on_game_end(self, work: Work, match: Match, late: str = "") -> tuple[Happening, ...]:
        """Move the winner of a challenge up, or back down if the end is taken back; let who is late rest."""
        if late:
            if match.terms.contest == LADDER:
                verbs.rest(work.tx, match, late, work.now)
            return ()
        return verbs.follow(work.tx, match, work.now)

    def check_act(self, work: Work, speaker: Speaker, act: str) -> None:
        """Refuse other terms; refuse to decline or to cancel an unbegun game, except while away."""
        if act == "counter":
            raise BoardRefusal(
                say("You can't change the terms of a ladder game."), "contest-game", speaker.match
            )
        is_unbegun = act == "decline" or (act == "cancel" and not speaker.match.record)
        if is_unbegun and not is_away(work, speaker.userid):
            raise BoardRefusal(
                say(
                    "You can only decline a ladder challenge while you're on leave. You can "
                    "resign, but then you lose your place."
                ),
                "ladder-game",
                speaker.match,
            )

    def tip(self, work: Work, letter: AboutBoard, user: User) -> Tip | None:
        """Tell of the ladder of a game who plays in no contest of it: a league tells of it at its end."""
        game = letter.match.game.word
        contests = work.tx.of(Contests)
        running = (each for each in contests.all(alive=True) if each.game == game)
        if not any(each.kind == LADDER for each in running):
            return None
        if any(each.game == game for each, _ in contests.of_player(user.userid)):
            return None
        said = say(
            "On a ladder, you challenge a player a few places above you. If you win, you take "
            "their place. To get on the ladder, reply:"
        )
        return Tip(LADDER, Below(said, (f"ladder join {game}",)), at_end=True)

    def titles(self, tx: Tx, userid: str) -> Iterator[Sentence]:
        """Yield the ladders whose first place a player holds."""
        for contest, entry in tx.of(Contests).of_player(userid):
            if contest.kind == LADDER and contest.state == OPEN and entry.place == 1:
                yield say("number one on the {game} ladder", game=games.title_of(contest.game))

    def on_account_close(self, work: Work, userid: str) -> None:
        """Take a player who closes the account off all ladders, once the games there have been resigned."""
        verbs.sign_off(work, userid)

    def due(self, context: Context, store: Store, is_up: bool) -> None:
        """Take players off who have rested for long."""
        with store.transaction() as tx:
            verbs.tidy(Work(context, tx, context.clock()))

    def pages(self, tx: Tx, name: Callable[[str], str]) -> Iterator[TablePage]:
        """Yield the page of each ladder."""
        for contest in tx.of(Contests).all():
            if contest.kind == LADDER:
                rungs = verbs.standings(tx, contest)
                yield TablePage(
                    f"ladder/{games.path_of(contest.game)}.html",
                    "ladder.html",
                    say("{title} ladder", title=games.title_of(contest.game)),
                    {"rungs": [(r.place, name(r.userid), r.won, r.lost) for r in rungs]},
                    frozenset(r.userid for r in rungs),
                )

    def check(self, tx: Tx, match: Match | None) -> Iterator[str]:
        """Fold all ladders again."""
        if match:
            return
        for contest in tx.of(Contests).all():
            if contest.kind == LADDER:
                for problem in _differences(tx, contest):
                    yield f"ladder of {contest.game}: {problem}"


def _differences(tx: Tx, contest: Contest) -> Iterator[str]:
    order = fold(tx.of(Steps).all(contest.id))
    entries = {entry.userid: entry.place for entry in tx.of(Contests).entries(contest.id)}
    for userid in sorted({*entries, *order.order}):
        if entries.get(userid, 0) != order.place(userid):
            yield f"{userid} is at place {entries.get(userid, 0)}, the games say {order.place(userid)}"
    won = {board: winner for board, winner, _ in tx.of(Steps).won(contest.id)}
    for pairing in tx.of(Contests).pairings(contest.id):
        if pairing.to_move is None:
            continue  # the board is gone; a place that was won on it stays
        has_won = pairing.result in pairing.seats and not pairing.runs
        winner = pairing.result if has_won else None
        if won.get(pairing.board or 0) != winner:
            yield f"board {pairing.board} was won by {winner or 'nobody'}, the ladder says otherwise"


FEATURE = LadderFeature()
