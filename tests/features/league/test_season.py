"""A season of a league of which a tenth vanishes: it ends on its day, and nobody waits."""

from __future__ import annotations

import os
import random
from collections.abc import Callable

import pytest
from harness.office import DAY, Office
from harness.quick import hashed_password

from pbmstar.features.contests.rows import Contest, Contests, Entrant
from pbmstar.features.league import cli, seasons, verbs
from pbmstar.features.league.rules import sizes
from pbmstar.match import Act
from pbmstar.service.letters.tell import tell
from pbmstar.service.upkeep import rounds
from pbmstar.service.work.apply import apply, load
from pbmstar.service.work.feature import features as every_feature
from pbmstar.store import User

PLAYERS = int(os.environ.get("PBMSTAR_SEASON", "80"))
VANISH, DAYS = (
    PLAYERS // 10,
    40,
)  # some games still run then: later all are over, and the season with them


def day(office: Office, dice: random.Random, active: set[str]) -> None:
    """Some of those who are to move do, and the reminders run; all letters are taken."""
    office.now += DAY
    with office.store.transaction() as tx:
        rows = [row.board for userid in sorted(active) for row in tx.boards.of(userid, "next")]
    chosen = [board for board in rows if dice.random() < 0.4]
    for begin in range(0, len(chosen), 50):
        with office.store.transaction() as tx:
            work = office.work(tx)
            for board in chosen[begin : begin + 50]:
                match = load(work, board)
                move = dice.choice(list(match.position.moves()))
                tell(work, apply(work, match, Act(match.to_move, "move", str(move))))
    rounds.remind(office.context, office.store)
    with office.store.transaction() as tx:
        while letters := tx.outbox.claim("sink", office.now, office.now + DAY, 500):
            tx.outbox.set_sent([letter.id for letter in letters], office.now)


@pytest.mark.slow
def test_a_season_ends_on_its_day(another: Callable[..., Office]) -> None:
    dice = random.Random(1)
    office = another(people=())
    names = [f"p{number:03}" for number in range(PLAYERS)]
    hashed = hashed_password("s3cret")
    with office.store.transaction() as tx:
        work = office.work(tx)
        opened = cli.open_league(work, "star", None, ["-size=3"], DAYS)
        for name in names:
            tx.accounts.add(User(name, f"{name}@{name}.example", hashed, "active", office.now))
            tx.of(Contests).set_entry(Entrant(opened.id, name, office.now))
        cli.begin_season(work, "star")
    seasons.carry_on(office.context, office.store)
    vanishing = dict(
        zip(dice.sample(names, VANISH), (dice.randrange(DAYS) for _ in names), strict=False)
    )

    def season() -> Contest:
        with office.store.transaction() as tx:
            (found,) = [each for each in tx.of(Contests).all() if each.id == opened.id]
        return found

    for number in range(1, DAYS + 1):
        active = {name for name in names if vanishing.get(name, DAYS) > number}
        assert season().state == "begun", number
        day(office, dice, active)
    over = season()
    assert over.state == "over", "on its day"
    with office.store.transaction() as tx:
        tables = verbs.tables(tx, over)
        boards = [each for table in tables for each in table.boards]
        assert not tx.of(Contests).running(opened.id), "nobody waits"
        assert [len(table.lines) for table in tables] == sizes(PLAYERS)
        for table in tables:
            games = len(table.lines) * (len(table.lines) - 1) // 2
            assert len(table.boards) == games, (
                "each pair has a board, for all have a clock or a judge"
            )
            assert sum(line.points for line in table.lines) == games
        assert len(set(boards)) == len(boards)
        judged = sum(
            any(entry.move == "judged" for entry in tx.boards.record(board)) for board in boards
        )
        late = sum(line.late for table in tables for line in table.lines)
        assert judged and late, (
            "the clock ends the games of those who vanish, and the judge what still runs"
        )
        (following,) = tx.of(Contests).newest("league", "star")
        joined = {entry.userid for entry in tx.of(Contests).entries(following.id)}
        gone = {name for name, left in vanishing.items() if left < DAYS - 30}
        assert len(joined & gone) <= 2
        assert not [each for feature in every_feature() for each in feature.check(tx, None)]
    for _ in range(8):
        day(office, dice, set(names) - set(vanishing))
    with office.store.transaction() as tx:
        assert tx.of(Contests).newest("league", "star", 2)[1].state == "begun", "a week later"
    office.close()
