"""Cups: when they begin, who plays in them, and that each of them ends."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable

import pytest
from harness.letters import PASSWORD
from harness.office import DAY, Office, address
from harness.quick import hashed_password
from hypothesis import given
from hypothesis import strategies as st

from pbmstar.features.contests.rows import OVER, Contest, Contests
from pbmstar.features.cup import running
from pbmstar.features.cup.feature import FEATURE
from pbmstar.features.cup.rules import CUP, DAYS, FULL, LEAST, absent, begins
from pbmstar.features.league.rules import OUT
from pbmstar.features.league.verbs import tables
from pbmstar.match import Act
from pbmstar.service.letters.tell import tell
from pbmstar.service.upkeep import rounds
from pbmstar.service.verbs.play import give_up
from pbmstar.service.work.apply import apply, load
from pbmstar.store import User

_WORD = "s3cret"
_MINUTE = 60.0


def people(office: Office, count: int) -> list[str]:
    """Open so many accounts."""
    names = [f"p{number}" for number in range(count)]
    hashed = hashed_password(_WORD)
    with office.store.transaction() as tx:
        for name in names:
            tx.accounts.add(User(name, address(name), hashed, "active", office.now))
    return names


def enter(office: Office, who: Iterable[str], game: str = "star") -> None:
    """Let players enter the next cup, a minute after each other."""
    for name in who:
        office.now += _MINUTE
        office.send(name, f"cup {name} {_WORD} {game}")


def cups(office: Office) -> list[Contest]:
    return [each for each in office.ask_of(Contests, "all") if each.kind == CUP]


def names_in(office: Office, cup: Contest) -> list[str]:
    return [entry.userid for entry in office.ask_of(Contests, "entries", cup.id)]


def test_eight_who_have_entered_begin_at_once_and_the_ninth_is_first_in_the_next_cup(
    another: Callable[..., Office],
) -> None:
    office = another(people=(), limits="off")
    names = people(office, 9)
    enter(office, names[:7])
    assert not [each for each in office.remind()[1] if "begins" in each.subject]
    enter(office, names[7:])
    _, letters = office.remind()
    begins_ = [each for each in letters if each.subject == "Star: Star cup 1 begins"]
    assert {each.to for each in begins_} == {address(name) for name in names[:8]}
    assert all(each.text.count("\n   ") >= 8 for each in begins_), "the table and the boards"
    (told,) = [each for each in letters if each.to == address("p8")]
    said = " ".join(told.text.split())
    assert "Star cup 1 has begun without you: 8 others were first." in said
    assert "You are in Star cup 2, as the first." in said
    one, two = cups(office)
    assert names_in(office, one) == names[:8] and names_in(office, two) == ["p8"]
    pairings = office.ask_of(Contests, "pairings", one.id)
    assert len({frozenset(each.seats) for each in pairings}) == 28
    assert all(each.runs for each in pairings)
    assert not office.remind()[1] and office.check() == []
    office.close()


def test_four_begin_a_week_after_the_first_of_them_and_three_wait(
    another: Callable[..., Office],
) -> None:
    office = another(people=(), limits="off")
    names = people(office, 4)
    enter(office, names[:3])
    office.remind(8)
    assert [each.state for each in cups(office)] == ["open"]
    office.send("p0", f"cup leave p0 {_WORD}")
    enter(office, [names[3], names[0]])  # now p1 is the first of four
    office.remind()
    assert [each.state for each in cups(office)] == ["begun"]
    assert names_in(office, cups(office)[0]) == ["p1", "p2", "p3", "p0"]
    office.close()


def test_who_takes_too_few_games_waits_for_a_smaller_cup(another: Callable[..., Office]) -> None:
    office = another(people=(), limits="off")
    names = people(office, 5)
    office.send("p0", f"limit p0 {_WORD} 2")
    enter(office, names)
    _, letters = office.remind(7)
    one, two = cups(office)
    assert names_in(office, one) == names[1:] and names_in(office, two) == ["p0"]
    (told,) = [each for each in letters if each.to == address("p0")]
    assert "it brings 4 games" in " ".join(told.text.split())
    office.close()


def test_a_player_is_in_one_cup_of_each_game_and_at_one_address_once(office: Office) -> None:
    word = PASSWORD["alice"]
    office.add("twin", mail=address("alice"), password=_WORD)
    for game in ("star", "hex"):
        (letter,) = office.send("alice", f"cup alice {word} {game}")
        assert letter.subject == "Star account alice: cup"
    (letter,) = office.send("alice", f"cup alice {word} hex")
    assert "You are already in Hex cup 1." in letter.text
    (letter,) = office.send("alice", f"cup twin {_WORD} hex")
    assert "Another account at your address is in this cup." in " ".join(letter.text.split())
    (letter,) = office.send("alice", f"cup leave alice {word}")
    assert "You are no longer in Star cup 1 and Hex cup 1." in " ".join(letter.text.split())


def test_a_cup_that_is_switched_off_is_refused_and_an_account_that_closes_is_out_all_the_same(
    another: Callable[..., Office],
) -> None:
    office = another(people=(), limits="off", without="cup")
    (name,) = people(office, 1)
    (letter,) = office.send(name, f"cup {name} {_WORD}")
    assert "There are no cups on this server." in letter.text
    assert office.ask_of(Contests, "all") == []
    office.close()


def test_who_closes_the_account_before_the_boards_are_there_has_lost_these_games(
    another: Callable[..., Office],
) -> None:
    office = another(people=(), limits="off")
    enter(office, people(office, LEAST))
    office.now += 7 * DAY
    office.at_work(running.step)  # which pairs the players, no more
    office.at_work(FEATURE.leaves, "p0")
    office.remind()
    (cup,) = cups(office)
    pairings = office.ask_of(Contests, "pairings", cup.id)
    assert [each.board for each in pairings if "p0" in each.seats] == [0, 0, 0]
    with office.store.transaction() as tx:
        (division,) = tables(tx, cup)
    assert {line.userid: line.points for line in division.lines} == {
        "p0": 0, "p1": 1, "p2": 1, "p3": 1
    }  # fmt: skip
    office.close()


def test_the_winner_has_a_title_which_follows_a_game_that_is_removed(
    another: Callable[..., Office],
) -> None:
    office = another(people=(), limits="off")
    enter(office, people(office, LEAST))
    office.remind(7)
    (cup,) = cups(office)
    for pairing in office.ask_of(Contests, "pairings", cup.id):
        office.advance(pairing.board, "C5", "D5")
        loser = max(pairing.seats) if pairing.seats != ("p0", "p1") else "p0"
        office.at_work(
            lambda work, board=pairing.board, loser=loser: give_up(work, board, loser, "resign")
        )
    _, letters = office.remind()
    assert {each.subject for each in letters} >= {"Star: Star cup 1 is over"}

    def titles(name: str) -> list[str]:
        with office.store.transaction() as tx:
            return list(map(str, FEATURE.titles(tx, name)))

    assert titles("p1") == ["winner of Star cup 1"] and titles("p0") == []
    pairings = office.ask_of(Contests, "pairings", cup.id)
    (lost,) = [each for each in pairings if {*each.seats} == {"p0", "p1"}]
    assert office.run("admin", "board", "remove", str(lost.board)).exit_code == 0
    assert titles("p0") == ["winner of Star cup 1"] and titles("p1") == []
    assert office.check() == []
    office.close()


def test_who_is_renamed_merged_or_erased_stays_in_the_table_under_the_new_name(
    another: Callable[..., Office],
) -> None:
    office = another(people=(), limits="off")
    enter(office, people(office, 5)[:LEAST])
    office.remind(7)
    (cup,) = cups(office)
    export = office.run("admin", "user", "export", "p0", "--json").output
    assert '"entries"' in export and '"pairings"' in export
    assert office.run("admin", "user", "rename", "p0", "quentin").exit_code == 0
    office.examiner.roots.clear()  # the boards of a new name are new threads
    assert office.run("admin", "user", "merge", "p1", "p4").exit_code == 0
    assert office.run("admin", "user", "erase", "p2", "--rename").exit_code == 0
    for row in office.ask("boards.page"):
        if not row.result:
            office.advance(row.board, "C5", "D5")
    _, letters = office.remind(DAYS)
    (told,) = [
        each for each in letters if each.subject.endswith("over") and each.to == address("p0")
    ]
    assert not any(name in told.text for name in ("p0", "p1", "p2"))
    names = names_in(office, cup)
    assert {"quentin", "p4", "p3"} < {*names} and len(names) == LEAST
    assert office.check() == []
    office.close()


# -- whatever its players do


TIMES = st.lists(st.floats(0, 30 * DAY), max_size=12)


@given(TIMES, st.floats(0, 60 * DAY))
def test_a_cup_begins_with_four_and_never_later_than_with_eight_or_after_a_week(
    entered: list[float], now: float
) -> None:
    there = [at for at in entered if at <= now]
    assert begins(there, now) == (
        len(there) >= FULL or (len(there) >= LEAST and min(there) + 7 * DAY <= now)
    )


@given(st.sets(st.integers(0, 9)), st.sets(st.integers(0, 9)))
def test_who_has_moved_is_never_out(players: set[int], movers: set[int]) -> None:
    names = [f"p{number}" for number in sorted(players)]
    out = absent(names, {f"p{number}" for number in movers})
    assert set(out) == {f"p{number}" for number in players - movers}


class Crash(Exception):
    """The server stops before a commit."""


def carry_on(office: Office) -> None:
    """What is due in cups; each step is first lost in a crash, and then done again."""
    more = True
    while more:
        try:
            with office.store.transaction() as tx:
                running.step(office.work(tx))
                raise Crash
        except Crash:
            pass
        with office.store.transaction() as tx:
            more = running.step(office.work(tx))


@pytest.mark.parametrize(
    "seed", [3, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (0, 1, 2))]
)
def test_a_cup_ends_on_its_day_whatever_its_players_do(
    another: Callable[..., Office], seed: int
) -> None:
    """They move or do not, resign, go away, close their accounts, and some never begin."""
    dice = random.Random(seed)
    office = another(people=(), limits="off")
    names = people(office, dice.randint(LEAST, 10))
    enter(office, names)
    idle = set(dice.sample(names, 2))
    closed: set[str] = set()
    ended = begun = 0.0
    while not ended:
        office.now += DAY
        carry_on(office)
        with office.store.transaction() as tx:
            work = office.work(tx)
            for name in sorted(set(names) - idle - closed):
                for row in tx.boards.of(name, "next"):
                    match = load(work, row.board)
                    if dice.random() < 0.02:
                        give_up(work, row.board, name, "resign")
                    elif dice.random() < 0.7:
                        move = dice.choice(list(match.position.moves()))
                        tell(work, apply(work, match, Act(name, "move", str(move))))
        if dice.random() < 0.05:
            name = dice.choice(sorted(set(names) - closed))
            closed.add(name)
            office.send(name, f"signoff {name} {_WORD}")
        if dice.random() < 0.1:
            name = dice.choice(names)
            office.send(name, f"away {name} {_WORD} 7")
        rounds.remind(office.context, office.store)
        carry_on(office)
        office.letters()
        cup = cups(office)[0]
        begun = begun or cup.begin or 0.0
        assert begun or office.now < 1_800_000_000 + 9 * DAY or len(names) - len(closed) < LEAST
        if not begun and len(names) - len(closed) < LEAST:
            break
        if cup.state == OVER:
            ended = cup.until or 0.0
        assert ended or not begun or office.now < begun + DAYS * DAY, "it ends on its day"
    with office.store.transaction() as tx:
        assert not tx.of(Contests).running(cup.id)
        entries = {each.userid: each for each in tx.of(Contests).entries(cup.id)}
        assert all(entries[name].state == OUT for name in idle & entries.keys())
        lines = [line for each in tables(tx, cup) for line in each.lines]
        assert sum(line.points for line in lines) * 2 == sum(line.played for line in lines)
        assert sorted(entries[line.userid].place for line in lines) == [*range(1, len(lines) + 1)]
    assert office.check() == []
    office.close()
