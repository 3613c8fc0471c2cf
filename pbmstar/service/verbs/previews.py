"""Moves tried out on a board: shown with their scores, and what a yes to them means."""

from __future__ import annotations

from functools import partial

from ...command import Command
from ...errors import Refusal
from ...identity import draft_mark
from ...match import Act, Match, begin
from ...match.plans import write
from ...match.preview import plan_in, try_out
from ...store import Draft, User
from .. import rations
from ..apply import look
from ..post import post_board, turn_of
from ..receipts import bot_of
from ..work import BoardRefusal, Seat, Work

_A_MINUTE = 5  # previews for one account
_NOBODY = {1: ("player",), 2: ("first", "second")}  # play a new board: a swap exchanges X and O


def preview(work: Work, command: Command, reader: User) -> None:
    """Mail what moves would make of a board, or of a new one; a player of it may then say yes."""
    if work.limited and work.tx.count(f"preview {reader.userid}", work.now, 60) > _A_MINUTE:
        raise Refusal("There may be five previews a minute; wait a little.", "too-many-previews")
    at = command.args.get("at")
    if command["board"] is None:
        assert command.game is not None
        seats = _NOBODY[len(command.game.seats)]
        match = begin(0, command.game(command["options"]), seats, work.now)
    else:
        match = look(work, command["board"], reader, command.game)
        if at is not None and at > match.position.played:
            raise BoardRefusal(f"Board {match.number} has no move {at} yet.", "no-move", match)
    base = match if at is None else match.at_move(at)
    shown, stopped = try_out(base, command["tried"])
    moves = [entry.move for entry in shown.record[len(base.record) :]]
    if not moves:
        raise (
            BoardRefusal(stopped, "no-move", base) if match.number else Refusal(stopped, "no-move")
        )
    turn, offers, mark = match if match.number else None, [], ""
    if at is None and match.player(reader.userid) and len(match.seats) == 2:
        offers = _offers(match, reader.userid, moves, may_plan=not bot_of(work, match.seats))
        kept = Draft(match.resets, len(match.record), ", ".join(moves))
        work.tx.set_draft(match.number, reader.userid, kept)
        mark = _mark(work, match, reader.userid, kept.moves)
    facts = {"first": len(base.record), "stopped": stopped, "offers": offers}
    letter = partial(
        post_board,
        work,
        shown,
        to=(reader.userid,),
        template="preview",
        facts=facts,
        answers=reader.userid,
        turn=turn,
        mark=mark,
    )
    rations.ask(work, reader, ("preview", match.number, at, tuple(moves)), letter)


def accepted(work: Work, seat: Seat, with_plan: bool) -> Act:
    """What a yes to a preview means: to play its first move; ``with_plan``: and to plan the rest.

    Raises BoardRefusal if it is not the newest one, or there is nothing to play.
    """
    match = seat.match
    if match.request and match.request.userid != seat.userid:
        raise BoardRefusal(
            f"{match.request.userid} asks you something too, so it is not clear what you agree to. Reply "
            "with your move, or to another letter of this board with accept or decline.",
            "two-questions",
            match,
        )
    draft = work.tx.draft(match.number, seat.userid)
    if (
        draft is None
        or draft[:2] != (match.resets, len(match.record))
        or _mark(work, match, seat.userid, draft.moves) != seat.draft
    ):
        raise BoardRefusal(
            "That is not your newest preview of this board. Say yes to that, or reply with your move.",
            "other-preview",
            match,
        )
    moves = draft.moves.split(", ")
    if match.to_move == seat.userid:
        plan = write(plan_in(moves[1:])) if with_plan else ""
        return Act(seat.userid, "move", moves[0], plan=plan)
    if with_plan and plan_in(moves):
        return Act(seat.userid, "plan", write(plan_in(moves)))
    raise BoardRefusal(
        "It is not your turn. A preview with an answer of yours can be planned: yes plan",
        "not-your-turn",
        match,
    )


def _offers(match: Match, userid: str, moves: list[str], may_plan: bool) -> list[str]:
    """What a player can do with a preview, a sentence each."""
    if match.to_move == userid:
        lines = [f"To play {moves[0]}: reply yes."]
        if may_plan and plan_in(moves[1:]):
            lines.append(f"To play {moves[0]} and plan the rest: reply yes plan.")
        return lines
    return ["To plan this: reply yes plan."] if may_plan and plan_in(moves) else []


def _mark(work: Work, match: Match, userid: str, moves: str) -> str:
    return draft_mark(work.keys, turn_of(match, userid), moves)
