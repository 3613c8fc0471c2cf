"""The answers of cups to the questions of core."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ... import games
from ...errors import Sentence, say
from ...match import Match
from ...match.happenings import Overdue, Warned
from ...service.work.context import Context
from ...service.work.feature import AboutBoard, Below, Feature, TablePage, Tip
from ...service.work.work import Speaker, Work
from ...store import Store, Tx, User
from ..contests.feature import refuse_change
from ..contests.rows import OPEN, OVER, Contests
from ..league.feature import misplaced, shown
from ..league.verbs import name_of, tables
from . import running, verbs
from .commands import CUP


class CupFeature(Feature):
    """The answers of cups to what core asks: see ``Feature``."""

    title = "cups"

    def check_act(self, work: Work, speaker: Speaker, act: str) -> None:
        """Refuse all that would change the terms of one game."""
        refuse_change(speaker, act, CUP, say("You can resign it, or agree on a draw."))

    def footer(self, work: Work, letter: AboutBoard, user: User, reader: str) -> tuple[Below, ...]:
        """Return how the table of the cup stands, if that has changed for the reader.

        A reminder is long enough: the letter of the next move tells it.
        """
        match = letter.match
        if not reader or match.terms.contest != CUP or not letter.facts.has_room:
            return ()
        if any(isinstance(each, Overdue | Warned) for each in letter.happenings):
            return ()
        line = verbs.table_line(work, match.number, reader)
        return (line,) if line else ()

    def tip(self, work: Work, letter: AboutBoard, user: User) -> Tip | None:
        """Tell of the cup that lacks the fewest players, unless the player has been in one."""
        said = verbs.invitation(work, user, letter.match.game.word)
        return Tip(CUP, said, at_end=True) if said else None

    def titles(self, tx: Tx, userid: str) -> Iterator[Sentence]:
        """Yield the cups that a player has won."""
        for contest, entry in tx.of(Contests).of_player(userid):
            if contest.kind == CUP and contest.state == OVER and entry.place == 1:
                yield say("winner of {contest}", contest=name_of(contest))

    def on_account_close(self, work: Work, userid: str) -> None:
        """Let a player go who closes the account, before the games are resigned."""
        verbs.sign_off(work, userid)

    def due(self, context: Context, store: Store, is_up: bool) -> None:
        """Begin and end cups, begin and judge their games, and tell the players."""
        if is_up:
            running.carry_on(context, store)

    def on_correction(self, work: Work, match: Match | None, is_removed: bool = False) -> None:
        """Keep the places of cups that are over anew, since one of their games is another one now."""
        contests = work.tx.of(Contests)
        pairing = contests.of_board(match.number) if match else None
        if match is not None and (pairing is None or match.terms.contest != CUP):
            return
        if pairing is not None and is_removed:
            contests.set_pairing(pairing._replace(board=0))
        for contest in contests.all():
            is_it = pairing is None or contest.id == pairing.contest
            if is_it and contest.kind == CUP and contest.state == OVER:
                running.keep_places(work, contest)

    def pages(self, tx: Tx, name: Callable[[str], str]) -> Iterator[TablePage]:
        """Yield the page of each cup."""
        for contest in tx.of(Contests).all():
            if contest.kind == CUP:
                players = frozenset(entry.userid for entry in tx.of(Contests).entries(contest.id))
                yield TablePage(
                    f"cups/{games.path_of(contest.game)}/{contest.season}.html",
                    "league.html",
                    name_of(contest),
                    {
                        "divisions": [shown(each, name) for each in tables(tx, contest)],
                        "players": sorted(map(name, players)),
                    },
                    players,
                    f"cup {contest.game}" if contest.state == OPEN else "",
                )

    def check(self, tx: Tx, match: Match | None) -> Iterator[str]:
        """Count the tables of the cups that are over again."""
        if match:
            return
        for contest in tx.of(Contests).all():
            if contest.kind == CUP:
                for problem in misplaced(tx, contest):
                    yield f"{name_of(contest)}: {problem}"


FEATURE = CupFeature()
