"""Cups: when they begin, who plays in them, and that each of them ends."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable

import pytest
from harness.common import sentence
from harness.letters import PASSWORD, Got
from harness.office import DAY, Office, address
from harness.quick import hashed_password
from hypothesis import given
from hypothesis import strategies as st

from pbmstar.features.contests.rows import OVER, Contest, Contests, Pairing
from pbmstar.features.cup import running
from pbmstar.features.cup.commands import CUP
from pbmstar.features.cup.feature import FEATURE
from pbmstar.features.cup.verbs import DAYS, FULL, LEAST, TERMS, absent, begins, board_of
from pbmstar.features.league.rules import OUT
from pbmstar.features.league.verbs import tables
from pbmstar.games import find
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


def test_the_eighth_begins_a_cup_at_once_and_the_ninth_is_first_in_the_next_one(
    another: Callable[..., Office],
) -> None:
    office = another(people=(), limits="off")
    names = people(office, 9)
    enter(office, names[:7])
    assert not [each for each in office.remind()[1] if "begins" in each.subject]
    letters = office.send("p7", f"cup p7 {_WORD}", "I look forward to this!")
    begins_ = [each for each in letters if each.subject == "Star: Star cup 1 begins"]
    assert {each.to for each in begins_} == {address(name) for name in names[:8]}
    assert letters == begins_ and not any("look forward" in each.text for each in letters)
    (told,) = office.send("p8", f"cup p8 {_WORD}")
    assert "You're in Star cup 2. So far, 1 of 8 players have entered: p8." in told.words
    one, two = cups(office)
    assert names_in(office, one) == names[:8] and names_in(office, two) == ["p8"]
    pairings = office.ask_of(Contests, "pairings", one.id)
    assert len({frozenset(each.seats) for each in pairings}) == 28
    assert all(each.runs for each in pairings)
    assert not office.remind()[1] and office.check() == []
    office.close()


def test_a_full_cup_in_which_somebody_takes_no_more_games_waits_for_one_who_does(
    another: Callable[..., Office],
) -> None:
    office = another(people=(), limits="off")
    names = people(office, 9)
    office.send("p0", f"limit p0 {_WORD} 2")
    enter(office, names[:7])
    (told,) = office.send("p7", f"cup p7 {_WORD}")
    assert (
        "It starts as soon as 8 of its players can take on all its games without going over their limits."
        in told.words
    )
    letters = office.send("p8", f"cup p8 {_WORD}")
    (left,) = [each for each in letters if "started without you" in each.words]
    assert left.to == address("p0") and "its 7 games would have taken you over" in left.words
    assert "You're in Star cup 2. So far, 1 of 8 players have entered: p0." in left.words
    office.close()


@pytest.mark.slow
def test_all_reminders_of_a_cup_to_a_player_are_one_letter(another: Callable[..., Office]) -> None:
    """Nobody moves: on one day nobody gets two of them, and a reply may answer each of the boards."""
    office = another(people=(), limits="off")
    names = people(office, FULL)
    enter(office, names)
    reminded: dict[str, list[Got]] = {name: [] for name in names}
    for _ in range(6):
        today = [each for each in office.remind(1)[1] if each.subject.startswith("Reminder")]
        assert len({each.to for each in today}) == len(today)
        for each in today:
            reminded[each.to.partition("@")[0]].append(each)
    waiting = {name: office.ask("boards.of", name, "next") for name in names}
    assert all(len(each) == 2 for each in reminded.values())  # one, and the last warning
    last = reminded["p0"][-1]
    boards = [row.board for row in waiting["p0"]]
    assert len(boards) > 1 and all(f"\nBoard {board}, " in last.text for board in boards)
    assert "if you don't move, you'll lose the game" in last.words
    office.send("p0", "Re: Star", "\n".join(f"{board} C3" for board in boards), last.reply_to)
    assert not office.ask("boards.of", "p0", "next")
    lost = [each for day in range(4) for each in office.remind(1)[1] if "You won" in each.subject]
    assert lost and office.check() == []
    office.close()


def test_at_half_time_each_is_told_the_table_and_which_boards_are_too_slow(
    another: Callable[..., Office],
) -> None:
    office = another(people=(), limits="off")
    names = people(office, LEAST)
    enter(office, names)
    office.remind(7)
    slow, ended, *_ = [each.board for each in _pairings(office) if "p0" in each.seats]
    assert slow and ended
    for _ in range(12):
        for each in _pairings(office):
            if each.runs and each.board:
                office.advance(each.board, _free(office, each.board))
        assert not [each for each in office.remind(2)[1] if "half time" in each.subject]
    office.at_work(lambda work: give_up(work, ended, "p0", "resign"))
    letters = [each for each in office.remind(1)[1] if each.subject.endswith("half time")]
    assert sorted(each.to for each in letters) == sorted(map(address, names))
    (own,) = [each for each in letters if each.to == address("p0")]
    assert "won't be finished by then" in own.words and f"board {slow} (" in own.words
    assert f"board {ended} (" not in own.words and "1 for a win, 0 for a loss" in own.words
    assert "subject=show%20" in own.html
    assert not [each for each in office.remind(1)[1] if "half time" in each.subject]
    office.close()


def test_a_board_letter_says_once_how_the_table_has_changed(another: Callable[..., Office]) -> None:
    office = another(people=(), limits="off")
    names = people(office, LEAST)
    enter(office, names)
    office.remind(7)
    own = [each.board for each in _pairings(office) if each.runs and "p0" in each.seats]
    first = office.send("p0", f"star resign {own[0]} p0 {_WORD}")
    lines = {each.to: "You're now" in each.words for each in first}
    assert lines[address("p0")] and " is in the lead with " in first[0].words
    (beaten,) = [each for each in first if each.to != address("p0")]
    assert "You're now in the lead in Star cup 1, with a score of 1. " in beaten.words
    office.now += _MINUTE
    (board,) = [each for each in own if office.row(each).to_move == "p0"][:1]  # type: ignore[union-attr]
    again = office.send("p0", f"star move {board} p0 {_WORD} C3")
    assert all(("You're now" in each.words) == (each.to not in lines) for each in again), (
        "each is told once"
    )
    assert again and office.check() == []
    office.close()


def test_after_three_weeks_those_who_wait_are_told_how_to_play_without_a_cup(
    another: Callable[..., Office],
) -> None:
    office = another(people=(), limits="off")
    names = people(office, 4)
    enter(office, names[:3], "hex")
    enter(office, names[3:], "star")
    told = [office.remind(7)[1] for _ in range(5)]
    assert [len(each) for each in told] == [0, 0, 4, 0, 0]
    (letter,) = [each for each in told[2] if each.to == address("p0")]
    assert "So far, 2 other players have entered Hex cup 1: p1 and p2." in letter.words
    begun = office.send("p0", "Re: Star", "hex challenge p1", letter.reply_to)
    assert {each.to for each in begun} == {address("p0"), address("p1")}
    (alone,) = [each for each in told[2] if each.to == address("p3")]
    assert "So far, nobody else has entered Star cup 1." in alone.words
    office.close()


def test_the_last_letter_of_a_cup_is_worth_keeping(another: Callable[..., Office]) -> None:
    """It has every result, the days, and a tap for each of the reader's games."""
    office = another(people=(), limits="off")
    enter(office, people(office, LEAST))
    office.remind(7)
    boards = _pairings(office)
    for each in boards:
        if each.board:
            office.advance(each.board, "C3")
            office.at_work(lambda work, each=each: give_up(work, each.board, each.second, "resign"))
    letters = [each for each in office.remind()[1] if each.subject.endswith("is over")]
    assert len(letters) == LEAST
    for letter in letters:
        assert "4 players took part, from " in letter.words
        assert sum(f"show%20{each.board}" in letter.html for each in boards) == 3
    (table,) = {
        tuple(line for line in each.text.split("\n") if " x " in f"{line} ") for each in letters
    }
    assert len(table) == LEAST and all(line.count(" x") == 1 for line in table)
    office.close()


def _free(office: Office, board: int) -> str:
    """A cell of a board of Star that is free."""
    row = office.row(board)
    assert row is not None
    played = office.record(board)
    return next(each for each in row.match(()).game.grid.names if each not in played)


def test_who_leaves_a_cup_that_has_begun_is_asked_once_and_gives_up_all_that_runs_there(
    another: Callable[..., Office],
) -> None:
    office = another(people=(), limits="off")
    names = people(office, 5)
    enter(office, names[:LEAST])
    begun = office.remind(7)[1]
    other = int(office.send("p0", "star challenge -size=3 p0 p4")[0].mail["X-Pbmstar-Board"])
    (ended,) = [each.board for each in _pairings(office) if set(each.seats) == {"p0", "p1"}]
    office.at_work(lambda work: give_up(work, ended, "p1", "resign"))
    office.letters()
    (letter, *_) = [each for each in begun if each.to == address("p0")]
    (asked,) = office.send("p0", "Re: Star", "leave cup", letter.reply_to)
    assert asked.subject == "Star account p0: leave the cup?"
    assert "your running games in Star cup 1 (2 right now)" in asked.words
    assert office.send("p1", "Re: Star", "no", asked.reply_to)
    assert sum(each.runs for each in _pairings(office)) == 5, "nothing has ended"
    office.send("p4", "Re: Star", "yes", asked.reply_to)  # somebody to whom it was forwarded
    assert sum(each.runs for each in _pairings(office)) == 5
    letters = office.send("p0", "Re: Star", "yes", asked.reply_to)
    assert {each.to for each in letters} == {address(name) for name in ("p0", "p2", "p3")}
    (told,) = [each for each in letters if "games given up" in each.subject]
    assert told.to == address("p0") and told.words.count("Star board") == 2
    assert [set(each.seats) & {"p0"} for each in _pairings(office) if each.runs] == [set()] * 3
    assert office.row(other).to_move, "the other game goes on"  # type: ignore[union-attr]
    (nothing,) = office.send("p0", f"cup leave p0 {_WORD} star")
    assert "You don't have any running games in Star cup 1." in nothing.words
    assert office.check() == []
    office.close()


@pytest.mark.parametrize("line", ["yes without password", "yes?", "no", ""])
def test_only_a_yes_gives_up_the_games_of_a_cup(another: Callable[..., Office], line: str) -> None:
    office = another(people=(), limits="off")
    enter(office, people(office, LEAST))
    office.remind(7)
    (asked,) = office.send("p0", f"cup leave p0 {_WORD}")
    office.send("p0", "Re: Star", line, asked.reply_to)
    assert all(each.runs for each in _pairings(office))
    office.close()


@pytest.mark.parametrize(
    "line",
    [
        "no tengo tiempo, quiero dejar la copa",
        "Ich habe keine Zeit mehr für den Pokal.",
        "Je voudrais quitter la coupe",
        "How do I leave the cup?",
    ],
)
def test_who_wants_to_leave_a_cup_in_words_is_told_how(
    another: Callable[..., Office], line: str
) -> None:
    office = another(people=(), limits="off")
    names = people(office, 1)
    enter(office, names)
    (letter,) = office.send("p0", f"settings p0 {_WORD}")
    (told,) = office.send("p0", "Re: Star", line, letter.reply_to)
    assert "cup leave" in told.words and "enter a cup" not in told.words
    office.close()


def _pairings(office: Office) -> list[Pairing]:
    return office.ask_of(Contests, "pairings", cups(office)[0].id)


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


def test_a_cup_in_which_nobody_moves_ends_with_a_letter_without_holes(
    another: Callable[..., Office],
) -> None:
    office = another(people=(), limits="off")
    enter(office, people(office, 4))
    letters = office.remind(8)[1]
    for _ in range(12):
        letters = [*letters, *office.remind(7)[1]]
    told = [each for each in letters if each.subject == "Star: Star cup 1 is over"]
    assert told and all("Nobody moved, so nobody won the cup." in each.text for each in told)
    assert not [each.text for each in told if "\n\n\n" in each.text]
    office.close()


def test_games_lost_on_time_together_are_one_letter(another: Callable[..., Office]) -> None:
    """Each of the opponents has a last letter, and the reader's letter has a tap for each game."""
    office = another(people=(), limits="off")
    enter(office, people(office, 4))
    office.remind(7)
    ends = [each for _ in range(30) for each in office.remind(1)[1]]
    lost = [each for each in ends if each.subject.endswith("games lost on time")]
    told = {each.to: int(each.subject.split()[1]) for each in lost}
    assert told and len(lost) == len(told), "one to each"
    for letter in lost:
        assert letter.words.count("you lost on time") == told[letter.to] > 1
        assert letter.html.count("star%20album%20") == told[letter.to]
    won = [each for each in ends if each.mail["X-Pbmstar-Result"]]
    assert len(won) + sum(told.values()) == 2 * len(_pairings(office))
    assert office.check() == []
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
    assert "its 4 games would have taken you over your limit" in " ".join(told.text.split())
    office.close()


def test_a_player_is_in_one_cup_of_each_game_and_at_one_address_once(office: Office) -> None:
    word = PASSWORD["alice"]
    office.add("twin", mail=address("alice"), password=_WORD)
    for game in ("star", "hex"):
        (letter,) = office.send("alice", f"cup alice {word} {game}")
        assert letter.subject == "Star account alice: cup"
    (letter,) = office.send("alice", f"cup alice {word} hex")
    assert "You're in Hex cup 1. So far, 1 of 8 players have entered: alice." in letter.words
    (letter,) = office.send("alice", f"cup twin {_WORD} hex")
    assert "Another account at your address is already in this cup." in " ".join(
        letter.text.split()
    )
    (letter,) = office.send("alice", f"cup leave alice {word}")
    assert "You're no longer in Star cup 1 and Hex cup 1." in " ".join(letter.text.split())


def test_a_cup_that_is_switched_off_is_refused_and_an_account_that_closes_is_out_all_the_same(
    another: Callable[..., Office],
) -> None:
    office = another(people=(), limits="off", without="cup")
    (name,) = people(office, 1)
    (letter,) = office.send(name, f"cup {name} {_WORD}")
    assert sentence("not offered", "cups") in letter.text
    assert office.ask_of(Contests, "all") == []
    office.close()


def test_who_closes_the_account_before_the_boards_are_there_has_lost_these_games(
    another: Callable[..., Office],
) -> None:
    office = another(people=(), limits="off")
    enter(office, people(office, LEAST))
    office.now += 7 * DAY
    office.at_work(running.step)  # which pairs the players, no more
    office.at_work(FEATURE.on_account_close, "p0")
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


@pytest.mark.parametrize("word", ["star", "*star", "stary", "hex", "y", "polyy"])
def test_no_slow_player_can_have_a_game_judged_if_the_other_answers_within_a_day(word: str) -> None:
    """One uses all time that there is, the other a day for each move."""
    cells = len(board_of(find(word)).grid.names)
    pace = TERMS.pace
    assert pace is not None and pace.increment is not None
    slow = pace.bank + (cells + 1) // 2 * pace.increment
    quick = (cells + 1) // 2 * DAY
    assert slow + quick <= DAYS * DAY


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


# -- by the operator


def test_the_operator_lists_begins_and_ends_a_cup(another: Callable[..., Office]) -> None:
    """A cup of three, which none would begin by itself."""
    office = another(people=(), limits="off")
    assert "There is no cup of Star yet." in office.run("admin", "cup", "show", "star").output
    names = people(office, 5)
    enter(office, names[:1])
    assert "Fewer than two players" in office.run("admin", "cup", "begin", "star").output
    enter(office, names[1:3])
    (listed,) = office.facts("admin", "cup", "list")
    assert (listed["game"], listed["state"], listed["players"]) == ("star", "open", 3)
    shown = office.facts("admin", "cup", "show", "star")
    assert (shown["joined"], shown["begins"]) == (names[:3], None)
    assert office.run("admin", "cup", "begin", "star").output == "Cup 1 of Star begun.\n"
    begun = [each.to for each in office.letters() if each.subject == "Star: Star cup 1 begins"]
    assert sorted(begun) == [address(name) for name in names[:3]]
    enter(office, [names[3]])
    shown = office.facts("admin", "cup", "show", "star")
    assert (shown["season"], shown["state"], shown["joined"]) == (1, "begun", [names[3]])
    assert len(shown["divisions"][0]["boards"]) == 3 and shown["ends"]
    said = office.run("admin", "cup", "show", "star").output
    assert "Cup 1, begun, ends " in said and "In the next cup: p3." in said
    for board in shown["divisions"][0]["boards"]:
        office.advance(board, "C3", "D4")
    assert office.run("admin", "cup", "end", "star").exit_code == 0
    office.remind()
    assert [each.state for each in cups(office)] == ["over", "open"]
    assert "No cup of this game is running." in office.run("admin", "cup", "end", "star").output
    assert [each["act"] for each in office.facts("admin", "audit")][-2:] == [
        "cup begin star 1", "cup end star 1",
    ]  # fmt: skip
    office.close()


def test_the_operator_closes_cups_and_opens_them_again(another: Callable[..., Office]) -> None:
    office = another(people=(), limits="off")
    names = people(office, 3)
    enter(office, names[:2])
    assert office.run("admin", "cup", "close", "star").output == "Cup 1 of Star closed.\n"
    told = office.letters()
    assert {each.to for each in told} == {address(name) for name in names[:2]}
    assert all("has called off Star cup 1." in each.text for each in told)
    (refused,) = office.send("p2", f"cup p2 {_WORD} star")
    assert "There's no Star cup right now." in refused.text
    assert not office.remind(30)[1]
    office.run("admin", "cup", "open", "star")
    assert "aren't closed" in office.run("admin", "cup", "open", "star").output
    enter(office, names[2:])
    assert names_in(office, cups(office)[-1]) == [names[2]]
    office.close()


def test_the_operator_takes_a_player_out_of_a_cup(another: Callable[..., Office]) -> None:
    """Of one that has not begun, and of one that runs: all games of the player leave its table."""
    office = another(people=(), limits="off")
    names = people(office, 5)
    enter(office, names)
    office.run("admin", "cup", "remove", "star", "P4")
    (told,) = office.letters()
    assert told.to == address("p4") and "has taken you out of Star cup 1." in told.text
    office.run("admin", "league", "open", "star")
    office.send("p0", f"league join star p0 {_WORD}")
    office.run("admin", "cup", "begin", "star")
    office.letters()
    assert office.run("admin", "cup", "remove", "star", "p0").exit_code == 0
    shown = office.facts("admin", "cup", "show", "star")
    assert [each["userid"] for each in shown["divisions"][0]["table"]] == names[1:4]
    assert office.facts("admin", "league", "show", "star")["joined"] == ["p0"]
    for name in ("p0", "p4", "nobody"):
        assert (
            "isn't in a running or upcoming cup"
            in office.run("admin", "cup", "remove", "star", name).output
        )
    for board in shown["divisions"][0]["boards"]:
        office.advance(board, "C3", "D4")
    office.run("admin", "cup", "end", "star")
    office.remind()
    assert office.check() == []
    office.close()


def test_players_of_a_cup_talk_and_plan_as_in_any_other_game(
    another: Callable[..., Office],
) -> None:
    office = another(people=(), limits="off")
    enter(office, people(office, LEAST))
    office.run("admin", "cup", "begin", "star")
    office.letters()
    board = min(row.board for row in office.ask("boards.of", "p0", "next"))
    row = office.row(board)
    assert row is not None
    first = row.to_move

    def told(verb: str, rest: str = "", body: str = "") -> str:
        letters = office.send(first, f"star {verb} {board} {first} {_WORD} {rest}", body)
        return "\n".join(each.words for each in letters)

    assert f"{first} writes:" in told("say", body="Good luck to you!")
    assert f"{first} played C3." in told("move", "C3 if D3 then B4", "A small board.")
    assert "D2" in told("plan", "if C4 then D2")
    assert office.check() == []
    office.close()
