"""Ratings as games end: the increments are the fold, in whatever order they come."""

from __future__ import annotations

import re
from contextlib import closing
from functools import partial

import pytest
from harness.office import PASSWORD, Office, at_once
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbmstar.grammar.seeking import Ranking
from pbmstar.ratings.fold import Ended, Tally
from pbmstar.ratings.rating import Rating
from pbmstar.ratings.rows import Ratings
from pbmstar.service.verbs.ratings import listed
from pbmstar.store import Store, User
from pbmstar.store import schema as tables

DAY = 86_400.0
WON = ("A3", "C2", "A4", "D3", "C1", "B4", "B2", "D1", "C4")  # decided for X then


def game(board: int, at: float, first: str, second: str, score: float) -> Ended:
    return Ended(board, "star", 0, 0.0, at, first, second, score, "played", "")


def end(office: Office) -> int:
    """A game that alice has won; the board's number."""
    board = office.game("star challenge -size=3 alice bob")
    office.advance(board, *WON)
    office.send("alice", f"star claim {board} alice s3cret")
    return board


moves = st.tuples(
    st.permutations(("alice", "bob", "carol", "dan")),
    st.sampled_from((0.0, 0.5, 1.0)),
    st.integers(0, 40).map(lambda day: day * DAY),
    st.booleans(),
)


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    max_examples=settings.default.max_examples // 2,
)
@given(st.lists(moves, max_size=14))
def test_games_that_end_in_any_order_are_folded_in_the_order_of_their_ends(
    database: str, played: list[tuple[tuple[str, ...], float, float, bool]]
) -> None:
    """To the last bit; and so when one of them goes on after all."""
    with closing(Store(database)) as store:
        with store.transaction() as tx:
            for board in range(1, 20):
                tx.of(Ratings).drop(board)
        for board, (names, score, at, is_undone) in enumerate(played, 1):
            with store.transaction() as tx:
                tx.of(Ratings).keep(game(board, at, names[0], names[1], score))
                if is_undone:
                    tx.of(Ratings).drop(board // 2 + 1)
        with store.transaction() as tx:
            assert list(tx.of(Ratings).differences()) == []
            before = [tx.of(Ratings).listed("star"), tx.of(Ratings).all_of("alice")]
            tx.of(Ratings).rebuild()
            assert before == [tx.of(Ratings).listed("star"), tx.of(Ratings).all_of("alice")]


def test_two_daemons_that_end_games_at_once_come_to_the_fold(database: str) -> None:
    with closing(Store(database)) as one, closing(Store(database)) as other:

        def work(store: Store, boards: range) -> None:
            for board in boards:
                with store.transaction() as tx:
                    names = ("alice", "bob") if board % 3 else ("bob", "carol")
                    tx.of(Ratings).keep(game(board, board // 4 * DAY * 9, *names, 1.0))

        at_once(partial(work, one, range(1, 40, 2)), partial(work, other, range(2, 40, 2)))
        with one.transaction() as tx:
            assert list(tx.of(Ratings).differences()) == []
            assert sum(tx.of(Ratings).counts().values()) > 10


def test_a_game_that_is_undone_or_removed_counts_no_more(office: Office) -> None:
    board = office.game("star challenge -size=3 -undo=ask alice bob")
    office.play(board, "A3", "C2", "A4", "D3", "pass", "pass")
    assert office.ask_of(Ratings, "of", "alice", "star").games == 1
    office.send("bob", f"star undo {board} bob {PASSWORD['bob']}")
    office.send("alice", f"star accept {board} alice s3cret")
    assert office.ask_of(Ratings, "of", "alice", "star") is None
    board = end(office)
    assert office.ask_of(Ratings, "of", "bob", "star").games == 1
    office.run("admin", "board", "remove", str(board))
    assert office.ask_of(Ratings, "of", "bob", "star") is None
    assert office.check() == []


def test_games_given_up_at_once_count_once_unless_they_were_lost(office: Office) -> None:
    """The first counts, and the one that the board proves; the other does not."""
    boards = [office.game("star challenge -size=3 alice bob") for _ in range(3)]
    for board in boards[:2]:
        office.advance(board, "A3", "C2", "A4", "D3")
    office.advance(boards[2], *WON)
    body = "\n".join(f"star resign {board} bob {PASSWORD['bob']}" for board in boards)
    office.send("bob", "multiple", body)
    whys = [office.ask_of(Ratings, "game", board).why for board in boards]
    assert whys == ["", "mass", ""]
    assert office.check() == []


def test_a_rating_that_was_changed_by_hand_is_found_and_mended(office: Office) -> None:
    end(office)
    office.sql("UPDATE ratings SET rating = 9999 WHERE userid = 'alice'")
    done = office.run("admin", "ratings", "check")
    assert done.exit_code == 1 and "the rating of alice in star" in done.output
    assert office.check() != []
    assert "alice in star: 9999 -> 1607" in office.run("admin", "ratings", "rebuild").output
    assert office.run("admin", "ratings", "check").output == "0 differences.\n"
    assert office.check() == []


def test_lists_of_ten_thousand_players_are_short(office: Office) -> None:
    if not office.store.is_sqlite:
        pytest.skip("the statement is SQLite's")
    office.sql(
        "INSERT INTO users (userid, address, password, state, made, reminders, refuses, bounces)"
        " WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)"
        " SELECT 'p' || i, '', '', 'active', 0.0, 1, '', 0.0 FROM n"
    )
    office.sql(
        "INSERT INTO ratings SELECT 'star', 0, userid, 1000.0 + row_number() OVER (), 60.0, 0.06, "
        f"{office.now}, 20, 10, 10, 0, 9 FROM users WHERE userid LIKE 'p%'"
    )
    with office.store.transaction() as tx:
        work = office.work(tx)
        assert len(listed(work, "star", Ranking("top"), "p5000")) == 50
        near = [each.place for each in listed(work, "star", Ranking("near"), "p5000")]
        assert near == [*range(near[0], near[0] + 11)] and near[0] > 1
        every = listed(work, "star", Ranking("all"), "p5000")
        assert [each.place for each in every] == [*range(1, 301)]


players = st.tuples(
    st.integers(1480, 1520),
    st.floats(45.0, 130.0),
    st.floats(0.0, 420.0).map(lambda days: days * DAY),
    st.integers(3, 7),
    st.sampled_from(("active", "active", "suspended", "closed")),
)


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    max_examples=settings.default.max_examples // 2,
)
@given(st.lists(players, max_size=25), st.integers(0, 24))
def test_a_list_shows_those_of_whom_enough_is_known_and_the_places_are_theirs(
    office: Office, made: list[tuple[int, float, float, int, str]], reader: int
) -> None:
    """Counted anew, for each part of the list."""
    now = office.now
    tallies = {
        f"q{n}": Tally(float(points), deviation, 0.06, now - age, 20, 10, 10, 0, met)
        for n, (points, deviation, age, met, _) in enumerate(made)
    }
    with office.store.engine.begin() as connection:
        for table in ("ratings", "users"):
            connection.exec_driver_sql(f"DELETE FROM {table} WHERE userid LIKE 'q%%'")
    with office.store.transaction() as tx:
        for userid, each in zip(tallies, made, strict=True):
            tx.accounts.add(User(userid, "", "", each[-1], 0.0))
    with office.store.engine.begin() as connection:
        for userid, tally in tallies.items():
            row = {"game": "star", "practice": 0, "userid": userid, **tally._asdict()}
            connection.execute(tables.ratings.insert(), row)
    there = [who for who in tallies if made[int(who[1:])][-1] != "closed"]
    order = sorted(there, key=lambda who: (-tallies[who].rating, who))
    sure = [
        who
        for who in order
        if tallies[who].opponents >= 5
        and now - tallies[who].at <= 365 * DAY
        and not tallies[who].as_of(now).is_provisional
    ]
    own = sure.index(f"q{reader}") if f"q{reader}" in sure else None
    near = [] if own is None else sure[max(0, own - 5) : own + 6]
    with office.store.transaction() as tx:
        work = office.work(tx)

        def shown(which: str, number: int = 50) -> list[tuple[int, str]]:
            found = listed(work, "star", Ranking(which, number), f"q{reader}")
            return [(each.place, each.userid) for each in found]

        assert shown("top", 3) == [*enumerate(sure[:3], 1)]
        assert shown("near") == [(sure.index(who) + 1, who) for who in near]
        assert shown("all") == [(sure.index(who) + 1 if who in sure else 0, who) for who in order]


def test_who_had_a_wrong_rating_is_told_once(office: Office) -> None:
    """In the next letter, be it of a board or the daily one; who had almost the right one is not."""
    end(office)
    office.sql("UPDATE ratings SET rating = 1650 WHERE userid = 'alice'")
    office.sql("UPDATE ratings SET rating = 1395 WHERE userid = 'bob'")
    office.run("admin", "ratings", "rebuild")
    told = "We corrected your rating: Star 1650 -> 1607."
    first, second = office.send("alice", "star challenge -size=3 alice bob")
    assert [told in each.text for each in (first, second)] == [True, False]
    assert told.replace(">", "&gt;") in first.html
    assert not [each for each in office.play(2, "A3", "C2") if "corrected" in each.text]
    office.send("alice", f"letters alice {PASSWORD['alice']} daily")
    office.ask("accounts.set_correction", "alice", "Star 1650 -> 1607")
    (digest,) = [each for each in office.digests() if each.subject.startswith("Star: 1 board")]
    assert told in digest.text


@pytest.mark.slow
def test_a_second_loss_on_time_counts_if_the_loser_has_written_since(office: Office) -> None:
    """Or if the board proves it; else nobody has played that game to its end."""
    boards = [office.game("star challenge -size=3 -time=3d alice bob") for _ in range(3)]
    for board in boards[:2]:
        office.play(board, "A3", "C2", "A4")
    office.advance(boards[2], *WON)
    office.send("bob", f"leave bob {PASSWORD['bob']} off")
    for _ in range(8):
        office.now += DAY
        office.run("remind")
        office.letters()
    whys = [office.ask_of(Ratings, "game", board) for board in boards]
    assert [each.ended.how for each in whys if each] == ["forfeit"] * 3
    assert sorted(each.why for each in whys if each) == ["", "", "time"]
    assert whys[2] is not None and whys[2].why == ""
    assert office.check() == []


@pytest.mark.slow
def test_games_forfeited_in_one_run_are_told_as_they_are_kept(office: Office) -> None:
    """Also if the board with the higher number falls due first."""
    office.add("carol")
    one = office.game("star challenge -size=3 -time=3d alice bob")
    other = one + 1
    office.send("bob", "star challenge -size=3 -time=3d bob carol")
    for userid in ("alice", "bob", "carol"):
        office.send(userid, f"leave {userid} {PASSWORD[userid]} off")
    office.play(one, "A3", "C2", "A4")
    office.play(other, "A3", "C2", "B3")
    told: list[str] = []
    for _ in range(8):
        office.now += DAY
        office.sql(f"UPDATE boards SET due = due - 60 WHERE board = {other}")
        office.run("remind")
        told += [
            re.search(r"-> (\d+)", each.text)[1]  # type: ignore[index]
            for each in office.letters()
            if each.to == "bob@bob.example" and "Your rating:" in each.text
        ]
    with office.store.transaction() as tx:
        kept = [round(each.tally.rating) for each in tx.of(Ratings).history("bob", "star")]
        ends = [each.ended.at for board in (other, one) if (each := tx.of(Ratings).game(board))]
    assert 0 < ends[1] - ends[0] < 1
    assert [*map(int, told)] == kept[::-1] and len(kept) == 2
    assert office.check() == []
    assert office.run("admin", "ratings", "rebuild").output == "0 ratings changed.\n"


def test_both_ratings_of_a_step_say_if_they_are_uncertain(office: Office) -> None:
    """Each has its own mark: the rating before a game as its player knew it then."""
    end(office)
    (letter,) = office.send("bob", "star history")
    assert "1500? -> 1393?" in letter.words
    with office.store.transaction() as tx:
        rows = tx.of(Ratings)
        for board in range(2, 32):
            rows.keep(game(board, office.now + board * DAY, "carol", f"dan{board}", board % 2))
        past = rows.history("carol", "star", count=29)
        steps = [(str(each.before), str(Rating(*each.tally[:3]))) for each in reversed(past)]
        games = [kept.ended for each in reversed(past) if (kept := rows.game(each.board))]
        before = [str(rows.before("carol", each)) for each in games]
    assert before == [one for one, _ in steps]
    assert [one for one, _ in steps[1:]] == [other for _, other in steps[:-1]]
    assert {one[4:] + other[4:] for one, other in steps} == {"??", "?", ""}


def test_what_a_new_game_is_worth_is_what_it_would_bring(office: Office) -> None:
    """Also at the limit above which only players count who have proved it."""
    end(office)
    office.sql("UPDATE ratings SET rating = 1690 WHERE userid = 'alice'")
    first, _ = office.send("alice", "star challenge -size=3 alice bob")
    told = (
        r"This game is rated\. Your rating is 1690\?, and bob's is 1393\?\. "
        r"A win changes yours by \+10, a loss by -\d+\."
    )
    assert re.search(told, first.words)


def test_the_operator_sees_whose_wins_are_over_accounts_that_belong_together(
    office: Office,
) -> None:
    for userid in ("one", "two", "other"):
        domain = "other.example" if userid == "other" else "catchall.example"
        office.add(userid, f"{userid}@{domain}", password="s3cret")
    office.add("carol")
    for board, loser in enumerate(("one", "one", "two", "other"), 1):
        office.ask_of(Ratings, "keep", game(board, board * DAY, "alice", loser, 1.0))
    office.ask_of(Ratings, "keep", game(5, 9 * DAY, "bob", "carol", 1.0))
    (first, second) = office.facts("admin", "top", "--ratings")
    assert first == {
        "userid": "alice",
        "game": "star",
        "wins": 4,
        "over": 3,
        "domain": "catchall.example",
        "of_domain": 3,
        "of_origin": 0,
        "rating": first["rating"],
    }
    assert (second["userid"], second["domain"], second["of_domain"]) == ("bob", "", 0)


def test_a_young_server_lists_those_of_whom_too_little_is_known(office: Office) -> None:
    end(office)
    for line in ("ratings", "star ratings"):
        (letter,) = office.send("alice", line)
        assert (
            "Nobody has played enough to be listed yet. These ratings are provisional:"
            in letter.words
        )
        assert re.search(r"-  alice +1607\?", letter.text)
    (letter,) = office.send("alice", "hex ratings")
    assert "Nobody is on the list yet." in letter.text


def test_two_accounts_with_one_mailbox_are_twins_by_each_of_their_addresses(office: Office) -> None:
    """Their games are not rated, and the operator's list has them."""
    asked = office.send("alice", f"add address alice {PASSWORD['alice']} alice@gmail.com copies")
    (letter,) = (each for each in asked if each.to == "alice@gmail.com")
    office.send("alice@gmail.com", "Re: yes", to=letter.reply_to)
    office.add("carol", "al.ice@gmail.com")
    new = office.send("alice", "star challenge alice carol")[0]
    assert "This game isn't rated: both accounts use the same mailbox." in new.text
    assert office.facts("admin", "twins") == [
        {"one": "alice", "other": "carol", "why": "same mailbox"}
    ]


def test_a_game_with_points_that_are_given_and_one_without_result_say_why_they_are_not_rated(
    office: Office,
) -> None:
    first, _ = office.send("alice", "*star challenge -rings=3 -points=2 alice bob")
    assert "This game isn't rated: one player got extra points." in first.text
    board = office.game("star challenge -size=3 alice bob")
    office.play(board, "A3", "B3")
    office.send("alice", f"star cancel {board} alice s3cret")
    last = office.send("bob", f"star accept {board} bob {PASSWORD['bob']}")
    assert ["This game isn't rated: the game has no result." in each.text for each in last] == [
        True,
        True,
    ]
    assert office.ask_of(Ratings, "game", board).why == "void"


def test_a_game_with_a_bot_says_what_it_is_worth_from_800_on(office: Office) -> None:
    (letter,) = office.send("alice", "star challenge -size=3 alice bot1")
    assert (
        "This is a practice game. Your practice rating is 800?, and bot1's is 800. "
        "A win changes yours by +118, a loss by -118." in letter.words
    )
