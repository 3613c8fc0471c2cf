"""What plans do: they are looked at when they come, and carried out when the opponent has moved.

Happenings of a plan: ``answered`` (userid, the move), which both players are told; and those of
``PRIVATE``, which only the player of the plan is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..errors import BadInput, IllegalMove, Refusal
from ..games.base import Position
from .match import Match
from .plans import Branch, Plan, Planned, answers_pass_with_pass, lines, read
from .record import Happening
from .requests import Result, over

# planned (the plan, an alternative a line), passing (it may end the game), unplanned (it was
# dropped), misplanned (why it is refused), unanswered (the move that it does not answer), unplayable
# (its answer, and why), set_aside (the kind of what the opponent asks).
# Of notes: noted, unnoted.
PRIVATE = frozenset(
    (
        "planned",
        "passing",
        "unplanned",
        "misplanned",
        "unanswered",
        "unplayable",
        "set_aside",
        "noted",
        "unnoted",
    )
)
# Moves of one plan that are tried at most: with "or" there may be very many ways through it.
_LOOKED_AT = 500


def plan_of(match: Match, userid: str) -> Plan:
    """A player's plan; empty if there is none."""
    return next((each.plan for each in match.plans if each.userid == userid), ())


def drop(match: Match, userid: str) -> Result:
    """Have no plan any more; who had none is told that there is none."""
    if not plan_of(match, userid):
        return match, confirmed(match, userid)
    return _with(match, userid, ()), (Happening("unplanned", userid),)


def keep(match: Match, userid: str, text: str, seen: int | None) -> Result:
    """Have a plan for the opponent's move, which is due. Raises Refusal."""
    if seen is not None and seen < len(match.record) - 1:
        raise Refusal(
            "Your reply answers a mail about an earlier turn; the board has changed since.", "late"
        )
    after = _with(match, userid, _checked(match, userid, text))
    return after, confirmed(after, userid)


def add(match: Match, userid: str, text: str, happenings: tuple[Happening, ...]) -> Result:
    """Have the plan that came with a move. What is wrong with it does not undo the move."""
    try:
        plan = _checked(match, userid, text)
    except Refusal as error:
        return match, (*happenings, Happening("misplanned", userid, str(error)))
    return _with(match, userid, plan), happenings


def confirmed(match: Match, userid: str) -> tuple[Happening, ...]:
    """That a player has this plan, or none; and whether it may end the game by passes."""
    plan = plan_of(match, userid)
    happening = Happening("planned", userid, "\n".join(lines(plan, match.turn)))
    if answers_pass_with_pass(plan):
        return happening, Happening("passing", userid)
    return (happening,)


def answer_late(match: Match, userid: str, text: str, seen: int | None, at: float) -> Result:
    """Carry out a plan that crossed the opponent's move, if it answers that. Raises Refusal."""
    opponent = match.opponent(userid)
    last = match.record[-1] if match.record else None
    if last is None or last.userid != opponent or seen not in (None, len(match.record) - 1):
        raise IllegalMove(
            "It is your turn. Put your move before the plan, like: F6 if G7 then H8",
            "your-turn",
        )
    if match.request and match.request.userid == opponent:
        raise Refusal(f"Answer {opponent}'s request first.", "request-first")
    plan = _checked(match.before_last(), userid, text)
    branch = _fitting(plan, last.move)
    if branch is None:
        raise IllegalMove(
            f"It is your turn: {opponent} has played {last.move}, and your plan has no answer to it.",
            "no-answer",
        )
    after = match.after(userid, branch.answer, at, by_plan=1)
    crossed = Happening("moved", opponent, last.move)
    return _with(after, userid, branch.rest), (
        crossed,
        Happening("answered", userid, branch.answer),
    )


def carry_out(before: Match, after: Match, happenings: tuple[Happening, ...], at: float) -> Result:
    """The match after all planned answers to what was done to it, and what happened.

    Each answer uses up a level of a plan, so it ends.
    """
    if after.resets != before.resets:
        gone = tuple(Happening("unplanned", each.userid) for each in after.plans)
        return replace(after, plans=()), happenings + gone
    if len(after.record) == len(before.record):
        return after, happenings
    request, happened = after.request, list(happenings)
    while not after.position.over and (plan := plan_of(after, owner := after.to_move)):
        last, after = after.record[-1].move, _with(after, owner, ())
        branch = _fitting(plan, last)
        if request and request.userid != owner:
            happened.append(Happening("set_aside", owner, request.kind))
        elif branch is None:
            happened.append(Happening("unanswered", owner, last))
        else:
            try:
                after = after.after(owner, branch.answer, at, by_plan=1)
            except IllegalMove as error:
                happened.append(Happening("unplayable", owner, f"{branch.answer}: {error}"))
                continue
            after = _with(after, owner, branch.rest)
            happened.append(Happening("answered", owner, branch.answer))
    if after.position.over:
        after = replace(after, plans=())
    return after, tuple(happened)


def _with(match: Match, userid: str, plan: Plan) -> Match:
    others = tuple(each for each in match.plans if each.userid != userid)
    return replace(match, plans=(*others, Planned(userid, plan)) if plan else others)


def _fitting(plan: Plan, move: str) -> Branch | None:
    """The first alternative that answers a move."""
    return next((branch for branch in plan if branch.fits(move)), None)


def _checked(match: Match, userid: str, text: str) -> Plan:
    """The plan of a text, looked at on the position as it is. Raises Refusal at the first wrong step.

    What stands under ``any`` and ``else`` comes after moves that are not known, so that only the form
    of it is looked at.
    """
    opponent = match.opponent(userid)
    if not opponent:
        raise Refusal("A puzzle has no opponent, so there is nothing to plan for.", "no-opponent")
    if match.position.over:
        raise over()
    try:
        plan = read(text, match.game.read, match.turn)
        _Look(opponent).through(match.position, plan, ())
    except Refusal as error:
        raise Refusal(f"Your plan is refused: {error}", error.code) from None
    return plan


def is_legal(match: Match, userid: str, plan: Plan) -> bool:
    """Whether a plan that is kept can be one for the position as it is."""
    try:
        _Look(match.opponent(userid)).through(match.position, plan, ())
    except Refusal:
        return False
    return match.to_move == match.opponent(userid) != ""


class _Look:
    """Goes through a plan, and counts the moves that it has tried."""

    def __init__(self, opponent: str) -> None:
        self._opponent = opponent
        self._left = _LOOKED_AT

    def through(self, position: Position, plan: Plan, path: Sequence[str]) -> None:
        """Look at all steps of a plan. Raises Refusal."""
        for branch in plan:
            for trigger in branch.triggers:
                mine = self._played(position, trigger, path, f"{self._opponent}'s")
                steps = (*path, trigger)
                after = self._played(mine, branch.answer, steps, "your")
                self.through(after, branch.rest, (*steps, branch.answer))

    def _played(self, position: Position, move: str, path: Sequence[str], whose: str) -> Position:
        self._left -= 1
        if self._left < 0:
            raise BadInput("There are too many ways through this plan: write fewer.", "long-plan")
        try:
            return position.play(move)
        except IllegalMove as error:
            where = f"after {' '.join(path)} " if path else ""
            why = (
                "is taken" if str(error) == f"The cell {move} is taken." else f"is refused: {error}"
            )
            dot = "" if why.endswith(".") else "."
            raise IllegalMove(f"{where}{whose} {move} {why}{dot}", error.code) from None
