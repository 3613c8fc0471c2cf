"""The course: five boards of Star, each with one idea and a task that one reply solves. Pure.

The rules judge the answers, which are listed nowhere, and give the numbers in the texts too. So a lesson
cannot say anything that its board does not show.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from ...errors import Refusal, Sentence, say, say_many
from ...games.base import STONE
from ...games.grids import EMPTY
from ...games.hexagon.star import Star
from ...match import Act
from ...match.acts import act
from ...match.match import Match, begin
from ...match.terms import NONE, Terms

OPPONENT = "bot1"  # the player of O
_TERMS = Terms(time=NONE)

Goal = Callable[[Match, Match], tuple[bool, Sentence]]  # with a clause that follows "With C3,"


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
        move = after.record[-1].move
        if not self.words and after.position.stones == before.position.stones:
            word = move.capitalize()
            return Assessment(False, say("{move} doesn't put a stone on the board.", move=word))
        form = _IN_WORDS.get(move, say("With {move}, {what}."))
        if move == "pass" and after.bounds.settled:
            after = after.after(OPPONENT, "pass", 0.0)
        right, what = self.goal(before, after)
        return Assessment(right, form.given(move=move, what=what))

    def filled(self, text: Sentence) -> Sentence:
        """Return a text of the lesson with the numbers of its board filled in."""
        before = self.match("x")
        x, o = before.points
        points = say_many("{count} point", "{count} points", x)
        return text.given(x=points, o=o, best=_best(before))


# What answers in words do; ``{what}``: the clause of the goal.
_IN_WORDS = {
    "pass": say("You and bot1 both pass, so {what}."),
    "claim": say("You claim the win, so {what}."),
    "resign": say("If you resign, {what}."),
}


def _best(match: Match) -> int:
    """Return the most points that X can have after one move."""
    game, stones = match.game, match.position.stones
    free = (cell for cell, stone in enumerate(stones) if stone == EMPTY)
    return max(game.score(stones[:cell] + b"x" + stones[cell + 1 :]).points[0] for cell in free)


def _joined(_: Match, after: Match) -> tuple[bool, Sentence]:
    """Tell if all stones of X are one chain, with a clause that says so."""
    count = len(list(after.game.grid.chains(after.position.stones, STONE["X"])))
    if count == 1:
        return True, say("your stones form one chain")
    return False, say("your stones form {count} chains", count=count)


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
        return False, say("the game continues, and the score is still {x} to {o}", x=x, o=o)
    if after.winner == OPPONENT:
        return False, say("you give up a game that you've already won")
    return True, say("the game is over, and you've won {x} to {o}", x=x, o=o)


LESSONS = (
    Lesson(
        say("Taking turns"),
        3,
        "C2 A4",
        (
            say(
                "You play X, and bot1 plays O. You take turns putting a stone on any empty "
                "cell. Stones never move, and they stay on the board to the end."
            ),
            say(
                "Each cell is named by a letter and a number. To find C2, start at the "
                "letter C at the bottom and follow its slanting column up to row 2. That's "
                "where your stone is. bot1's stone is on A4."
            ),
            say(
                "A cell touches up to six others: two in its own row, two in the row above, "
                "and two in the row below. Stones of one color that touch form a chain."
            ),
        ),
        say("Put a second stone next to the one on C2, so that the two form a chain."),
        say(
            "C2 touches the cells to its left and right, the two nearest cells in the row "
            "above, and the two nearest in the row below."
        ),
        _joined,
    ),
    Lesson(
        say("The edge"),
        4,
        "E1 D1",
        (
            say(
                "You score at the edge. Imagine one more ring of cells all around the board, "
                "just outside it. A cell at the edge touches two of these outside cells, and "
                "a cell at one of the six corners touches three. Two cells next to each "
                "other at the edge share one of them."
            ),
            say(
                "A chain scores a point for each outside cell it touches, minus 2. If "
                "several of its stones touch the same outside cell, that's still just one "
                "point. A chain that doesn't reach the edge scores nothing."
            ),
        ),
        say(
            "Your stone on E1 touches two outside cells. Take away 2, and you have {x}. "
            "Exactly one cell gives you {best}. Find it."
        ),
        say(
            "A lone stone on a corner scores 3 - 2 = 1. But if your new stone touches the "
            "one on E1, the two form a single chain, and you lose the 2 points only once."
        ),
        _most,
    ),
    Lesson(
        say("Fewer chains"),
        4,
        "D1 F1 C2 E1 D2 F4 F2 C4 F3 A6",
        (
            say(
                "Your score is the total of all your chains, and each chain costs you 2 "
                "points. So if you and your opponent touch the same number of outside cells, "
                "the one with fewer chains is ahead. When you join two of your chains, you "
                "save 2 points."
            ),
        ),
        say("You have two chains and {x} in all. Exactly one cell gives you {best}. Find it."),
        say(
            "A lone stone at the edge would be one more chain. Look for a cell that touches "
            "both of your chains."
        ),
        _most,
    ),
    Lesson(
        say("Bridges and cuts"),
        4,
        "A4 C5 B4 D6 D3 E2 E3 D5 B5 D2 E4 F2 F3 D1 B3 C3",
        (
            say(
                "Suppose two of your stones don't touch, but there are two empty cells that "
                "each touch both stones. That's a bridge: if your opponent takes one of the "
                "two cells, you take the other, and your stones are joined. So a bridge is "
                "nearly as good as a chain."
            ),
            say(
                "By joining your own stones, you can cut your opponent's apart: if your "
                "chain runs from edge to edge, your opponent's stones on one side of it can "
                "never join those on the other."
            ),
        ),
        say(
            "Your stones on B4 and D3 formed a bridge like that, and bot1 has just played C3 "
            "to cut it. Find the one move that wins: it joins all your stones into one "
            "chain."
        ),
        say("Two cells touch both B4 and D3, and one of them is still empty."),
        _joined,
    ),
    Lesson(
        say("The end"),
        4,
        "D1 F4 A6 F3 D6 F1 A5 A4 E1 F2 E5 D4 C2 B3 E2 B5 B6 C3 C6 C4 C5 E4",
        (
            say(
                "The higher score wins. A game ends when the board is full, but most games "
                "end before that."
            ),
            say(
                "Instead of putting a stone on the board, you can pass, by replying with just "
                "the word pass. If you both pass, one right after the other, the game ends and "
                "the score stands. So only pass when no stone would help you."
            ),
            say(
                "When no more stones can change the score, the game is settled. When one player "
                "is sure to win whatever happens, it's decided. Our letters tell you when either "
                "one is the case. From then on, the winner can end the game by replying with "
                "just the word claim, without asking the other player."
            ),
        ),
        say("This game is settled: you have {x}, and bot1 has {o}. End it."),
        say(
            "You could add another stone, but that wouldn't end the game. Answer with a word, "
            "not a cell. This lesson mentions two words that end a game."
        ),
        _ended,
        ("claim", "pass"),
    ),
)
