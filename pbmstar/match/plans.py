"""Moves ahead of time. A plan is checked when it comes, and carried out when the opponent has moved.

A preview tries moves out, and plays nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..errors import BadInput, IllegalMove, InvalidMove, Refusal, Sentence, say, together
from ..games.base import Position, game_over
from ..machine.times import Epoch
from . import happenings as h
from .happenings import Happening
from .match import Match
from .plan_grammar import Branch, Plan, Planned, answers_pass_with_pass, outline, read

# The most moves of one plan that are tried: with "or" there may be very many ways through it.
_LOOKED_AT = 500
MOST_TRIED = 40  # moves of one preview
_MOST_WORDS = 4  # of one move of it

Result = tuple[Match, tuple[Happening, ...]]


def plan_of(match: Match, userid: str) -> Plan:
    """Return a player's plan; empty if there is none."""
    return next((each.plan for each in match.plans if each.userid == userid), ())


def drop(match: Match, userid: str) -> Result:
    """Drop a player's plan; a player who has none is told so."""
    if not plan_of(match, userid):
        return match, confirmed(match, userid)
    return _with(match, userid, ()), (h.PlanDropped(userid),)


def keep(match: Match, userid: str, text: str, seen: int | None) -> Result:
    """Keep a plan for the opponent's move, which is due. Raises Refusal."""
    if seen is not None and seen < len(match.record) - 1:
        raise Refusal(
            say("You've replied to an older letter, and the board has changed since then."),
            "late",
        )
    after = _with(match, userid, _checked(match, userid, text))
    return after, confirmed(after, userid)


def add(match: Match, userid: str, text: str, happenings: tuple[Happening, ...]) -> Result:
    """Keep the plan that came with a move. If the plan is refused, the move stands."""
    try:
        plan = _checked(match, userid, text)
    except Refusal as error:
        return match, (*happenings, h.PlanRefused(userid, error.told))
    return _with(match, userid, plan), happenings


def confirmed(match: Match, userid: str) -> tuple[Happening, ...]:
    """Return the happenings that tell a player the plan, empty or not, and that passes may end the game."""
    plan = plan_of(match, userid)
    happening = h.PlanKept(userid, tuple(outline(plan, match.turn)))
    if answers_pass_with_pass(plan):
        return happening, h.PlanPasses(userid)
    return (happening,)


def answer_late(match: Match, userid: str, text: str, seen: int | None, at: Epoch) -> Result:
    """Carry out a plan that crossed the opponent's move. Raises Refusal, also if it has no answer to that."""
    opponent = match.opponent(userid)
    last = match.record[-1] if match.record else None
    if last is None or last.userid != opponent or seen not in (None, len(match.record) - 1):
        raise IllegalMove(
            say("It's your turn. Put your move before the plan, for example: F6 if G7 then H8"),
            "your-turn",
        )
    if match.request and match.request.userid == opponent:
        raise Refusal(say("Answer {opponent}'s request first.", opponent=opponent), "request-first")
    plan = _checked(match.before_last(), userid, text)
    branch = _fitting(plan, last.move)
    if branch is None:
        raise IllegalMove(
            say(
                "It's your turn now: {opponent} played {move}, and your plan has no answer "
                "to that.",
                opponent=opponent,
                move=last.move,
            ),
            "no-answer",
        )
    after = match.after(userid, branch.answer, at, by_plan=1)
    crossed = h.Moved(opponent, last.move)
    return _with(after, userid, branch.rest), (
        crossed,
        h.Answered(userid, branch.answer),
    )


def carry_out(before: Match, after: Match, happenings: tuple[Happening, ...], at: Epoch) -> Result:
    """Return the match after all planned answers to an act, and all happenings.

    ``before`` and ``after`` are the match before and after the act, ``happenings`` what the act has caused.
    Each answer uses up a level of a plan, so the answers come to an end.
    """
    if after.resets != before.resets:
        gone = tuple(h.PlanDropped(each.userid) for each in after.plans)
        return replace(after, plans=()), happenings + gone
    if len(after.record) == len(before.record):
        return after, happenings
    request, happened = after.request, list(happenings)
    while not after.position.over and (plan := plan_of(after, owner := after.to_move)):
        last, after = after.record[-1].move, _with(after, owner, ())
        branch = _fitting(plan, last)
        if request and request.userid != owner:
            happened.append(h.PlanSetAside(owner, request.kind))
        elif branch is None:
            happened.append(h.PlanSilent(owner, last))
        else:
            try:
                after = after.after(owner, branch.answer, at, by_plan=1)
            except IllegalMove as error:
                happened.append(h.PlanFailed(owner, branch.answer, error.told))
                continue
            after = _with(after, owner, branch.rest)
            happened.append(h.Answered(owner, branch.answer))
    if after.position.over:
        after = replace(after, plans=())
    return after, tuple(happened)


def _with(match: Match, userid: str, plan: Plan) -> Match:
    others = tuple(each for each in match.plans if each.userid != userid)
    return replace(match, plans=(*others, Planned(userid, plan)) if plan else others)


def _fitting(plan: Plan, move: str) -> Branch | None:
    """Return the first alternative that answers a move."""
    return next((branch for branch in plan if branch.fits(move)), None)


def _checked(match: Match, userid: str, text: str) -> Plan:
    """Return the plan of a text, checked on the current position. Raises Refusal at the first wrong step.

    Answers to ``any`` and ``else`` come after moves that are not known, so only their form is checked.
    """
    opponent = match.opponent(userid)
    if not opponent:
        raise Refusal(
            say("You play a puzzle alone, so there's no opponent to plan for."), "no-opponent"
        )
    if match.position.over:
        raise game_over()
    try:
        plan = read(text, match.game.read, match.turn)
        _Walkthrough(opponent).through(match.position, plan, ())
    except Refusal as error:
        raise Refusal(together(say("We can't use your plan."), error.said), error.code) from None
    return plan


def is_legal(match: Match, userid: str, plan: Plan) -> bool:
    """Tell if a plan that is kept is possible in the current position."""
    try:
        _Walkthrough(match.opponent(userid)).through(match.position, plan, ())
    except Refusal:
        return False
    return match.to_move == match.opponent(userid) != ""


class _Walkthrough:
    """A walk through a plan, which counts the moves that it has tried."""

    def __init__(self, opponent: str) -> None:
        self._opponent = opponent
        self._left = _LOOKED_AT

    def through(self, position: Position, plan: Plan, path: Sequence[str]) -> None:
        """Check all steps of a plan. Raises Refusal."""
        for branch in plan:
            for trigger in branch.triggers:
                mine = self._played(position, trigger, path, self._opponent)
                steps = (*path, trigger)
                after = self._played(mine, branch.answer, steps, "")
                self.through(after, branch.rest, (*steps, branch.answer))

    def _played(self, position: Position, move: str, path: Sequence[str], who: str) -> Position:
        """Return the position after a step of the opponent ``who``, or of the player if it is empty."""
        self._left -= 1
        if self._left < 0:
            raise BadInput(
                say("Your plan covers too many possibilities. Please write a shorter one."),
                "long-plan",
            )
        try:
            return position.play(move)
        except IllegalMove as error:
            step = _step(move, path, who)
            raise IllegalMove(together(step, error.said), error.code) from None


def _step(move: str, path: Sequence[str], who: str) -> Sentence:
    """Return a sentence that names a step of a plan that cannot be played, see ``_played``."""
    moves = " ".join(path)
    if not path:
        return say("{who} can't play {move}.", who=who, move=move)
    if not who:
        return say("After {moves}, you can't play {move}.", moves=moves, move=move)
    return say("After {moves}, {who} can't play {move}.", moves=moves, who=who, move=move)


# -- previews


def try_out(match: Match, words: Sequence[str]) -> tuple[Match, Sentence | None]:
    """Return the match after the moves in the words, and a sentence if it had to stop before their end.

    The first move that is not allowed ends the preview. The players move by turns; a turn of two cells
    is two words.
    """
    at, count = 0, 0
    while at < len(words):
        if count == MOST_TRIED:
            text = say(
                "A preview can have at most {most} moves, so we left out the rest.", most=MOST_TRIED
            )
            return match, text
        try:
            match, length = _first(match, words[at:])
        except Refusal as error:
            return match, together(say("The preview stops there."), error.said)
        at, count = at + length, count + 1
    return match, None


def _first(match: Match, words: Sequence[str]) -> tuple[Match, int]:
    """Return the match after the first move in the words, and its number of words. Raises Refusal."""
    if match.position.over:
        raise game_over()
    usual = len(next(match.position.moves(), "").split()) or 1
    lengths = [usual, *(n for n in range(1, _MOST_WORDS + 1) if n != usual)]
    trouble: Refusal | None = None
    for length in lengths:
        if length > len(words):
            continue
        try:
            move = match.game.read(words[:length])
            if move in ("resign", "undo"):
                raise InvalidMove(say("You can't try out {move}.", move=move), "no-move")
            return match.after(match.to_move, move, match.since), length
        except Refusal as error:
            trouble = trouble or error
    raise trouble or InvalidMove(
        say("{words} isn't a complete move.", words=" ".join(words)), "no-move"
    )


def steps(match: Match, first: int) -> Iterator[Match]:
    """Return the match after each entry of its record from ``first`` on."""
    for length in range(first + 1, len(match.record) + 1):
        yield match.before_last(len(match.record) - length)


def plan_in(moves: Sequence[str]) -> Plan:
    """Return the plan that answers the first of some moves with the second, and so on; it may be empty."""
    plan: Plan = ()
    for place in range(len(moves) // 2 * 2 - 2, -1, -2):
        plan = (Branch((moves[place],), moves[place + 1], plan),)
    return plan
