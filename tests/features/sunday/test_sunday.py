"""The Sunday game: who has a board and when, what others may know of it, and what is kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from harness.common import sentence
from harness.letters import PASSWORD, Got
from harness.office import DAY, Office, address

from pbmstar.bots.rows import Bots
from pbmstar.features.sunday.rows import Sundays
from pbmstar.features.sunday.rules import end_of, is_short, series, week_of

NEW = "New Star Board"


def say(office: Office, who: str, word: str = "on") -> list[Got]:
    """What comes of ``sunday on`` with the right password, early in the week."""
    if is_short(office.now):
        office.now = end_of(week_of(office.now)) + 3600
    return office.send(who, f"sunday {who} {PASSWORD[who]} {word}")


@pytest.fixture
def joined(office: Office) -> Office:
    """An office in which alice has board 1 of the first Sunday game, bob board 2."""
    for who in ("alice", "bob"):
        say(office, who)
    return office


def to_sunday(office: Office) -> list[Got]:
    """Go on to a minute after the end of the week; the letters."""
    office.now = end_of(week_of(office.now)) + 60
    return office.remind()[1]


def reports(letters: list[Got]) -> dict[str, str]:
    """The letters about a Sunday game that is over, by their readers."""
    return {each.to.partition("@")[0]: each.text for each in letters if "- Sunday " in each.subject}


def moved(office: Office, board: int, *moves: str) -> None:
    """Let the person on a board make these moves, and the bot answer each."""
    for move in moves:
        office.advance(board, move)
        office.think()


def test_nothing_begins_while_nobody_wants_it(office: Office) -> None:
    assert not office.remind(8)[1]
    assert office.ask_of(Sundays, "newest") is None


def test_an_operator_sees_who_has_which_board(joined: Office) -> None:
    moved(joined, 2, "C5", "D5")
    listed = joined.facts("admin", "sunday", "list")
    assert [(each["userid"], each["board"], each["moves"]) for each in listed] == [
        ("alice", 1, 0),
        ("bob", 2, 4),
    ]
    assert {(each["sunday"], each["game"], each["margin"]) for each in listed} == {
        (1, "star", None)
    }
    assert "alice" in joined.run("admin", "sunday", "list").output


def test_the_same_moves_have_the_same_answers_on_both_boards(joined: Office) -> None:
    moved(joined, 1, "C5", "D5", "E5")
    moved(joined, 2, "C5", "D5", "E5")
    assert joined.record(1) == joined.record(2)


def test_an_answer_is_the_same_if_the_bot_thinks_otherwise_by_then(joined: Office) -> None:
    """The process that thinks failed for one player, say, so that a rule made the move."""
    moved(joined, 1, "C5")
    joined.advance(2, "C5")
    joined.think(lambda request: pytest.fail("it was known"))
    assert joined.record(1) == joined.record(2)


@pytest.mark.few(3)
@pytest.mark.parametrize(
    "line",
    [
        "star show 1", "star score 1", "star record 1", "album 1", "star review 1", "star notes 1",
        "star history alice", "star games alice", "star games alice -all", "versus alice bot3",
        "who", "star watch 1 bob hunter2", "star watch alice bob hunter2",
    ],
)  # fmt: skip
def test_nobody_is_told_of_the_board_of_another_player(joined: Office, line: str) -> None:
    moved(joined, 1, "C5", "D6")
    joined.letters()
    told = joined.send("bob", line)
    moved(joined, 1, "E5")
    told += [each for each in joined.letters() if each.to == address("bob")]
    assert told
    for each in told:
        assert not {"C5", "D6", "E5"} & set(each.text.split()), each.text
        assert "Board 1" not in each.subject or "Error" in each.subject


def test_a_sunday_is_one_letter_a_week_that_asks_for_a_move(joined: Office) -> None:
    """For who joins, and each week; the bot has made its move where it moves first."""
    joined.add("carol")
    (first,) = say(joined, "carol")
    assert (
        first.subject == "New Star Board 3 carol - Sunday 1"
        and first.mail["X-Pbmstar-To-Move"] == "carol"
    )
    for board in (1, 2, 3):
        moved(joined, board, "C5")
    joined.letters()
    letters = to_sunday(joined)
    assert all(each.subject.endswith(" - Sunday 2") for each in letters) and len(letters) == 3
    for each in letters:
        assert each.mail["X-Pbmstar-To-Move"] == each.to.partition("@")[0]
        assert "3 players took on bot3." in each.words and "The next board" not in each.words
    joined.send("carol", "Re: Star", "A31", letters[2].reply_to)
    assert joined.record(6)[-1] == "A31"


def test_the_letter_shows_both_last_boards_and_opens_the_best_game_to_all_who_played(
    joined: Office,
) -> None:
    joined.add("carol")
    moved(joined, 1, "C5", "D6")
    moved(joined, 2, "C5", "E4")
    joined.send("alice", "star resign 1 alice s3cret")
    (refused,) = joined.send("bob", "star show 1")
    assert "Board 1 is private" in refused.words
    (letter,) = [each for each in to_sunday(joined) if each.to == address("bob")]
    rows = [line for line in letter.text.split("\n") if "bob, board 2" in line]
    assert rows == [row for row in rows if "alice, board 1" in row] and rows
    assert "show%201" in letter.html and "See alice&#39;s game" in letter.html
    (shown,) = joined.send("bob", "Re: Star", "show 1", letter.reply_to)
    assert shown.subject.startswith("Star Board 1") and "D6" in shown.text
    (refused,) = joined.send("carol", "star show 1")
    assert "Board 1 is private" in refused.words, "carol has not played"


def test_a_season_has_a_standing_from_its_second_sunday_on(joined: Office) -> None:
    for first in (1, 3):
        for board, moves in ((first, ("C4",)), (first + 1, ("D4",))):
            moved(joined, board, *(moves if first == 1 else ("A31",)))
        told = reports(to_sunday(joined))
        assert ("After 2 of 13 Sundays" in " ".join(told["alice"].split())) == (first == 3)


def test_who_has_ended_the_game_is_told_when_the_results_come(joined: Office) -> None:
    (letter,) = joined.send("alice", "star resign 1 alice s3cret")
    assert "On Sunday, we'll send you everyone's results and the next board." in letter.words


def test_each_is_told_the_own_place(
    joined: Office,
) -> None:
    """Until then a player may move; then the board is at its end."""
    moved(joined, 1, "C5", "D6")
    moved(joined, 2, "C5", "E4")
    joined.send("bob", "star resign 2 bob hunter2")
    told = reports(to_sunday(joined))
    assert (
        "2 players took on bot3. You didn't finish, so your game counts as a loss by"
        in " ".join(told["alice"].split())
    )
    assert joined.row(1).to_move == ""
    assert joined.ask_of(Bots, "known_answer", series(1), "") is None
    assert not joined.rows()["answers"], "nobody asks for them any more"
    assert joined.check() == []


def test_who_did_not_play_is_told_how_the_others_did_and_the_board_is_gone(joined: Office) -> None:
    moved(joined, 1, "C5")
    letters = to_sunday(joined)
    told = " ".join(reports(letters)["bob"].split())
    assert (
        "1 player took on bot3. You didn't play. Of the other players, alice did best: not finished (counts as a loss by"
        in told
    )
    assert joined.row(2) is None
    assert joined.check() == []


def test_a_game_counts_for_no_rating_and_not_among_those_against_bots(joined: Office) -> None:
    for _ in range(3):
        (letter, *_) = joined.send("alice", "star challenge -size=4 alice bot1")
        assert letter.subject.startswith(NEW)
    (letter, *_) = joined.send("alice", "star challenge -size=4 alice bot1")
    assert "at most 3 games with bots at a time" in letter.text
    moved(joined, 1, "C5")
    joined.letters()
    (letter,) = joined.send("alice", "star resign 1 alice s3cret")
    assert "rating" not in letter.text
    assert not joined.rows().get("ratings")


@pytest.mark.slow
def test_a_daily_letter_shows_the_board_and_the_results_come_by_themselves(office: Office) -> None:
    office.send("alice", "letters alice s3cret daily")
    say(office, "alice")
    moved(office, 1, "C5")
    (daily,) = office.digests()
    assert "board 1" in daily.text.lower()
    assert list(reports(to_sunday(office))) == ["alice"]


def test_another_account_at_the_address_has_no_second_look(joined: Office) -> None:
    joined.add("carol", mail=address("alice"))
    (letter,) = say(joined, "carol")
    assert "Another account at your address already plays the Sunday game." in letter.text


def test_who_comes_back_in_the_week_has_one_board(joined: Office) -> None:
    say(joined, "alice", "off")
    letters = say(joined, "alice")
    assert [each.subject for each in letters] == ["Star account alice: sunday"]
    assert "You already have this week's board, and you can play it until " in " ".join(
        letters[0].text.split()
    )


def test_a_server_without_the_bot_has_no_sunday_game(database: str, tmp_path: Path) -> None:
    office = Office(database, tmp_path / "spool", bots="0")
    (letter,) = say(office, "alice")
    assert (
        "There's no Sunday game on this server, because the bot for it doesn't play" in letter.words
    )
    office.close()


def test_the_board_goes_on_and_ends_later_if_the_game_is_switched_off(
    database: str, tmp_path: Path
) -> None:
    office = Office(database, tmp_path / "spool")
    say(office, "alice")
    office.close()
    off = Office(database, tmp_path / "spool", (), without="sunday")
    off.count = office.count  # of Message-IDs
    (letter,) = say(off, "alice")
    assert sentence("not offered", "Sunday games") in letter.text
    moved(off, 1, "C5")
    assert not reports(to_sunday(off))
    now = off.now
    off.close()
    on = Office(database, tmp_path / "spool", ())
    on.now = now
    assert list(reports(on.remind()[1])) == ["alice"]
    on.close()


def test_nothing_ends_while_the_server_is_paused(joined: Office) -> None:
    moved(joined, 1, "C5")
    joined.run("admin", "pause")
    assert not reports(to_sunday(joined))
    joined.run("admin", "resume")
    assert sorted(reports(joined.remind()[1])) == ["alice", "bob"]


def test_the_data_of_a_player_are_exported_renamed_and_erased(joined: Office) -> None:
    moved(joined, 1, "C5")
    moved(joined, 2, "C5")
    to_sunday(joined)
    exported = joined.run("admin", "user", "export", "alice").output
    assert "sunday" in exported
    joined.run("admin", "user", "rename", "alice", "anna")
    assert [each[0] for each in sorted(joined.ask_of(Sundays, "results", 1))] == ["anna", "bob"]
    assert joined.ask_of(Sundays, "is_reader", "anna")
    joined.add("carol")
    joined.run("admin", "user", "merge", "anna", "carol")
    assert [each[0] for each in sorted(joined.ask_of(Sundays, "results", 1))] == ["bob", "carol"]
    joined.run("admin", "user", "erase", "carol")
    assert [each[0] for each in joined.ask_of(Sundays, "results", 1)] == ["bob"]
    assert not joined.ask_of(Sundays, "is_reader", "carol")
    assert joined.check() == []


def test_two_accounts_that_are_merged_have_one_result(joined: Office) -> None:
    moved(joined, 1, "C5")
    moved(joined, 2, "C5")
    joined.run("admin", "user", "merge", "bob", "alice")
    moved(joined, 1, "D6")
    assert list(reports(to_sunday(joined))) == ["alice"]
    assert joined.check() == []


def test_who_leaves_gets_no_more_boards(joined: Office) -> None:
    (asked,) = joined.send("bob", "signoff bob hunter2")
    joined.send("bob", "yes", to=asked.reply_to)
    assert not joined.ask_of(Sundays, "is_reader", "bob")
    moved(joined, 1, "C5")
    assert "1 player took on" in reports(to_sunday(joined))["alice"]


def test_a_result_follows_a_record_that_the_operator_corrects(joined: Office) -> None:
    moved(joined, 1, "C5", "D6")
    to_sunday(joined)
    joined.sql("UPDATE sunday_boards SET margin = 3 WHERE board = 1")
    assert any("its Sunday result is 3" in each for each in joined.check())
    joined.run("admin", "board", "reset", "1", "--to-move", "9")
    assert joined.check() == []


def test_a_month_without_remind_begins_one_game(joined: Office) -> None:
    moved(joined, 1, "C5")
    joined.now += 30 * DAY
    letters = joined.remind()[1]
    assert sorted(reports(letters)) == ["alice", "bob"]
    newest = joined.ask_of(Sundays, "newest")
    assert (newest.number, newest.week) == (2, week_of(joined.now))


def test_a_game_that_is_not_finished_is_lost_by_that_much_everywhere(joined: Office) -> None:
    moved(joined, 1, "C5", "D6")
    told = reports(to_sunday(joined))["alice"]
    assert (
        "You didn't finish, so your game counts as a loss by 21. That puts you at number 1."
        in " ".join(told.split())
    )
    assert "not finished (counts as a loss by 21)" in told
    (listed,) = joined.send("alice", "star games alice finished")
    assert "bot3 won" in " ".join(listed.text.split())
    assert json.loads(joined.run("admin", "board", "list", "--json").output)[0]["result"] == "bot3"
    assert joined.check() == []


@pytest.mark.parametrize("left", [1, 71])
def test_who_joins_late_in_the_week_gets_the_board_of_the_next(office: Office, left: int) -> None:
    office.now = end_of(week_of(office.now)) - left * 3600
    (letter,) = office.send("alice", "sunday alice s3cret on")
    text = " ".join(letter.text.split())
    assert "you'll get your first board on Sun 2027-01-17 00:00 UTC" in text
    assert "It ends on" not in text
    assert not office.remind()[1]
    assert office.row(1) is None
    to_sunday(office)
    assert office.row(1).game == "*star"


def test_the_game_is_not_rated_and_its_terms_are_not_options(office: Office) -> None:
    (letter,) = say(office, "alice")
    assert "The Sunday game isn't rated." in " ".join(letter.text.split())
    assert "agreed" not in letter.text
    (listed,) = office.send("alice", "star games alice")
    for each in (letter, listed):
        assert "-private" not in each.text
        assert "-rated" not in each.text


def test_no_more_boards_come_after_three_weeks_without_a_move(joined: Office) -> None:
    moved(joined, 1, "C5")
    for _ in range(2):
        assert not [
            each
            for each in to_sunday(joined)
            if each.to == address("bob") and "bob: sunday" in each.subject
        ]
        assert joined.ask_of(Sundays, "is_reader", "bob")
    (last,) = (each for each in to_sunday(joined) if each.subject == "Star account bob: sunday")
    assert "To play again, reply: sunday on" in " ".join(last.text.split())
    assert not joined.ask_of(Sundays, "is_reader", "bob")
    assert not [each for each in to_sunday(joined) if each.to == address("bob")]
    (letter,) = joined.send("bob", "sunday on", to=last.reply_to)
    assert letter.subject.endswith(" - Sunday 5")
