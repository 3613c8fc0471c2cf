"""Requests: what one player asks of the other, and how it is answered. Pure.

There is one at a time on a board. It lapses when the player who is asked moves (``Match.after``), and
when the game ends; the asker's own newer one takes its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice, product

from ..errors import IllegalMove, Refusal
from .match import Match
from .record import (
    AGREE,
    CANCEL,
    CLAIM,
    DRAW,
    SCORE,
    UNDO,
    UNREACHED,
    Act,
    Event,
    Happening,
    Request,
)
from .terms import DAY

ASKING = frozenset(("propose", "undo", "cancel"))  # the acts that may ask the opponent
ALWAYS = "always"  # declines this request and all later ones of the board
# Why a request or a game may be declined, in one word and as a clause.
REASONS = {
    "later": "not now, perhaps later",
    "slow": "the time to move is too long",
    "fast": "the time to move is too short",
    "size": "another size or another form of the game would be welcome",
    "busy": "too many other games are running",
    "partner": "not with this opponent",
    ALWAYS: "no more requests on this board, please",
}
_MOST = 3  # requests of a kind by a player on a board
_AFTER_PASSES = 2 * DAY  # seconds in which an end by two passes can be taken back
_GIVEN_UP = 120 * DAY  # without a move: then either may end a game that has no time limit

Result = tuple[Match, tuple[Happening, ...]]


def propose(match: Match, act: Act, at: float) -> Result:
    """Ask to end the game as a draw, or with a score; without a text, with the only one possible."""
    text = act.text or _only_score(match)
    if text == DRAW:
        return _ask(match, act, Request(DRAW, act.userid, DRAW, at))
    x, o = (int(word) for word in text.split(" "))
    if not match.game.has_points:
        raise Refusal(
            f"{match.game.title} has no score to agree on; you may propose a draw.", "no-score"
        )
    if not match.game.can_end(match.bounds, (x, o)):
        total = match.game.total
        together = f", {total} together" if total is not None else ""
        raise Refusal(
            f"The score {x}-{o} cannot come about: {possible(match)}{together}.", "no-such-score"
        )
    return _ask(match, act, Request(SCORE, act.userid, f"{x} {o}", at))


def _only_score(match: Match) -> str:
    """The one score that can still come about. Raises Refusal if there are more, or none at all."""
    if not match.game.has_points:
        return DRAW
    x_ends, o_ends = (match.bounds.of(player) for player in match.players)
    scores = product(*(range(low, high + 1) for low, high in (x_ends, o_ends)))
    ends = list(islice((each for each in scores if match.game.can_end(match.bounds, each)), 2))
    if len(ends) != 1:
        raise Refusal(
            f"More than one score is possible: {possible(match)}. Say which you mean, X's points "
            "first, like 11-10; or draw.",
            "which-score",
        )
    ((x, o),) = ends
    return f"{x} {o}"


def possible(match: Match) -> str:
    """What both players can still have, in words."""
    ends = ((who, *match.bounds.of(player)) for player, who in match.players.items())
    return " and ".join(f"{who} {low} to {high}" for who, low, high in ends)


def undo(match: Match, act: Act, at: float) -> Result:
    """Take back the last move of a puzzle; in a game for two ask for that.

    What is taken back is the player's last move, and the opponent's answer if there is one. Where
    undo is free nobody is asked about a move that is not answered, as long as the game runs.
    """
    count, how = match.to_take_back(act.userid), match.terms.undo
    if how == "no":
        raise Refusal("It was agreed that no move of this game is taken back: -undo=no.", "no-undo")
    passed_at = match.since if match.position.over else at
    alone = len(match.seats) == 1
    if count and (alone or at - passed_at <= _AFTER_PASSES):
        if alone:
            return _taken_back(match, act.userid, count, at)
        request = Request(UNDO, act.userid, match.last_moves(count), at)
        if how == "free" and count == 1 and not match.position.over:
            _require_open(match, request, act.events)
            return _taken_back(match, act.userid, count, at, "retracted")
        return _ask(match, act, request)
    if match.position.over:
        raise over()
    raise IllegalMove("There is no move of yours to take back.", "nothing-to-undo")


def cancel(match: Match, act: Act, at: float) -> Result:
    """End the game without result: alone if the other player cannot be reached, or asking first.

    No consent is needed before the first move, when the game is declined, nor in a game without time
    limit in which nobody has moved for 120 days.
    """
    if match.position.over:
        raise over()
    if match.may_cancel == act.userid:
        late = match.opponent(act.userid)
        return match.after(act.userid, CANCEL, at), (Happening("cancelled", act.userid, late),)
    if not match.record:
        return match, (Happening("declined", act.userid),)
    idle = at - match.since
    if match.terms.pace is None and idle >= _GIVEN_UP:
        after = match.after(act.userid, CANCEL, at)
        return after, (Happening("abandoned", act.userid, str(int(idle / DAY))),)
    return _ask(match, act, Request(CANCEL, act.userid, "", at))


def claim(match: Match, act: Act, at: float) -> Result:
    """End a game that the board has decided for the player, or that no stone changes any more.

    Alone and in turn or not; one whose opponent cannot be reached ends without result.
    """
    if match.position.over:
        raise over()
    if match.can_claim(act.userid):
        proof = "settled" if match.game.has_points and match.bounds.is_certain else "decided"
        return match.after(act.userid, CLAIM, at), (Happening("claimed", act.userid, proof),)
    if match.may_cancel == act.userid:
        return cancel(match, act, at)
    if not match.terms.claim:
        raise Refusal(
            "It was agreed that this game is played to its end: -claim=no. You may propose a score, or "
            "pass.",
            "no-claim",
        )
    if winner := match.bounds.decided:
        raise Refusal(
            f"The game is decided for {match.players[winner]}, who may claim it; you may resign or "
            "play on.",
            "not-yours-to-claim",
        )
    still = possible(match) if match.game.has_points else "both can still win"
    raise Refusal(f"It is too early to claim the game: {still}.", "too-early")


def unreached(match: Match, act: Act, at: float) -> Result:
    """No letter gets through to a player who is to move: the opponent may end the game."""
    request = Request(UNREACHED, act.userid, "", at)
    return replace(match, request=request), (Happening("unreached", act.userid, act.text),)


def accept(match: Match, act: Act, at: float) -> Result:
    """Agree to what the opponent asks."""
    request = _asked(match, act.userid)
    if request is None:
        raise Refusal("Your opponent asks you for nothing now.", "no-request")
    if request.kind == UNDO:
        count = match.to_take_back(request.userid)
        return _taken_back(match, act.userid, count, at)
    if request.kind == CANCEL:
        return match.after(act.userid, CANCEL, at), (Happening("cancelled", act.userid),)
    after = match.after(act.userid, f"{AGREE} {request.data}", at)
    return after, (Happening("agreed", act.userid, request.data),)


def decline(match: Match, act: Act, at: float) -> Result:
    """Say no to what the opponent asks; else refuse a new game before one's own first move."""
    if _asked(match, act.userid):
        return replace(match, request=None), (Happening("refused", act.userid, act.text),)
    if match.position.over:
        raise over()
    if match.has_moved(act.userid):
        raise Refusal(
            "Nothing is asked of you now, and you have made a move already; you may resign instead.",
            "moved-already",
        )
    return match, (Happening("declined", act.userid, act.text),)


def refuse(match: Match, act: Act, at: float) -> Result:
    """Say no to what the opponent asks, and to nothing else."""
    if _asked(match, act.userid) is None:
        may = "" if match.has_moved(act.userid) else " To refuse the whole game, write: decline"
        raise Refusal(f"Your opponent asks you for nothing now.{may}", "no-request")
    return decline(match, act, at)


def over() -> IllegalMove:
    """What says that there is nothing to do any more."""
    return IllegalMove("The game is over.", "game-over")


def _asked(match: Match, userid: str) -> Request | None:
    """What the opponent asks of a player; None if nothing."""
    request = match.request
    return request if request and request.userid != userid and request.kind != UNREACHED else None


def _ask(match: Match, act: Act, request: Request) -> Result:
    """Open a request; who asks for what the opponent asks for agrees."""
    if match.position.over and request.kind != UNDO:
        raise over()
    if may := match.may_cancel:
        raise Refusal(
            f"No mail gets through to {match.opponent(may)} now, so nothing can be asked; {may} may "
            "cancel the game.",
            "unreached",
        )
    asked = _asked(match, act.userid)
    if asked and (asked.kind, asked.data) == (request.kind, request.data):
        return accept(match, act, request.at)
    opponent = match.opponent(request.userid)
    if any((e.kind, e.userid, e.data) == ("refused", opponent, ALWAYS) for e in act.events):
        raise Refusal(f"{opponent} takes no more requests on this board.", "no-more-requests")
    _require_open(match, request, act.events)
    return replace(match, request=request), (Happening("proposed", act.userid, named(request)),)


def named(request: Request) -> str:
    """A request as one text: ``11 10``, ``draw``, ``cancel``, ``undo F6; G7``."""
    return f"{UNDO} {request.data}" if request.kind == UNDO else request.data or request.kind


def kind_of(name: str) -> str:
    """The kind of a request of that name."""
    word = name.split(" ", maxsplit=1)[0]
    return word if word in (DRAW, CANCEL, UNDO) else SCORE


def _require_open(match: Match, request: Request, events: Sequence[Event]) -> None:
    """Raises Refusal while the opponent asks something, or if so much has been asked that no more may be."""
    if asked := _asked(match, request.userid):
        raise Refusal(f"Answer {asked.userid}'s request first: accept or decline.", "request-open")
    same = [e for e in events if e.userid == request.userid and _wished(e) == request.kind]
    if any(e.at > match.since and e.data == named(request) for e in same):
        raise Refusal("You have asked for that in this turn already.", "asked-already")
    if len(same) >= _MOST:
        raise Refusal(
            f"You have asked for that {_MOST} times on this board, which is the most.",
            "asked-too-often",
        )


def _wished(event: Event) -> str:
    """The kind of request that an event was, asked or not; empty if it was none."""
    if event.kind == "retracted":
        return UNDO
    return kind_of(event.data) if event.kind == "proposed" else ""


def _taken_back(match: Match, userid: str, count: int, at: float, kind: str = "undone") -> Result:
    happening = Happening(kind, userid, match.last_moves(count))
    return match.cut(count, at), (happening,)
