"""The course: what its lessons say is true of their boards, by a second count and by playing them out."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from games import naive
from harness.common import named
from harness.letters import PASSWORD
from harness.office import Office, address
from harness.tables import rows

from pbmstar.features.course.commands import LAST
from pbmstar.features.course.lessons import LESSONS, Lesson
from pbmstar.match import Act

numbered = pytest.mark.parametrize("number", range(1, len(LESSONS) + 1))


def stones(lesson: Lesson, more: str = "") -> dict[str, str]:
    """The board of a lesson, cells to x or o, with a stone of X on one cell more."""
    moves = lesson.moves.split()
    return {cell: "xo"[place % 2] for place, cell in enumerate(moves)} | (
        {more: "x"} if more else {}
    )


def of(board: dict[str, str], who: str) -> set[str]:
    return {cell for cell, stone in board.items() if stone == who}


def free(lesson: Lesson) -> set[str]:
    return set(naive.hexagon(lesson.size)[0]) - set(lesson.moves.split())


def solving(lesson: Lesson) -> set[str]:
    """The answers that solve the task of a lesson, of all that there are."""
    acts = [Act("alice", "move", each) for each in (*naive.hexagon(lesson.size)[0], "pass", "swap")]
    acts += [Act("alice", "claim"), Act("alice", "resign")]
    return {act.text or act.kind for act in acts if lesson.judge(act).right}


def one_chain(lesson: Lesson) -> set[str]:
    """The cells that make all of X's stones one chain."""
    near = naive.hexagon(lesson.size)[0]
    return {c for c in free(lesson) if len(naive.groups(of(stones(lesson, c), "x"), near)) == 1}


def most_points(lesson: Lesson) -> set[str]:
    """The cells that bring X the most points."""
    points = {c: sum(naive.star(lesson.size, of(stones(lesson, c), "x"))) for c in free(lesson)}
    return {cell for cell, score in points.items() if score == max(points.values())}


@pytest.mark.parametrize(
    ("number", "answers"),
    [
        (1, one_chain(LESSONS[0])),
        (2, most_points(LESSONS[1])),
        (3, most_points(LESSONS[2]) & one_chain(LESSONS[2])),
        (4, one_chain(LESSONS[3])),
        (5, {"claim", "pass"}),
    ],
)
def test_a_task_is_solved_by_what_the_rules_say_and_by_nothing_else(
    number: int, answers: set[str]
) -> None:
    lesson = LESSONS[number - 1]
    assert solving(lesson) == answers
    assert len(answers) == 1 or number in (1, 5)
    assert not lesson.judge(None).right


@numbered
def test_a_lesson_is_a_legal_position_and_its_numbers_are_true(number: int) -> None:
    lesson = LESSONS[number - 1]
    match = lesson.match("alice")  # raises if a move is illegal
    assert match.to_move == "alice" and match.result == ""
    board = stones(lesson)
    points = tuple(sum(naive.star(lesson.size, of(board, who))) for who in "xo")
    assert match.points == points
    most = max(sum(naive.star(lesson.size, of(stones(lesson, cell), "x"))) for cell in free(lesson))
    numbers = {2: [2, points[0], most], 3: [points[0], most], 5: [*points]}.get(number, [])
    assert re.findall(r"\b\d+", str(lesson.filled(lesson.task))) == [str(each) for each in numbers]
    assert match.bounds.settled == (number == 5)


@numbered
def test_neither_task_nor_hint_gives_the_answer_away(number: int) -> None:
    lesson = LESSONS[number - 1]
    words = set(re.findall(r"\w+", f"{lesson.hint} {lesson.task} {lesson.title}"))
    assert not words & solving(lesson)
    assert number == 5 or not set(re.findall(r"\w+", " ".join(map(str, lesson.idea)))) & solving(
        lesson
    )


def test_what_the_lesson_of_the_edge_says_of_it() -> None:
    """A cell at the edge touches two places outside, six corners touch three; neighbours share one."""
    near, outside = naive.hexagon(LESSONS[1].size)
    edge = [cell for cell in near if outside[cell]]
    assert sorted(len(outside[cell]) for cell in edge) == [2] * (len(edge) - 6) + [3] * 6
    for cell in edge:
        beside = [other for other in near[cell] if outside[other]]
        assert [len(outside[cell] & outside[other]) for other in beside] == [1, 1]


def test_what_the_lesson_of_the_bridge_says_of_it() -> None:
    """B4 and D3 had two cells in common, bot1 took one; who takes the other parts the other's stones."""
    lesson, near = LESSONS[3], naive.hexagon(4)[0]
    board, (cell,) = stones(lesson), solving(lesson)
    assert near["B4"] & near["D3"] == {"C3", cell} and lesson.moves.endswith(" C3")
    assert "D3" not in near["B4"]
    for winner, loser in ("xo", "ox"):
        filled = {each: board.get(each, loser) for each in near} | {cell: winner}
        groups = naive.groups(of(filled, loser), near)
        assert sum(bool(group & of(board, loser)) for group in groups) > 1


@pytest.mark.slow
def test_the_move_of_the_bridge_is_the_only_one_that_wins() -> None:
    """Found by playing all that can follow."""
    lesson, game = LESSONS[3], LESSONS[3].match("alice").game

    @cache
    def wins(stones: bytes, mover: bytes) -> bool:
        decided = game.bounds(stones).decided
        if decided:
            return decided.lower().encode() == mover
        after = (
            stones[:c] + mover + stones[c + 1 :] for c, s in enumerate(stones) if s == ord(".")
        )
        return not all(wins(each, b"o" if mover == b"x" else b"x") for each in after)

    board = lesson.match("alice").position.stones
    winning = {
        game.grid.names[c]
        for c, s in enumerate(board)
        if s == ord(".") and not wins(board[:c] + b"x" + board[c + 1 :], b"o")
    }
    assert winning == solving(lesson)


def test_what_came_of_an_answer() -> None:
    for number, act, why in rows(Path(__file__).parent / "answers.txt", "answers"):
        kind, *moves = act.split(" ")
        judged = LESSONS[int(number) - 1].judge(Act("alice", kind, *moves))
        assert named(str(judged.why)) == why, (number, act)


def test_the_command_knows_the_last_lesson() -> None:
    assert len(LESSONS) == LAST


def test_a_lesson_is_explained_after_a_change_of_name(office: Office) -> None:
    """Its address names no mailbox, so it never speaks for the account under another name."""
    (lesson,) = office.send("bob", f"course bob {PASSWORD['bob']}")
    assert office.run("admin", "user", "rename", "bob", "robert").exit_code == 0
    office.letters()
    (told,) = office.send("bob", "Re: it", "C3", lesson.reply_to)
    assert told.to == address("bob")
    assert "Your account was called bob when we sent that letter." in told.words
