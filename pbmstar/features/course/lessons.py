"""The course: five boards of Star, each with one idea and a task that one reply solves. Pure.

The rules judge the answers, which are listed nowhere, and give the numbers in the texts too. So a lesson
cannot say anything that its board does not show.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from ...errors import Refusal, Sentence, Value, say, say_many
from ...games.base import STONE
from ...games.grids import EMPTY
from ...games.hexagon.star import Star
from ...match import Act
from ...match.acts import act
from ...match.match import Match, begin
from ...match.terms import NONE, Terms

OPPONENT = "bot1"  # the player of O
_TERMS = Terms(time=NONE)

Goal = Callable[[Match, Match], tuple[bool, Sentence]]  # with a clause that follows "With C3"


class Assessment(NamedTuple):
    """A judgement of an answer: if it solves the task, and its effect in a sentence."""

    right: bool
    why: Sentence


@dataclass(frozen=True)
class Lesson:
    """One lesson. In its texts ``{x}`` and ``{o}`` are the scores, ``{best}`` the most for X after one move.

    title  the subject
    size   the size of the board
    moves  the moves that have been played on it; it is X's turn
    idea   the thing to learn, in paragraphs
    task   the task of a reply
    hint   help for a player who has tried in vain
    goal   a function of the board before and after an answer: if that solves the task, and its effect
    words  answers that are not cells
    """

    title: Sentence
    size: int
    moves: str
    idea: tuple[Sentence, ...]
    task: Sentence
    hint: Sentence
    goal: Goal
    words: tuple[str, ...] = ()

    def match(self, userid: str) -> Match:
        """Return the lesson's board, with that player as X; it has no number and no times."""
        match = begin(0, Star({"size": str(self.size)}), (userid, OPPONENT), 0.0, _TERMS)
        for move in self.moves.split(" "):
            match = match.after(match.to_move, move, 0.0)
        return match

    def judge(self, answer: Act | None) -> Assessment:
        """Assess an act of the player as an answer to the task; None means no answer. Raises nothing.

        bot1 answers a pass with a pass if no stone can change the score.
        """
        if answer is None:
            return Assessment(
                False, say("I couldn't find an answer on the first line of your reply.")
            )
        before = self.match(answer.userid)
        try:
            after, _ = act(before, answer, 0.0)
        except Refusal as error:
            return Assessment(False, error.told)
        move: Value = after.record[-1].move
        if not self.words and after.position.stones == before.position.stones:
            word = str(move).capitalize()
            return Assessment(False, say("{move} doesn't put a stone on the board.", move=word))
        if move == "pass" and after.bounds.settled:
            after, move = after.after(OPPONENT, "pass", 0.0), say("you pass, and so does bot1")
        right, what = self.goal(before, after)
        return Assessment(right, say("With {move} {what}.", move=move, what=what))

    def filled(self, text: Sentence) -> Sentence:
        """Return a text of the lesson with the numbers of its board filled in."""
        before = self.match("x")
        x, o = before.points
        points = say_many("{count} point", "{count} points", x)
        return text.given(x=points, o=o, best=_best(before))


def _best(match: Match) -> int:
    """Return the most points that X can have after one move."""
    game, stones = match.game, match.position.stones
    free = (cell for cell, stone in enumerate(stones) if stone == EMPTY)
    return max(game.score(stones[:cell] + b"x" + stones[cell + 1 :]).points[0] for cell in free)


def _joined(_: Match, after: Match) -> tuple[bool, Sentence]:
    """Tell if all stones of X are one chain, with a clause that says so."""
    count = len(list(after.game.grid.chains(after.position.stones, STONE["X"])))
    if count == 1:
        return True, say("your stones are one chain")
    return False, say("your stones are {count} chains", count=count)


def _most(before: Match, after: Match) -> tuple[bool, Sentence]:
    """Tell if no other move would have brought X more points, with a clause about the points."""
    points = after.points[0]
    return points == _best(before), say_many(
        "you have {count} point", "you have {count} points", points
    )


def _ended(_: Match, after: Match) -> tuple[bool, Sentence]:
    """Tell if the game is over and X has won, with a clause that says so."""
    x, o = after.points
    if not after.position.over:
        return False, say("the game goes on, and the score is {x} to {o} as before", x=x, o=o)
    if after.winner == OPPONENT:
        return False, say("you give up a game that you had already won")
    return True, say("the game is over, and you have won by {x} to {o}", x=x, o=o)


LESSONS = (
    Lesson(
        say("A turn"),
        3,
        "C2 A4",
        (
            say(
                "You play X, and bot1 plays O. You take turns putting a stone on any empty "
                "cell. Stones never move, and they stay on the board to the end."
            ),
            say(
                "A cell is named by its letter and its number. The rows are numbered at the left; the "
                "columns slant down to the right, each to the letter at its foot. Your stone is on C2, "
                "bot1's is on A4."
            ),
            say(
                "A cell touches up to six others: two in its own row, two in the row above, "
                "and two in the row below. Stones of one color that touch form a chain."
            ),
        ),
        say("Put a second stone next to the one on C2, so that they form a chain."),
        say(
            "The cells to the left and right of C2 touch it, and so do the two nearest ones "
            "in the row above, and the two nearest in the row below."
        ),
        _joined,
    ),
    Lesson(
        say("The edge"),
        4,
        "E1 D1",
        (
            say(
                "You score at the edge. Imagine one more ring of places all around the board, "
                "just outside it. A cell at the edge touches two of these places, and a cell "
                "at one of the six corners touches three. Two neighboring cells at the edge "
                "have one of these places in common."
            ),
            say(
                "A chain scores a point for each place outside that it touches, minus 2. A "
                "place counts only once. A chain that doesn't reach the edge scores nothing."
            ),
        ),
        say(
            "Your stone on E1 touches two places. Take away 2, and that leaves {x}. Exactly one "
            "cell gives you {best}. Find it."
        ),
        say(
            "A lone stone on a corner scores 3 - 2 = 1. But if your new stone touches E1, "
            "they form one chain, and you lose the 2 only once."
        ),
        _most,
    ),
    Lesson(
        say("Few chains"),
        4,
        "D1 F1 C2 E1 D2 F4 F2 C4 F3 A6",
        (
            say(
                "Your score is what all your chains earn together, and each of them costs you 2 "
                "points. So if two players touch the same number of places outside, the one with "
                "fewer chains is ahead. When you join two of your chains, you save 2 points."
            ),
        ),
        say("You have two chains and {x} in all. Exactly one cell gives you {best}. Find it."),
        say(
            "A lone stone at the edge is one more chain. Look for a cell that touches both "
            "your chains."
        ),
        _most,
    ),
    Lesson(
        say("Bridges and cuts"),
        4,
        "A4 C5 B4 D6 D3 E2 E3 D5 B5 D2 E4 F2 F3 D1 B3 C3",
        (
            say(
                "Take two stones that don't touch, and two empty cells that each touch both "
                "stones: that's a bridge. If your opponent takes one of the two cells, you "
                "take the other, and your stones are joined. So a bridge is nearly as good as "
                "a chain."
            ),
            say(
                "What joins your stones may cut your opponent's: if you have a chain from "
                "edge to edge, the stones on either side of it can never be one chain."
            ),
        ),
        say(
            "Your stones on B4 and D3 were a bridge like that, and bot1 has just played C3 to "
            "cut it. Find the one move that wins: it joins all your stones into one chain."
        ),
        say("There were two cells that touch both B4 and D3. One of them is still empty."),
        _joined,
    ),
    Lesson(
        say("The end"),
        4,
        "D1 F4 A6 F3 D6 F1 A5 A4 E1 F2 E5 D4 C2 B3 E2 B5 B6 C3 C6 C4 C5 E4",
        (
            say("The higher score wins. A game ends when the board is full, but usually earlier."),
            say(
                "Instead of putting a stone on the board you can pass: just reply pass. If "
                "both of you pass in a row, the game ends with the score as it is. So pass "
                "only when no stone helps you."
            ),
            say(
                "When no stone can change the score any more, a game is settled. When the same "
                "player wins whatever happens, it's decided. Our letters tell you when that's "
                "so. Then the winner can end the game without asking: reply claim, and the board "
                "is the proof."
            ),
        ),
        say("This game is settled: you have {x}, and bot1 has {o}. End it."),
        say(
            "You could add another stone, but that doesn't end anything. Answer with a word, "
            "not with a cell: the lesson names two that will do."
        ),
        _ended,
        ("claim", "pass"),
    ),
)
