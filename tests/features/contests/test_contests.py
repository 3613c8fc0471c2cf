"""Ladders and leagues by mail: who gets in, how often, and what is kept of it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest
from harness.letters import PASSWORD
from harness.office import DAY, Got, Office, address, at_once
from hypothesis import given, settings
from hypothesis import strategies as st

from pbmstar.features.contests.rows import Contests
from pbmstar.features.league import cli, seasons
from pbmstar.features.league.rows import Titles
from pbmstar.service.work.feature import features
from pbmstar.store import Store

PEOPLE = dict(PASSWORD)
FOUR = PEOPLE | {"dora": "d1amond"}


@pytest.fixture
def four(office: Office) -> Office:
    """A service with an open ladder and league of Star, and four players in both."""
    office.add("carol")
    office.add("dora", password="d1amond")
    office.run("admin", "ladder", "open", "star", "-size=3")
    office.run("admin", "league", "open", "star", "--days", "30", "-size=3")
    for userid, password in FOUR.items():
        office.send(userid, f"ladder join star {userid} {password}")
        office.send(userid, f"league join star {userid} {password}")
    return office


def ladder_of(office: Office) -> list[str]:
    return [row["userid"] for row in office.facts("admin", "ladder", "show", "star")]


def league_of(office: Office) -> dict[str, Any]:
    shown: dict[str, Any] = office.facts("admin", "league", "show", "star")
    return shown


def test_who_is_proved_changes_ten_things_a_day(four: Office) -> None:
    for number in range(12):
        verb = "leave" if number % 2 == 0 else "join"
        (letter,) = four.send("bob", f"league {verb} star bob {PASSWORD['bob']}")
        if "10 times a day" in letter.words:
            break
    assert number == 8, "after joining a ladder and a league"
    four.now += DAY
    letters = four.send("bob", f"ladder leave star bob {PASSWORD['bob']}")
    assert letters[0].subject == "Star: Star ladder"


@pytest.mark.parametrize("kind", ["league", "ladder"])
def test_players_of_a_contest_talk_and_plan_as_in_any_other_game(four: Office, kind: str) -> None:
    if kind == "ladder":
        four.send("dora", f"ladder challenge star dora {FOUR['dora']} carol")
    else:
        four.run("admin", "league", "begin", "star")
    four.letters()
    boards = {row.board: row for name in FOUR for row in four.ask("boards.of", name, "next")}
    board, row = min(boards.items())
    first, second = row.to_move, next(each for each in row.seats if each != row.to_move)

    def does(userid: str, command: str, body: str = "") -> list[Got]:
        verb, _, rest = command.partition(" ")
        return four.send(userid, f"star {verb} {board} {userid} {FOUR[userid]} {rest}", body)

    def told(letters: list[Got]) -> str:
        return "\n".join(each.words for each in letters)

    assert f"{first} writes:" in told(does(first, "say", "Good luck to you!"))
    assert f"{first} played C3." in told(does(first, "move C3 if D3 then B4", "A small board."))
    assert "D2" in told(does(first, "plan if C4 then D2"))
    letters = does(second, "move D3")
    assert f"{second} played D3." in told(letters)
    assert f"{second} writes:" in told(does(second, "say", "You knew that?"))
    (reply_to,) = {each.reply_to for each in letters if each.to == address(second)}
    assert f"{second} writes:" in told(four.send(second, "Re: Star", "Well played!", reply_to))
    assert four.check() == []


def test_who_takes_few_games_is_told_that_a_season_brings_more(four: Office) -> None:
    four.send("dora", "limit dora d1amond 2")
    four.add("erin", password="d1amond")
    four.send("erin", "league join star erin d1amond")
    four.run("admin", "league", "begin", "star")
    told = [letter for letter in four.letters() if letter.subject.startswith("Star account dora")]
    assert "has started without you: its 4 games would have taken you over" in told[0].words
    shown = league_of(four)["divisions"]
    assert [row["userid"] for row in shown[0]["table"]] == ["alice", "bob", "carol", "erin"]


def test_a_season_waits_on_its_day_for_players_who_take_enough_games(four: Office) -> None:
    four.send("dora", "limit dora d1amond 2")
    four.remind(106)  # past the first of May
    seasons.carry_on(four.context, four.store)  # in remind an error would be told to the operator
    assert league_of(four)["state"] == "open"
    four.send("dora", "limit dora d1amond 3")
    four.remind()
    assert league_of(four)["state"] == "begun"


@pytest.mark.slow
def test_a_season_goes_by_the_calendar(four: Office) -> None:
    """It begins on the first of May and ends on its day; the next one needs four who joined lately."""
    assert league_of(four)["state"] == "open"
    four.sql("UPDATE contests SET terms = replace(terms, '10d+36h', '60d+36h')")  # nobody moves
    states, day = [], 104
    four.now += day * DAY
    for _ in range(41):
        four.remind(1)
        facts = league_of(four)
        states.append((facts["season"], facts["state"]))
    assert states.count((1, "begun")) == 30
    day += 1 + states.index((1, "begun"))
    assert 0 <= 1_800_000_000 + day * DAY - 1_809_129_600 < DAY, "the first of May"
    assert states[-1] == (1, "over")
    assert len(league_of(four)["joined"]) < 4
    for userid, password in FOUR.items():
        four.send(userid, f"league join star {userid} {password}")
    four.run("remind")
    assert league_of(four)["state"] == "begun"
    assert four.run("admin", "check").exit_code == 0


def test_what_is_kept_is_checked_counted_and_exported(four: Office) -> None:
    four.run("admin", "league", "begin", "star")
    four.send("bob", f"ladder challenge star bob {PASSWORD['bob']} alice")
    four.letters()
    metrics = four.run("admin", "metrics").output
    assert 'pbmstar_contest_players{kind="ladder"} 4' in metrics
    assert 'pbmstar_contest_players{kind="league"} 8' in metrics
    text = four.run("admin", "user", "export", "bob", "--json").output
    assert '"contest"' in text and '"pairings"' in text and '"steps"' in text
    ladder = four.ask_of(Contests, "newest", "ladder", "star")[0]
    entry = four.ask_of(Contests, "entry", ladder.id, "bob")
    four.ask_of(Contests, "set_entry", entry._replace(place=4))
    done = four.run("admin", "check")
    assert "ladder of star: bob is at place 4, the games say 2" in done.output
    assert done.exit_code == 1


def test_the_winner_of_a_season_has_a_title_that_is_checked(four: Office) -> None:
    four.run("admin", "league", "begin", "star")
    four.letters()
    pairings = four.ask_of(Contests, "pairings", 2)
    for pairing in pairings:
        loser = next(each for each in ("dora", "carol", "bob") if each in pairing[3:5])
        four.send(loser, f"star resign {pairing.board} {loser} {FOUR[loser]}")
    four.run("remind")
    told = {letter.to: letter.text for letter in four.letters()}
    assert "You finished first. Congratulations!" in told[address("alice")]
    titles = four.ask_of(Titles, "of_player", "alice")
    assert [(each.game, each.season, each.division) for each in titles] == [("star", 1, 1)]
    begun = four.send("bob", "star challenge -size=3 -rated=no bob alice")
    assert all(
        "alice is champion of Star league 1, number one on the Star ladder." in letter.text
        for letter in begun
    )
    assert not any(
        "champion" in letter.text
        for letter in four.play(int(begun[0].mail["X-Pbmstar-Board"]), "A3")
    )
    assert four.run("admin", "check").exit_code == 0
    four.ask_of(Titles, "keep", 2, [titles[0]._replace(userid="bob")])
    assert "bob is kept as the winner of division 1" in four.run("admin", "check").output


@pytest.mark.parametrize("order", [("bob", "carol", "dora"), ("dora", "carol", "bob")])
def test_withdrawals_by_mail_give_the_same_table_in_either_order(
    four: Office, order: tuple[str, ...]
) -> None:
    """bob and carol have ended half of their games or more, dora has not."""
    four.run("admin", "league", "begin", "star")
    four.letters()
    for pairing in four.ask_of(Contests, "pairings", 2):
        if {"bob", "carol"} & set(pairing[3:5]) and "dora" not in pairing[3:5]:
            loser = "bob" if "bob" in pairing[3:5] else "carol"
            four.send(loser, f"star resign {pairing.board} {loser} {FOUR[loser]}")
    for userid in order:
        four.now += 60
        four.send(userid, f"league withdraw star {userid} {FOUR[userid]}")
    (division,) = league_of(four)["divisions"]
    assert [(row["userid"], row["points"], row["played"]) for row in division["table"]] == [
        ("alice", 2.0, 2),
        ("carol", 1.0, 2),
        ("bob", 0.0, 2),
    ]
    assert four.run("admin", "check").exit_code == 0


def test_two_processes_that_carry_on_a_season_begin_each_game_once(
    four: Office, database: str
) -> None:
    with four.store.transaction() as tx:
        cli.begin_season(four.work(tx), "star")

    def carry_on() -> None:
        with closing(Store(database)) as opened:
            seasons.carry_on(four.context, opened)

    at_once(carry_on, carry_on)
    assert four.ask("boards.states") == {"running": 6, "over": 0}
    assert len({letter.raw for letter in four.letters() if "begins" in letter.subject}) == 4


@pytest.mark.parametrize(
    "wish", ["block alice s3cret bob", "reject alice s3cret star", "limit alice s3cret 0"]
)
def test_a_challenge_of_a_ladder_respects_wishes(four: Office, wish: str) -> None:
    four.send("alice", wish)
    (letter,) = four.send("bob", f"ladder challenge star bob {PASSWORD['bob']} alice")
    assert "alice isn't accepting this challenge right now." in letter.text
    assert four.ask("boards.states")["running"] == 0


def test_who_is_erased_leaves_under_another_name(four: Office) -> None:
    four.run("admin", "league", "begin", "star")
    four.send("bob", f"ladder challenge star bob {PASSWORD['bob']} alice")
    four.run("admin", "user", "erase", "bob", "--rename")
    four.letters()
    assert ladder_of(four) == ["alice", "carol", "dora"]
    assert "bob" not in json.dumps(league_of(four))
    done = four.run("admin", "check")
    assert done.output == "0 differences.\n"


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["join", "leave", "challenge", "challenge", "resign", "later"]),
        st.sampled_from(sorted(PEOPLE)),
        st.sampled_from(sorted(PEOPLE)),
    ),
    max_size=25,
)


@settings(max_examples=settings.default.max_examples // 4)
@given(STEPS)
def test_the_places_of_a_ladder_are_the_fold_over_what_happened(
    another: Callable[..., Office], steps: list[tuple[str, str, str]]
) -> None:
    with closing(another(people=PEOPLE, limits="off")) as office:
        office.run("admin", "ladder", "open", "star", "-size=3")
        for what, who, other in steps:
            if what == "later":
                office.remind(9)
            elif what == "resign":
                for row in office.ask("boards.of", who, "active"):
                    office.send(who, f"star resign {row.board} {who} {PEOPLE[who]}")
            else:
                rest = f" {other}" if what == "challenge" else ""
                office.send(who, f"ladder {what} star {who} {PEOPLE[who]}{rest}")
            office.letters()
            order = ladder_of(office)
            assert len(set(order)) == len(order)
            assert office.check() == []


@pytest.mark.slow
def test_a_first_move_that_never_comes_loses_a_game_of_a_league(four: Office) -> None:
    """After a warning, and not before; leave that was booked counts."""
    four.run("admin", "league", "begin", "star")
    four.run("remind")
    four.letters()
    pairs = league_of(four)["divisions"][0]["boards"]
    rows = {board: four.row(board) for board in pairs}
    late = {row.to_move for row in rows.values() if row}
    warned: set[str] = set()
    for _ in range(20):
        four.now += DAY
        four.run("remind")
        for letter in four.letters():
            if "if you don't move, you'll lose the game" in letter.text:
                assert "warning" in letter.text
                warned |= {str(letter.mail["X-Pbmstar-Board"])}
                warned.update(re.findall(r"(?m)^Board (\d+), ", letter.text))
    for board, row in rows.items():
        after = four.row(board)
        assert row and after and after.to_move == ""
        assert after.result in row.seats and after.result != row.to_move
        assert str(board) in warned
    (division,) = league_of(four)["divisions"]
    assert sum(each["points"] for each in division["table"]) == len(pairs) == 6
    lost = {each["userid"]: each["points"] for each in division["table"]}
    assert all(lost[who] < 3 for who in late)
    assert four.check() == []


def test_a_finished_season_is_counted_again_after_a_correction(four: Office) -> None:
    """Its places and winners are those of its games again, and the check agrees."""
    four.run("admin", "league", "begin", "star")
    boards = league_of(four)["divisions"][0]["boards"]
    for board in boards:
        row = four.row(board)
        assert row is not None
        four.sql(f"UPDATE boards SET due = {four.now + 400 * DAY} WHERE board = {board}")
    assert (
        "No season of this league is over." in four.run("admin", "league", "recount", "star").output
    )
    four.run("admin", "league", "end", "star")
    table = league_of(four)["divisions"][0]["table"]
    assert four.check() == []
    last = table[-1]["userid"]
    mine = [board for board in boards if last in four.row(board).seats]  # type: ignore[union-attr]
    for board in mine:
        four.sql(f"UPDATE boards SET result = '{last}' WHERE board = {board}")
    with four.store.transaction() as tx:
        assert [each for feature in features() for each in feature.check(tx, None)]
    done = four.run("admin", "league", "recount", "star")
    assert done.output == "Season 1 of Star counted again.\n"
    with four.store.transaction() as tx:
        assert not [each for feature in features() for each in feature.check(tx, None)]
    assert league_of(four)["divisions"][0]["table"][0]["userid"] == last


def test_a_season_with_too_few_players_says_how_many_have_joined(office: Office) -> None:
    office.run("admin", "league", "open", "star", "--days", "30")
    begin = ("admin", "league", "begin", "star")
    assert "A season needs 4 players, but nobody has joined." in office.run(*begin).output
    office.send("alice", "league join star alice s3cret")
    assert "A season needs 4 players, but only 1 has joined." in office.run(*begin).output


@pytest.mark.parametrize("kind", ["ladder", "league"])
def test_two_accounts_with_one_mailbox_are_not_in_one_contest(office: Office, kind: str) -> None:
    office.add("anna", "anna@gmail.com", "s3same")
    office.add("carol", "an.na@gmail.com")
    office.run("admin", kind, "open", "star")
    office.send("anna@gmail.com", f"{kind} join star anna s3same")
    (letter,) = office.send("an.na@gmail.com", f"{kind} join star carol tr1angle")
    assert "Another account at your address" in letter.text


def test_ladders_and_leagues_are_listed_without_a_game(four: Office) -> None:
    four.run("admin", "ladder", "open", "hex")
    four.run("admin", "ladder", "close", "hex")
    ladders = four.facts("admin", "ladder", "list")
    assert [(row["game"], row["state"], row["players"]) for row in ladders] == [
        ("hex", "closed", 0), ("star", "open", 4),
    ]  # fmt: skip
    assert (ladders[1]["options"], ladders[1]["season"]) == ({"size": 3}, None)
    assert "-size=3" in four.run("admin", "ladder", "list").output

    def seasons_of() -> list[tuple[int, str, int, int]]:
        rows = four.facts("admin", "league", "list")
        return [(row["season"], row["state"], row["players"], row["running"]) for row in rows]

    assert seasons_of() == [(1, "open", 4, 0)]
    four.run("admin", "league", "begin", "star")
    assert seasons_of() == [(1, "begun", 4, 6), (2, "open", 4, 0)]
    begun = four.facts("admin", "league", "list")[0]
    assert begun["ends"] == "2027-02-14T08:00:00Z"
    four.run("admin", "league", "end", "star")
    assert seasons_of() == [(2, "open", 4, 0)]


@pytest.mark.parametrize("kind", ["ladder", "league"])
def test_only_a_game_for_two_can_have_a_contest(office: Office, kind: str) -> None:
    done = office.run("admin", kind, "open", "queens")
    assert done.exit_code == 2
    assert "'queens' is not one of 'star', '*star'" in done.output
    assert office.run("admin", kind, "open", "STAR").output.endswith(" of Star opened.\n")


def test_the_end_of_a_first_season_names_the_ladder_to_who_is_not_on_it(four: Office) -> None:
    four.send("carol", f"ladder leave star carol {FOUR['carol']}")
    four.run("admin", "league", "begin", "star")
    four.run("remind")
    four.letters()
    four.run("admin", "league", "end", "star")
    four.run("remind")
    over = [each for each in four.letters() if each.subject.endswith("is over")]
    told = {each.to for each in over if "reply: ladder join star" in each.words}
    assert len(over) == len(FOUR) and told == {address("carol")}
