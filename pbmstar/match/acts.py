"""The acts of players on a match, and their happenings. Pure: no store, no letters, no clock.

A player may ask the other for one thing at a time. A request lapses when the player who is asked moves
(``Match.after``), and when the game ends; a newer request of the asker replaces it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice, product
from typing import NamedTuple

from ..errors import IllegalMove, Refusal, Sentence, say, together
from ..games.base import game_over
from ..machine.times import DAY, Epoch
from . import happenings as h
from . import plans
from .happenings import Event, Happening
from .match import Match
from .plans import Result
from .record import (
    AGREE,
    CANCEL,
    CLAIM,
    DRAW,
    FORFEIT,
    JUDGED,
    RESIGN,
    SCORE,
    UNDO,
    UNFINISHED,
    UNREACHED,
    Request,
)  # fmt: skip

ASKING = frozenset(("propose", "undo", "cancel"))  # the acts that may ask the opponent
ALWAYS = "always"  # declines this request and all later ones of the board
# The reasons to decline a request or a game, each in one word and as a clause.
REASONS = {
    "later": say("not now, maybe later"),
    "slow": say("this game would be too slow for me"),
    "fast": say("this game would be too fast for me"),
    "size": say("I'd prefer a different size or version of the game"),
    "busy": say("I have too many other games right now"),
    "partner": say("I'd rather play someone else"),
    ALWAYS: say("please don't send me any more requests on this board"),
}
_MOST = 3  # requests of a kind by a player on a board
_AFTER_PASSES = 2 * DAY  # seconds in which an end by two passes can be taken back
_GIVEN_UP = 120 * DAY  # seconds without a move, after which either player may end an untimed game


class Act(NamedTuple):
    """A thing that somebody wants to do to a match.

    kind    one of the keys of ``ACTS``
    text    for a move, the player's words; for a proposal, the points, ``11 10``, or ``draw``; for
            ``decline`` the reason, a key of ``REASONS``, or empty; for a plan, its words or
            ``none``
    guard   the number that the player expects the move to have, if the player wrote one
    events  the happenings beside the moves: an act of ``ASKING`` needs them
    plan    the words of a plan that comes with a move
    seen    for a plan that answers a letter, the length of the record in that letter
    """

    userid: str
    kind: str
    text: str = ""
    guard: int | None = None
    events: tuple[Event, ...] = ()
    plan: str = ""
    seen: int | None = None


class Change(NamedTuple):
    """A match before and after an act, and its happenings."""

    before: Match
    after: Match
    happenings: tuple[Happening, ...]

    @property
    def is_end(self) -> bool:
        """Return True if this change has ended the game."""
        return self.after.position.over and not self.before.position.over


def act(match: Match, act: Act, at: Epoch) -> tuple[Match, tuple[Happening, ...]]:
    """Return the match after an act at time ``at`` and all planned answers to it, and the happenings.

    If the act declines the game, there is no match any more: the returned one is unchanged. Raises
    Refusal.
    """
    after, happenings = ACTS[act.kind](match, act, at)
    if act.plan:
        after, happenings = plans.add(after, act.userid, act.plan, happenings)
    if match.plans or after.plans:
        after, happenings = plans.carry_out(match, after, happenings, at)
        if act.plan and plans.plan_of(after, act.userid):
            happenings += plans.confirmed(after, act.userid)
    return after, happenings


def _move(match: Match, act: Act, at: Epoch) -> Result:
    """Make a move, pass or swap in turn; the words ``resign`` and ``undo`` start those acts."""
    move = match.game.read(act.text.split(" "))
    if move in (RESIGN, UNDO):
        return ACTS[move](match, act._replace(text=""), at)
    if match.position.over:
        raise game_over()
    if match.to_move != act.userid:
        raise _too_early(match, act, move)
    if act.guard is not None and act.guard != match.turn:
        raise IllegalMove(
            say(
                "You wrote #{guard}, but the game is at move {turn} now.",
                guard=act.guard,
                turn=match.turn,
            ),
            "guard",
        )
    after = match.after(act.userid, move, at)
    return after, (*_lapsed(match, after, act.userid), _moved(act.userid, move))


def _moved(userid: str, move: str) -> Happening:
    match move:
        case "pass":
            return h.Passed(userid)
        case "swap":
            return h.Swapped(userid)
    return h.Moved(userid, move)


def _lapsed(match: Match, after: Match, mover: str) -> tuple[Happening, ...]:
    """Return the lapse of a request, if a move has caused one and the game goes on."""
    request = match.request
    if request is None or request.kind == UNREACHED or after.request or after.position.over:
        return ()
    return (h.Lapsed(mover, request.userid),)


def _too_early(match: Match, act: Act, move: str) -> IllegalMove:
    """Return the refusal of a move that comes while the other player is to move."""
    if act.guard is not None and act.guard < match.turn:
        return IllegalMove(
            say("Move {number} has already been played.", number=act.guard), "played-already"
        )
    last = match.record[-1] if match.record else None
    if last and (last.userid, last.move) == (act.userid, move):
        return IllegalMove(
            say("{move} has already been played. It's not your turn.", move=move), "played-already"
        )
    return IllegalMove(say("It's not your turn."), "not-your-turn")


def _resign(match: Match, act: Act, at: Epoch) -> Result:
    """Resign; ``text`` is ``lost`` if the loss is proved."""
    return match.after(act.userid, RESIGN, at), (h.Resigned(act.userid, act.text == "lost"),)


def _leave(match: Match, act: Act, at: Epoch) -> Result:
    """Resign because the player leaves the server."""
    return match.after(act.userid, RESIGN, at), (h.Left(act.userid),)


def _forfeit(match: Match, act: Act, at: Epoch) -> Result:
    """End the game, because a player is too late or the operator decides so.

    ``text``: the days that the move was awaited, how many of them were not counted, and why; it is empty
    if the operator decides.
    """
    after = match.after(act.userid, FORFEIT, at)
    if not act.text:
        return after, (h.Forfeited(act.userid),)
    days, stood, why = act.text.split(" ", 2)
    return after, (h.Forfeited(act.userid, float(days), int(stood), why),)


def _judge(match: Match, act: Act, at: Epoch) -> Result:
    """End a game as the board proves it, because what it belongs to is over; ``text``: the name of that."""
    if match.position.over:
        raise game_over()
    after = match.after(match.to_move, JUDGED, at)
    return after, (h.Judged(after.winner, act.text),)


def _lapse(match: Match, act: Act, at: Epoch) -> Result:
    """End a game as the worst that could still come for ``userid``, who has not finished it in time."""
    if match.position.over:
        raise game_over()
    return match.after(act.userid, UNFINISHED, at), ()


def _plan(match: Match, act: Act, at: Epoch) -> Result:
    """Keep or drop a plan; a plan that crossed the opponent's move answers that move at once."""
    if match.position.over:
        raise game_over()
    if act.text == "none":
        return plans.drop(match, act.userid)
    if match.to_move == act.userid:
        return plans.answer_late(match, act.userid, act.text, act.seen, at)
    return plans.keep(match, act.userid, act.text, act.seen)


# -- requests


def _propose(match: Match, act: Act, at: Epoch) -> Result:
    """Ask to end the game as a draw, or with a score; without a text, with the only possible score."""
    text = act.text or _only_score(match)
    if text == DRAW:
        return _ask(match, act, Request(DRAW, act.userid, DRAW, at))
    x, o = (int(word) for word in text.split(" "))
    if not match.game.has_points:
        raise Refusal(
            say(
                "{game} doesn't have scores, so you can't propose one. You can offer a draw.",
                game=match.game.title,
            ),
            "no-score",
        )
    if not match.game.can_end(match.bounds, (x, o)):
        why = (
            say(
                "{score} isn't possible. Scores still possible: {possible}.",
                score=f"{x}-{o}",
                possible=possible(match),
            )
            if match.game.total is None
            else say(
                "{score} isn't possible. Scores still possible: {possible}. The two scores always"
                " add up to {total}.",
                score=f"{x}-{o}",
                possible=possible(match),
                total=match.game.total,
            )
        )
        raise Refusal(why, "no-such-score")
    return _ask(match, act, Request(SCORE, act.userid, f"{x} {o}", at))


def _only_score(match: Match) -> str:
    """Return the only score that is still possible; a draw in a game without points.

    Raises Refusal if there are more scores, or none at all.
    """
    if not match.game.has_points:
        return DRAW
    x_ends, o_ends = (match.bounds.of(player) for player in match.players)
    scores = product(*(range(low, high + 1) for low, high in (x_ends, o_ends)))
    ends = list(islice((each for each in scores if match.game.can_end(match.bounds, each)), 2))
    if len(ends) != 1:
        raise Refusal(
            say(
                "Several scores are still possible: {possible}. Which one do you propose? Put "
                "X's points first, like 11-10, or write draw.",
                possible=possible(match),
            ),
            "which-score",
        )
    ((x, o),) = ends
    return f"{x} {o}"


def possible(match: Match) -> tuple[Sentence, ...]:
    """Return the scores that both players can still have, in words."""
    return tuple(
        say("{who} {low} to {high}", who=who, low=low, high=high) for who, low, high in match.ends
    )


def _undo(match: Match, act: Act, at: Epoch) -> Result:
    """Take back the last move of a puzzle; in a game for two, ask the opponent for that.

    The player's last move is taken back, and the opponent's answer if there is one. If undo is free,
    the player need not ask to take back a move without an answer, while the game runs.
    """
    count, how = match.to_take_back(act.userid), match.terms.undo
    if how == "no":
        raise Refusal(
            say("You both agreed to play this game without taking back moves (-undo=no)."),
            "no-undo",
        )
    passed_at = match.since if match.position.over else at
    alone = len(match.seats) == 1
    if count and (alone or at - passed_at <= _AFTER_PASSES):
        if alone:
            return _taken_back(match, act.userid, count, at)
        request = Request(UNDO, act.userid, "; ".join(match.last_moves(count)), at)
        if how == "free" and count == 1 and not match.position.over:
            _require_open(match, request, act.events)
            (move,) = match.last_moves(1)
            return match.cut(1, at), (h.Retracted(act.userid, move),)
        return _ask(match, act, request)
    if match.position.over:
        raise game_over()
    raise IllegalMove(say("You don't have a move to take back."), "nothing-to-undo")


def _cancel(match: Match, act: Act, at: Epoch) -> Result:
    """End the game without result, or ask the opponent for that.

    No consent is needed if the opponent cannot be reached, and none in a game without time limit in
    which nobody has moved for 120 days. Before the first move the game is declined.
    """
    if match.position.over:
        raise game_over()
    if match.may_cancel == act.userid:
        late = match.opponent(act.userid)
        return match.after(act.userid, CANCEL, at), (h.Cancelled(act.userid, late),)
    if not match.record:
        return match, (h.Declined(act.userid),)
    idle = at - match.since
    if match.terms.pace is None and idle >= _GIVEN_UP:
        after = match.after(act.userid, CANCEL, at)
        return after, (h.Abandoned(act.userid, int(idle / DAY)),)
    return _ask(match, act, Request(CANCEL, act.userid, "", at))


def _claim(match: Match, act: Act, at: Epoch) -> Result:
    """End a game that the board has decided for the player, or whose result no stone can change.

    The player needs no consent, in turn or not. If there is nothing to claim, but the opponent cannot
    be reached, the game ends without result.
    """
    if match.position.over:
        raise game_over()
    if match.can_claim(act.userid):
        is_settled = match.game.has_points and match.bounds.is_certain
        return match.after(act.userid, CLAIM, at), (h.Claimed(act.userid, is_settled),)
    if match.may_cancel == act.userid:
        return _cancel(match, act, at)
    if not match.terms.claim:
        raise Refusal(
            say(
                "You both agreed to play this game to the end (-claim=no), so you can't "
                "claim it. You can propose a score, or pass."
            ),
            "no-claim",
        )
    if winner := match.bounds.decided:
        raise Refusal(
            say(
                "{winner} is certain to win, so only {winner} can claim the game. You"
                " can resign or keep playing.",
                winner=match.players[winner],
            ),
            "not-yours-to-claim",
        )
    text = (
        say(
            "It's too early to claim the game. Scores still possible: {possible}.",
            possible=possible(match),
        )
        if match.game.has_points
        else say("It's too early to claim the game: you can both still win.")
    )
    raise Refusal(text, "too-early")


def _unreached(match: Match, act: Act, at: Epoch) -> Result:
    """Let the opponent end the game: no letter has reached the player to move for ``text`` days."""
    request = Request(UNREACHED, act.userid, "", at)
    return replace(match, request=request), (h.Unreached(act.userid, float(act.text)),)


def _accept(match: Match, act: Act, at: Epoch) -> Result:
    """Accept the opponent's request."""
    request = asked(match, act.userid)
    if request is None:
        first = not (match.has_moved(act.userid) or match.position.over)
        text = say("There's nothing to accept: your opponent hasn't asked for anything.")
        how = say("To accept the game, make your first move when it's your turn.") if first else ""
        raise Refusal(together(text, how), "no-request")
    if request.kind == UNDO:
        count = match.to_take_back(request.userid)
        return _taken_back(match, act.userid, count, at)
    if request.kind == CANCEL:
        return match.after(act.userid, CANCEL, at), (h.Cancelled(act.userid),)
    after = match.after(act.userid, f"{AGREE} {request.data}", at)
    return after, (h.Agreed(act.userid, request.points),)


def _decline(match: Match, act: Act, at: Epoch) -> Result:
    """Decline the opponent's request; without one, a new game before the player's own first move."""
    if request := asked(match, act.userid):
        return replace(match, request=None), (
            h.Refused(act.userid, act.text, request.kind, request.data),
        )
    if match.position.over:
        raise game_over()
    if match.has_moved(act.userid):
        raise Refusal(
            say(
                "There's nothing to decline: your opponent hasn't asked you anything."
                " If you meant the game itself, it's too late, because you've already"
                " moved. You can resign instead."
            ),
            "moved-already",
        )
    return match, (h.Declined(act.userid, act.text),)


def _refuse(match: Match, act: Act, at: Epoch) -> Result:
    """Decline the opponent's request, and nothing else."""
    if asked(match, act.userid) is None:
        text = say("There's nothing to decline: your opponent hasn't asked for anything.")
        has_moved = match.has_moved(act.userid)
        how = "" if has_moved else say("To turn down the whole game, write: decline")
        raise Refusal(together(text, how), "no-request")
    return _decline(match, act, at)


def asked(match: Match, userid: str) -> Request | None:
    """Return the opponent's open request to a player; None if there is none."""
    request = match.request
    return request if request and request.userid != userid and request.kind != UNREACHED else None


def _ask(match: Match, act: Act, request: Request) -> Result:
    """Open a request; if the opponent has asked for the same, accept that instead."""
    if match.position.over and request.kind != UNDO:
        raise game_over()
    if may := match.may_cancel:
        late = match.opponent(may)
        text = (
            say(
                "Our letters aren't reaching {opponent}, so you can't send a request right now. To "
                "end the game without a result, reply: cancel",
                opponent=late,
            )
            if act.userid == may
            else say(
                "Our letters aren't reaching you, so you can't send {opponent} a request right now.",
                opponent=may,
            )
        )
        raise Refusal(text, "unreached")
    open_one = asked(match, act.userid)
    if open_one and (open_one.kind, open_one.data) == (request.kind, request.data):
        return _accept(match, act, request.at)
    opponent = match.opponent(request.userid)
    if _is_deaf(opponent, act.events):
        raise Refusal(
            say("{opponent} doesn't want any more requests on this board.", opponent=opponent),
            "no-more-requests",
        )
    _require_open(match, request, act.events)
    return replace(match, request=request), (
        h.Proposed(request.userid, request.kind, request.data),
    )


def _require_open(match: Match, request: Request, events: Sequence[Event]) -> None:
    """Raise Refusal while the opponent's request is open, or if this one was made too often."""
    if open_one := asked(match, request.userid):
        raise Refusal(
            say("You need to accept or decline {userid}'s request first.", userid=open_one.userid),
            "request-open",
        )
    same = _same(request.userid, request.kind, events)
    asked_now = h.Proposed(request.userid, request.kind, request.data)
    if any(each.at > match.since and each.happening == asked_now for each in same):
        raise Refusal(say("You've already asked for that once this turn."), "asked-already")
    if len(same) >= _MOST:
        raise Refusal(
            say(
                "You've already asked for that {most} times on this board, which is the limit.",
                most=_MOST,
            ),
            "asked-too-often",
        )


def used_up(match: Match, userid: str, events: Sequence[Event]) -> tuple[str, ...]:
    """Return the kinds of requests that a player cannot make again on a board, apart from open ones."""
    if not events:
        return ()
    kinds = [kind for kind in (UNDO, SCORE, DRAW) if len(_same(userid, kind, events)) >= _MOST]
    if _is_deaf(match.opponent(userid), events):
        kinds += [SCORE, DRAW, *([] if match.terms.undo == "free" else [UNDO])]
    return tuple(dict.fromkeys(kinds))


def _is_deaf(opponent: str, events: Sequence[Event]) -> bool:
    """Tell if a player takes no more requests."""
    refusals = (each.happening for each in events if isinstance(each.happening, h.Refused))
    return any((each.userid, each.reason) == (opponent, ALWAYS) for each in refusals)


def _same(userid: str, kind: str, events: Sequence[Event]) -> list[Event]:
    """Return a player's requests of one kind, those among them that needed no consent."""
    return [each for each in events if _wish(each.happening) == (userid, kind)]


def _wish(happening: Happening) -> tuple[str, str] | None:
    """Return who asked for what, whether that needed consent or not; None if it was not a request."""
    match happening:
        case h.Proposed(userid, kind):
            return userid, kind
        case h.Retracted(userid):
            return userid, UNDO
    return None


def _taken_back(match: Match, userid: str, count: int, at: Epoch) -> Result:
    return match.cut(count, at), (h.TakenBack(userid, match.last_moves(count)),)


ACTS: dict[str, Callable[[Match, Act, float], Result]] = {
    "move": _move,
    "resign": _resign,
    "leave": _leave,
    "forfeit": _forfeit,
    "judge": _judge,
    "lapse": _lapse,
    "plan": _plan,
    "propose": _propose,
    "undo": _undo,
    "cancel": _cancel,
    "claim": _claim,
    "accept": _accept,
    "decline": _decline,
    "refuse": _refuse,
    "unreached": _unreached,
}
