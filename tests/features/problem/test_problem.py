"""The problem of the week: when it is made and mailed, whose games it is made of, and what is kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from harness.common import sentence
from harness.letters import PASSWORD, Got
from harness.office import DAY, Office, address

from pbmstar.features.problem import weekly
from pbmstar.features.problem.rows import Problems, Solution, StoredProblem
from pbmstar.features.problem.rules import week_of
from pbmstar.service.admin import metrics
from pbmstar.service.incoming import newcomers

GAME = "*10 T21 *31 R20 R31 A31 T20 *32 R30 R32 R21 S21 T10 *21 *20 T32 S31 T31 S10 A21 A20"
SOLUTION = "S32"
EVE = "eve@eve.example"


def finished(office: Office, options: str = "", moves: str = GAME) -> int:
    """A game of alice and bob that gives a problem; the board's number."""
    board = office.game(f"*star challenge -rings=3 {options} alice bob")
    office.advance(board, *moves.split())
    office.send("bob", f"*star resign {board} bob {PASSWORD['bob']}")
    return board


@pytest.fixture
def mailed(office: Office) -> Office:
    """An office with a problem of this week."""
    finished(office)
    office.remind()
    return office


def asked(office: Office, who: str = "alice") -> Got:
    """The letter with the problem of this week."""
    (letter,) = office.send(who, "problem")
    assert letter.subject.startswith("Star Problem"), letter.text
    return letter


def public(office: Office, *names: str) -> None:
    """Let these players be named to others."""
    for name in names:
        office.send(name, f"public {name} {PASSWORD[name]} on")


def subscribed(office: Office, *names: str) -> None:
    """Let each of these players get the problem each week."""
    for name in names:
        if name not in ("alice", "bob"):
            office.add(name, password="t0paz-ring")
        password = PASSWORD.get(name, "t0paz-ring")
        (letter,) = office.send(name, f"problem {name} {password} on")
        assert "You'll get the new problem each week" in letter.text


def problems(letters: list[Got]) -> list[str]:
    """Who got a problem."""
    return sorted(each.to for each in letters if each.subject.startswith("Star Problem"))


@pytest.mark.slow
def test_each_reader_gets_a_problem_once_a_week(office: Office) -> None:
    subscribed(office, "alice", "bob")
    assert problems(office.remind()[1]) == [], "no game has ended"
    office.now += 7 * DAY
    finished(office)
    office.run("admin", "pause")
    assert problems(office.remind()[1]) == []
    assert office.ask_of(Problems, "newest") is None, "none is made meanwhile"
    office.run("admin", "resume")
    assert problems(office.remind(0.1)[1]) == [address("alice"), address("bob")]
    assert problems(office.remind()[1]) == problems(office.remind(1.0)[1]) == []
    subscribed(office, "dora")
    office.run("admin", "board", "reset", "1", "--to-move", "21")
    assert problems(office.remind()[1]) == [], "its game goes on again"
    office.play(1, "A20", "resign")
    assert problems(office.remind()[1]) == [address("dora")], "who comes later gets this week's"
    assert problems(office.remind(7.0)[1]) == [], "no other game gives one"
    assert office.check() == []


def test_a_run_that_is_killed_midway_is_carried_on(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    finished(office)
    subscribed(office, "alice", "bob", "dora", "emil")
    monkeypatch.setattr(weekly, "READERS", 2)
    really, sent = weekly.send, []

    def killed(*args: object) -> dict[str, int]:
        if len(sent) == 3:
            raise KeyboardInterrupt
        sent.append(args)
        return really(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(weekly, "send", killed)
    with pytest.raises(KeyboardInterrupt):
        weekly.carry_on(office.context, office.store)
    monkeypatch.setattr(weekly, "send", really)
    first = problems(office.letters())
    assert first == [address("alice"), address("bob")], "those of one transaction, whole"
    assert problems(office.remind()[1]) == [address("dora"), address("emil")]


def test_a_damaged_game_gives_no_problem_and_stops_nothing(office: Office) -> None:
    damaged, whole = finished(office), finished(office)
    office.sql(f"UPDATE boards SET options = '{{' WHERE board = {damaged}")
    done = office.run("admin", "problem", "make")
    assert done.exit_code == 0 and done.output.endswith(f", from board {whole}.\n"), done.output


def test_a_week_without_a_problem_is_not_an_error(office: Office) -> None:
    (letter,) = office.send("alice", "problem")
    assert letter.subject == "Star Problem"
    assert "There's no problem this week, because no finished game had a position" in letter.words
    finished(office)
    office.remind()
    office.now += 7 * DAY
    (letter,) = office.send("alice", "problem")
    assert letter.subject == "Star Problem"
    assert (
        "There's no problem this week. To see the last one with its solution, reply: problem 1"
        in letter.words
    )
    (letter,) = office.send("alice", "problem 7")
    assert letter.subject == "Star Error" and "There's no problem 7." in letter.words


def test_the_same_store_gives_the_same_problem(office: Office) -> None:
    boards = [finished(office) for _ in range(2)]
    made = weekly.make(office.context, office.store)
    assert made is not None and made.move == SOLUTION
    assert made.board == max(boards), "of two that are alike the newer one"
    assert weekly.make(office.context, office.store) == made, "one a week"
    office.now += 7 * DAY
    other = weekly.make(office.context, office.store)
    assert other is not None and other.board == min(boards), "each game gives one problem at most"
    assert office.ask_of(Problems, "add", made._replace(week=other.week)) == 0, "its week has one"


def test_a_game_that_runs_or_is_private_gives_no_problem(office: Office) -> None:
    office.advance(office.game("*star challenge -rings=3 alice bob"), *GAME.split())
    finished(office, "-private")
    assert weekly.make(office.context, office.store) is None
    office.send("bob", f"*star resign 1 bob {PASSWORD['bob']}")
    made = weekly.make(office.context, office.store)
    assert made is not None and made.board == 1


@pytest.mark.parametrize("shown", [["bob"], ["alice"], ["alice", "bob"]])
def test_players_are_named_if_both_are_public(mailed: Office, shown: list[str]) -> None:
    public(mailed, *shown)
    mailed.add("carol")
    week = asked(mailed, "carol")
    assert "board 1" not in week.raw.decode(), "its record may hold the solution"
    assert "Played by" not in mailed.send("carol", SOLUTION, to=week.reply_to)[0].text
    mailed.now += 7 * DAY
    letter = mailed.send("carol", "problem 1")[0].raw.decode()
    both = len(shown) == 2
    assert ("alice (X) and bob (O), board 1" in letter) == both
    assert ("alice" in letter, "bob" in letter) == (both, both)


@pytest.mark.slow
def test_who_leaves_or_is_erased_leaves_no_trace(mailed: Office) -> None:
    public(mailed, "alice", "bob")
    subscribed(mailed, "alice", "bob")
    mailed.send("bob", f"signoff bob {PASSWORD['bob']}")
    assert problems(mailed.remind()[1]) == [address("alice")]
    mailed.send("alice", SOLUTION, to=asked(mailed).reply_to)
    told = mailed.run("admin", "user", "export", "alice").output
    assert "solutions:\n  problem 1; userid alice; move S32; right 1" in told
    assert "problem_readers:\n  userid alice; told 1" in told
    assert mailed.run("admin", "user", "erase", "alice", "--rename").exit_code == 0
    assert mailed.ask_of(Problems, "answers", 1) == []
    assert mailed.ask_of(Problems, "count_readers") == 0
    mailed.add("carol")
    assert "alice" not in asked(mailed, "carol").raw.decode()
    assert mailed.check() == []


def test_an_account_keeps_its_answers_under_another_name(mailed: Office) -> None:
    mailed.send("alice", "A20", to=asked(mailed).reply_to)
    mailed.send("bob", SOLUTION, to=asked(mailed, "bob").reply_to)
    assert mailed.run("admin", "user", "rename", "alice", "anna").exit_code == 0
    (answer, _) = mailed.ask_of(Problems, "answers", 1)
    assert answer[:4] == (1, "anna", "A20", 0)
    mailed.letters()
    mailed.add("carol")
    mailed.send("carol", SOLUTION, to=asked(mailed, "carol").reply_to)
    assert mailed.run("admin", "user", "merge", "carol", "anna").exit_code == 0
    assert [each.userid for each in mailed.ask_of(Problems, "answers", 1)] == ["anna", "bob"]
    assert mailed.check() == []


# -- answers; who may give one for a player: problem.mails


def test_the_first_answer_counts_and_the_solution_stays_secret(mailed: Office) -> None:
    letter = asked(mailed)
    letters = [letter]
    for line in ("A30", "T21", "Q9", "pass", "swap", "resign", "A30", "What is this?"):
        letters += mailed.send("alice", line, to=letter.reply_to)
    letters += [asked(mailed, who) for who in ("alice", "bob", EVE)]
    assert len(letters) == 12
    for each in letters:
        assert f"{SOLUTION} decides" not in each.words
        assert "decides:" not in each.raw.decode()
    (right,) = mailed.send("alice", SOLUTION, to=letter.reply_to)
    assert "S32 decides the game: X wins by at least 2 no matter what" in right.words
    (answer,) = mailed.ask_of(Problems, "answers", 1)
    assert answer[:4] == (1, "alice", "A30", 0)


def test_a_swap_exchanges_the_players_of_a_problem(office: Office) -> None:
    """After a swap the player named second plays X."""
    finished(office, moves=GAME.replace(" ", " swap ", 1))
    public(office, "alice", "bob")
    office.remind()
    letter = asked(office)
    (right,) = office.send("alice", SOLUTION, to=letter.reply_to)
    assert "Right!" in right.text
    office.now += 7 * DAY
    assert "Played by bob (X) and alice (O)" in office.send("alice", "problem 1")[0].text
    assert office.check() == []


@pytest.mark.slow
def test_a_stranger_asks_once_and_answers_twenty_times_a_day(mailed: Office) -> None:
    letter = asked(mailed, EVE)
    assert mailed.send(EVE, "problem") == [], "somebody else may have written that"
    answers = [mailed.send(EVE, "A30", to=letter.reply_to) for _ in range(25)]
    assert [len(each) for each in answers] == [1] * newcomers.GUEST_LETTERS_A_DAY + [0] * 5
    assert all("Not yet" in each.text for (each,) in answers[:20])
    (door,) = mailed.send("mallory@mallory.example", SOLUTION, to=letter.reply_to)
    assert door.subject == "Star: welcome", "the address is eve's"
    mailed.now += DAY
    (right,) = mailed.send(EVE, SOLUTION, to=letter.reply_to)
    assert "Right!" in right.text
    assert mailed.ask_of(Problems, "answers", 1) == []


def test_an_old_letter_is_answered_with_the_solution(mailed: Office) -> None:
    letters = {who: asked(mailed, who) for who in ("alice", EVE)}
    mailed.now += 7 * DAY - (mailed.now - 4 * DAY) % (7 * DAY)  # the next Monday
    for who, letter in letters.items():
        (late,) = mailed.send(who, "A20", to=letter.reply_to)
        assert "S32 decides" in late.text
    assert mailed.ask_of(Problems, "answers", 1) == []


def test_who_stops_the_letters_while_problems_are_switched_off_has_stopped_them(
    database: str, tmp_path: Path
) -> None:
    """And an answer to a letter from before is no answer, but does no harm."""
    office = Office(database, tmp_path / "spool")
    finished(office)
    subscribed(office, "alice")
    (sent,) = (each for each in office.remind()[1] if "Problem" in each.subject)
    letters = {who: asked(office, who) for who in ("bob", EVE)}
    office.close()
    office = Office(database, tmp_path / "spool", (), without="problem")
    for who, letter in letters.items():
        told = office.send(who, SOLUTION, to=letter.reply_to)
        assert all("decides" not in each.text for each in told)
    stop = str(sent.mail["List-Unsubscribe"]).removeprefix("<mailto:").partition("?")[0]
    office.send("alice", "", to=stop)
    (letter,) = office.send("alice", "problem")
    assert sentence("not offered", "problems of the week") in letter.text
    office.close()
    office = Office(database, tmp_path / "spool", ())
    assert office.ask_of(Problems, "count_readers") == 0
    assert office.ask_of(Problems, "answers", 1) == []
    office.close()


# -- what is kept


def test_check_finds_a_problem_that_is_none_and_an_answer_that_is_marked_wrongly(
    mailed: Office,
) -> None:
    made = mailed.ask_of(Problems, "newest")
    mailed.ask_of(Problems, "add_answer", Solution(1, "alice", "A20", 1, mailed.now))
    for number, change in enumerate(({"move": "A20"}, {"moves": ("Q9",)}, {"game": "chess"}), 2):
        wrong: StoredProblem = made._replace(week=made.week + number, board=90 + number, **change)
        assert mailed.ask_of(Problems, "add", wrong) == number
    assert [each.partition(": it does not replay")[0] for each in mailed.check()] == [
        "problem 1: right of alice is 1",
        "problem 2: it is to be solved by A20, the board says S32",
        "problem 3",
        "problem 4",
    ]


def test_the_figures_count_answers_and_readers(mailed: Office) -> None:
    subscribed(mailed, "bob")
    mailed.send("alice", "A20", to=asked(mailed).reply_to)
    with mailed.store.transaction() as tx:
        figures = metrics.census(mailed.config, tx, mailed.now)
    assert figures["pbmstar_problem_answers"] == {("right",): 0, ("wrong",): 1}
    assert figures["pbmstar_problem_readers"] == {(): 1}


def test_the_list_of_a_year_counts_first_answers_of_that_year(office: Office) -> None:
    week = week_of(office.now)
    for number in range(1, 4):
        stored = StoredProblem(0, week + number, number, "star", "{}", ("F6",), "F7", "")
        office.ask_of(Problems, "add", stored)
    for problem, who, right, at in (
        (1, "alice", 1, office.now),
        (2, "alice", 0, office.now),
        (1, "bob", 1, office.now),
        (2, "bob", 1, office.now - 365 * DAY),
    ):
        office.ask_of(Problems, "add_answer", Solution(problem, who, "F7", right, at))
    (letter,) = office.send("alice", "problem best")
    lines = [line.split() for line in letter.text.splitlines() if line.startswith("   ")]
    titles = ["player", "solved", "answered"]
    assert lines == [titles, ["1", "bob", "1", "1"], ["2", "alice", "1", "2"]]
    (last,) = office.send("alice", "problem best 2026")
    assert "1  bob " in last.text and "alice" not in last.text


def test_the_operator_sees_a_problem_and_who_has_answered_it(mailed: Office) -> None:
    """What solves it stays hidden while its week runs; who asks for it all the same is noted."""
    subscribed(mailed, "alice")
    for who, line in (("alice", "A30"), ("bob", SOLUTION)):
        mailed.send(who, line, to=asked(mailed, who).reply_to)
    shown = ("admin", "problem", "show")
    facts = mailed.facts(*shown)
    answers = [(each["userid"], each["right"], each["move"]) for each in facts["answers"]]
    assert answers == [("alice", False, None), ("bob", True, None)]
    assert (facts["problem"], facts["week"], facts["board"]) == (1, "2027-01-11T00:00:00Z", 1)
    assert (facts["open"], facts["solution"], facts["right"], facts["readers"]) == (
        True,
        None,
        1,
        1,
    )
    told = mailed.run(*shown).output
    assert "Problem 1: *Star, from board 1, of the week from 2027-01-11.\n" in told
    assert (
        "2 players answered, 1 of them right on the first try.\n" in told and SOLUTION not in told
    )
    assert "show --solution" not in mailed.run("admin", "audit").output
    told = mailed.run(*shown, "--solution").output
    assert f"{SOLUTION} decides the game." in told and f"  bob, right: {SOLUTION}\n" in told
    assert mailed.facts("admin", "audit")[-1]["act"] == "problem show --solution 1"
    mailed.now += 7 * DAY
    assert mailed.facts(*shown, "1")["solution"] == SOLUTION
    assert "no problem 2" in mailed.run(*shown, "2").output


def test_there_is_no_problem_to_show_yet(office: Office) -> None:
    done = office.run("admin", "problem", "show")
    assert done.exit_code == 1
    assert done.output == "pbmstar: There is no problem yet. See: pbmstar admin problem make\n"


def test_who_missed_what_decides_gets_that_in_place_of_the_problem_of_the_week(
    office: Office,
) -> None:
    """X is alice: she played A20, where S32 decides. The other player is named only if everybody may see it."""
    board = finished(office)
    subscribed(office, "alice", "bob")
    (own, general) = sorted(office.remind()[1], key=lambda each: each.to)
    assert (own.to, own.subject) == (address("alice"), "Star Problem")
    assert "In one of your games, you played A20 here. What would have been better?" in own.words
    assert "bob" not in own.words and SOLUTION not in own.text.split()
    assert general.subject == "Star Problem 1"
    (wrong,) = office.send("alice", "Re: Star Problem", "S33", own.reply_to)
    assert "Not yet." in wrong.words and wrong.reply_to == own.reply_to
    (right,) = office.send("alice", "Re: Star Problem", SOLUTION, wrong.reply_to)
    assert "Right!" in right.words and "S32 decides" in right.words
    assert "list of solvers" not in wrong.words + right.words
    assert not office.ask_of(Problems, "answers", 1)
    (whole,) = office.send("alice", "Re: Star Problem", f"*star show {board}", own.reply_to)
    assert whole.subject.startswith(f"*Star Board {board}")
    public(office, "bob")
    (again,) = office.send("alice", "Re: Star Problem", "S33", own.reply_to)
    assert "In your game against bob, you played A20 here." in again.words
    assert office.check() == []


def test_a_problem_of_ones_own_comes_once_and_not_to_who_wants_none(office: Office) -> None:
    finished(office)
    assert problems(office.remind()[1]) == []
    subscribed(office, "alice")
    assert [each.subject for each in office.remind()[1]] == ["Star Problem"]
    assert not office.remind(0.1)[1]
    finished(office, moves=GAME.replace("A21 A20", "A20 A21"))
    (letter,) = [each for each in office.remind(7)[1] if "Problem" in each.subject]
    assert "you played A21 here" in letter.words or letter.subject == "Star Problem 2"
    (told,) = office.send("alice", "Re: Star Problem", "problem off", letter.reply_to)
    assert "We won't send you the weekly problem anymore" in told.words
    finished(office)
    assert not [each for each in office.remind(7)[1] if "Problem" in each.subject]


def test_a_problem_of_ones_own_ends_while_its_game_goes_on_and_with_its_player(
    office: Office,
) -> None:
    board = finished(office)
    subscribed(office, "alice")
    (letter,) = office.remind()[1]
    assert "own_problems" in office.run("admin", "user", "export", "alice").output
    office.run("admin", "board", "reset", str(board), "--to-move", "21")
    office.letters()
    (refused,) = office.send("alice", "Re: Star Problem", SOLUTION, letter.reply_to)
    assert "There's no problem" in refused.words and "Right!" not in refused.words
    office.run("admin", "user", "erase", "alice")
    assert not office.rows()["own_problems"]
