"""Plans: a player's answers to moves that the opponent has yet to make; how they are written and read.

    plan    := branch (";" branch)*                    alternatives, tried in order
    branch  := "if" trigger "then" answer ("," branch | "(" plan ")")?
             | "else" answer                           any other move except a swap
    trigger := choice ("or" choice)* | "any"

A comma goes deeper: the branch after it answers the next move. Without brackets a semicolon goes
back to the first move. "if" may be left out, and "then" may be written ``:`` or ``->``. A number after
a move, ``H8#9``, is the number that the move must have.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from ..errors import BadInput, InvalidMove, Sentence, say, together
from ..games.spelling import plain, shown

LONGEST = 1000  # characters
MOST_BRANCHES = 30
DEEPEST = 30  # moves of both players in a row
LIKE = "if G7 then H8, if D4 then E5; else pass"
ANY = "any"


class Branch(NamedTuple):
    """One alternative of a plan. All moves are canonical texts of the game.

    triggers  the opponent's moves that it answers; if empty, any move except a swap
    answer    the move that answers them; it may be ``resign``
    rest      the plan after the answer
    """

    triggers: tuple[str, ...]
    answer: str
    rest: tuple[Branch, ...] = ()

    def fits(self, move: str) -> bool:
        """Tell if it answers that move. The cells of one turn may stand in any order."""
        if not self.triggers:
            return move != "swap"
        return any(_same(trigger, move) for trigger in self.triggers)

    @property
    def counted(self) -> bool:
        """Tell if the move that it answers takes a number."""
        return self.triggers != ("swap",)


Plan = tuple[Branch, ...]


class Planned(NamedTuple):
    """A player's plan on a board, for the position as it is."""

    userid: str
    plan: Plan


def read(text: str, read_move: Callable[[Sequence[str]], str], turn: int | None = None) -> Plan:
    """Return the plan that a player has written.

    read_move  returns the canonical text of a move's words, or raises InvalidMove or BadInput
    turn       the number of the move that the plan answers; the numbers after moves must agree with it

    Raises BadInput, which names the step that cannot be read.
    """
    if len(text) > LONGEST:
        raise BadInput(say("A plan can have at most {most} characters.", most=LONGEST), "long-plan")
    return _PlanReader(text, read_move, turn).whole()


def write(plan: Plan, turn: int | None = None) -> str:
    """Return the plan as a text that ``read`` accepts.

    With ``turn``, the number of the move that the plan answers, its moves are numbered.
    """
    return "; ".join(_written(branch, turn, last=branch is plan[-1]) for branch in plan)


def outline(plan: Plan, turn: int, depth: int = 0) -> list[Sentence]:
    """Return the plan as a tree, a line for each answer: its depth, its triggers, its move numbers."""
    lines = []
    for branch in plan:
        step = _written(branch._replace(rest=()), turn, last=True)
        line = (
            say(
                "Answer {number}: {move}, if anything else is played",
                number=depth + 1,
                move=step[5:],
            )
            if step.startswith("else ")
            else say("Answer {number}: {step}", number=depth + 1, step=step)
        )
        lines.append(together("  " * depth, line, by=""))
        number = turn + branch.counted
        lines += outline(branch.rest, number + (branch.answer != "swap"), depth + 1)
    return lines


def answers_pass_with_pass(plan: Plan) -> bool:
    """Tell if the plan may answer a pass with a pass, which ends the game."""
    return any(
        (branch.answer == "pass" and branch.fits("pass")) or answers_pass_with_pass(branch.rest)
        for branch in plan
    )


def _same(one: str, other: str) -> bool:
    return one == other or (" " in one and sorted(one.split(" ")) == sorted(other.split(" ")))


def _written(branch: Branch, turn: int | None, last: bool) -> str:
    def numbered(move: str, number: int | None) -> str:
        takes_none = number is None or move in ("swap", "resign")
        return move if takes_none else f"{move}#{number}"

    number = turn if turn is None or not branch.counted else turn + 1
    answer = numbered(branch.answer, number)
    if not branch.triggers and not branch.rest and last:
        return f"else {answer}"
    triggers = " or ".join(numbered(move, turn) for move in branch.triggers) or ANY
    step = f"if {triggers} then {answer}"
    if not branch.rest:
        return step
    number = number if number is None or branch.answer == "swap" else number + 1
    rest = write(branch.rest, number)
    return f"{step}, ({rest})" if len(branch.rest) > 1 else f"{step}, {rest}"


_MARKS = re.compile(r"([();,])")
_THEN_AFTER_COMMA = re.compile(r",(\s*then\b)", re.I)
_THEN = (
    re.compile(r"\s+then\s+", re.I),
    re.compile(r"\s*:\s*"),
    re.compile(r"\s*(?:-?>|=>|\u2192)\s*"),
)
_IF = re.compile(r"(if|else)\b\s*", re.I)
_OR = re.compile(r"\s+or\s+", re.I)
_GUARD = re.compile(r"(.*?)\s*#([0-9]{1,5})")


class _PlanReader:
    """A reader of one plan, from left to right."""

    def __init__(
        self, text: str, read_move: Callable[[Sequence[str]], str], turn: int | None
    ) -> None:
        text = _THEN_AFTER_COMMA.sub(r"\1", " ".join(plain(word) for word in text.split()))
        parts = (part.strip() for part in _MARKS.split(text.rstrip(".!; ")))
        self._parts = [part for part in parts if part]
        self._read_move = read_move
        self._turn = turn
        self._branches = 0

    def whole(self) -> Plan:
        plan = self._plan(self._turn, 0)
        if self._parts:
            raise _unclear(self._parts[0])
        return plan

    def _next(self, mark: str) -> bool:
        """Tell if the next part is that mark; if it is, go on to the part after it."""
        is_next = self._parts[:1] == [mark]
        del self._parts[:is_next]
        return is_next

    def _plan(self, turn: int | None, depth: int) -> Plan:
        branches = [self._branch(turn, depth)]
        while self._next(";"):
            branches.append(self._branch(turn, depth))
        return _joined(branches)

    def _branch(self, turn: int | None, depth: int) -> Branch:
        self._branches += 1
        if self._branches > MOST_BRANCHES:
            raise BadInput(
                say("A plan can have at most {most} branches.", most=MOST_BRANCHES),
                "long-plan",
            )
        if depth + 2 > DEEPEST:
            raise BadInput(
                say("A plan can look at most {most} moves ahead.", most=DEEPEST), "long-plan"
            )
        if not self._parts or _MARKS.fullmatch(self._parts[0]):
            raise _unclear(self._parts[0] if self._parts else "")
        branch, turn = self._step(self._parts.pop(0), turn)
        is_deeper = self._next(",")
        if self._next("("):
            branch = branch._replace(rest=self._plan(turn, depth + 2))
            if not self._next(")"):
                raise BadInput(
                    say("Your plan opens a parenthesis but never closes it."), "bad-plan"
                )
        elif is_deeper:
            branch = branch._replace(rest=(self._branch(turn, depth + 2),))
        return branch

    def _step(self, text: str, turn: int | None) -> tuple[Branch, int | None]:
        """Return an answer with its triggers, and the number of the opponent's next move. Raises BadInput."""
        word = _IF.match(text)
        rest = text[word.end() :] if word else text
        triggers: tuple[str, ...] = ()
        if not word or word[1].lower() == "if":
            cut = next((cut for form in _THEN if (cut := form.search(rest))), None)
            if cut is None:
                raise _unclear(text)
            choices = _OR.split(rest[: cut.start()])
            rest = rest[cut.end() :]
            if [choice.lower() for choice in choices] != [ANY]:
                triggers = tuple(dict.fromkeys(self._move(choice, turn) for choice in choices))
            if "resign" in triggers:
                raise BadInput(
                    say(
                        'A plan can\'t have an answer to "resign", because resigning ends the game.'
                    ),
                    "bad-plan",
                )
        branch = Branch(triggers, "")
        turn = turn if turn is None or not branch.counted else turn + 1
        branch = branch._replace(answer=self._move(rest, turn))
        return branch, turn if turn is None or branch.answer == "swap" else turn + 1

    def _move(self, text: str, number: int | None) -> str:
        if guard := _GUARD.fullmatch(text):
            text = guard[1]
            if number is not None and int(guard[2]) != number:
                move = " ".join(shown(word) for word in text.split())
                raise BadInput(
                    say(
                        "Your plan says that {move} is move {guard}, but it would be move {number}.",
                        move=move,
                        guard=guard[2],
                        number=number,
                    ),
                    "guard",
                )
        words = [word for each in text.split() if (word := each.strip("\"'`.!"))]
        if not words:
            raise _unclear(text)
        try:
            return self._read_move(words)
        except (InvalidMove, BadInput) as error:
            move = " ".join(shown(word) for word in words)
            is_named = move in str(error)
            why = error.said if is_named else say("{move}: {why}", move=move, why=error.said)
            raise BadInput(why, error.code) from None


def _unclear(part: str) -> BadInput:
    words = " ".join(shown(word) for word in part.split()[:4])
    text = (
        say(
            "I can't follow your plan from here: {words}. Write a plan like: {example}.",
            words=words,
            example=LIKE,
        )
        if part
        else say("I can't follow the end of your plan. Write a plan like: {example}.", example=LIKE)
    )
    return BadInput(text, "bad-plan")


def _joined(branches: Sequence[Branch]) -> Plan:
    """Return the alternatives in order; those with the same triggers and answer become one.

    Raises BadInput for an alternative that can never be reached.
    """
    plan: list[Branch] = []
    for branch in branches:
        alike = [i for i, each in enumerate(plan) if each[:2] == branch[:2]]
        if alike:
            first = plan[alike[0]]
            plan[alike[0]] = first._replace(rest=_joined((*first.rest, *branch.rest)))
            continue
        if plan and not plan[-1].triggers:
            raise BadInput(
                say(
                    'Nothing can come after "else" or "any", because they already cover every move.'
                ),
                "bad-plan",
            )
        for trigger in branch.triggers:
            if any(each.triggers and each.fits(trigger) for each in plan):
                raise BadInput(
                    say("Your plan has two answers to {trigger}.", trigger=trigger), "bad-plan"
                )
        plan.append(branch)
    return tuple(plan)
