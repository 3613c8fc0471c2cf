"""The findings of ``admin check``: records that do not replay, and stored values that differ from them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...errors import Refusal
from ...match import (
    AGREE,
    CANCEL,
    CLAIM,
    DRAW,
    FORFEIT,
    JUDGED,
    RESIGN,
    SCORE,
    UNDO,
    UNREACHED,
    Entry,
    Event,
    Happening,
    Match,
    Request,
    program_among,
)
from ...match.happenings import Proposed, Refused, Reset, Retracted, TakenBack, Unreached
from ...match.plan_grammar import read as read_plan
from ...match.plan_grammar import write as write_plan
from ...match.plans import is_legal
from ...matchmaking.rows import Offers
from ...ratings import rated_games
from ...ratings.rows import Ratings
from ...store import Board, PlanRow, Tx
from ..work import timekeeping
from ..work.apply import is_hinted
from ..work.feature import Feature, features

_UNNUMBERED = frozenset(("swap", RESIGN, FORFEIT, AGREE, CANCEL, CLAIM, JUDGED))
_TAKEN_BACK = TakenBack | Retracted | Reset
_ASKED = Proposed | Unreached


def differences(tx: Tx, row: Board) -> Iterator[str]:
    """Replay a board's record, compare the stored values with it, and yield each difference."""
    places = tx.boards.entries(row.board)
    is_whole = places == list(range(len(places)))
    for problem in _problems(tx, row) if is_whole else ("the record has a gap",):
        yield f"board {row.board}: {problem}"
    for userid in row.seats:
        if tx.accounts.user(userid) is None:
            yield f"board {row.board}: there is no user {userid}"


def address_differences(tx: Tx) -> Iterator[str]:
    """Yield each further address that is also a first one, or whose account is closed or suspended."""
    for other in tx.accounts.all_others():
        name = f"a further address of {other.userid}"
        owner = tx.accounts.user(other.userid)
        if owner is None or not owner.address:
            yield f"{name}: there is no such open account"
        elif owner.state == "suspended":
            yield f"{name}: the first one is suspended, and it has not taken its place"
        if any(user.address == other.address for user in tx.accounts.users_at(other.address)):
            yield f"{name}: it is the first one of an account too"


def offer_differences(tx: Tx) -> Iterator[str]:
    """Yield each open offer whose player has no open account, or that has begun too many games."""
    for offer in tx.of(Offers).open():
        owner = tx.accounts.user(offer.userid)
        if owner is None or owner.state == "closed":
            yield f"offer {offer.number}: it is open, but {offer.userid} has no account"
        if offer.left is not None and offer.left < 1:
            begun = f"has begun {offer.begun} of {offer.wanted} games"
            yield f"offer {offer.number}: it is open, but {begun}"


def _problems(tx: Tx, row: Board) -> Iterator[str]:
    record, plans = tx.boards.record(row.board), tx.boards.plans(row.board)
    for move in record:
        if move.userid not in row.seats:
            yield f"{move.userid} moves in the record, but is not a player"
    try:
        match = row.match(record)
    except (Refusal, ValueError, TypeError) as error:  # no such game, or no such options
        yield f"the record does not replay: {error}"
        yield from (f"the plan of {plan.userid} cannot be one" for plan in plans)
        return
    yield from _cached_problems(tx, row, match)
    yield from _request_problems(match, tx.boards.events(row.board))
    for plan in plans:
        if not _stands(match, plan):
            yield f"the plan of {plan.userid} cannot be one"
    if row.result and len(row.seats) == 1:
        yield from _best_problems(tx, row, match)
    if len(row.seats) == 2:
        yield from _rating_problems(tx, match)
        for feature in features(Feature.check):
            yield from feature.check(tx, match)


def _cached_problems(tx: Tx, row: Board, match: Match) -> Iterator[str]:
    """Yield each difference between a board's row or move numbers and its record."""
    record = match.record
    if [move.number for move in record] != _numbers(record, match.offset):
        yield "the move numbers are not those of the record"
    follows = {"length": len(record), "to_move": match.to_move, "result": match.result}
    if row.resets == 0:
        follows["since"] = record[-1].at if record else row.made
    for name, right in follows.items():
        if getattr(row, name) != right:
            yield f"{name} is {getattr(row, name)!r}, the record says {right!r}"
    over, is_due = match.position.over, row.due is not None
    has_clock = len(row.seats) > 1 and not program_among((row.to_move,))
    # A puzzle and a game without a limit have only a few reminders; a game with a program has none.
    if is_due == over and (over or (has_clock and match.terms.pace is not None)):
        yield f"due is {row.due!r} and the game {'over' if over else 'runs'}"
    known = all(move.userid in row.seats for move in record)
    if not over and known and row.banks != (banks := timekeeping.banks_of(tx, match)):
        yield f"the players have {row.banks} seconds, the record says {banks}"


def _best_problems(tx: Tx, row: Board, match: Match) -> Iterator[str]:
    """Yield a difference if the end of a puzzle is better than the best one that is kept."""
    if is_hinted(tx, row.board):
        return
    (userid,) = row.seats
    best = tx.notebook.best(row.game, row.options, userid)
    reached = (match.rank, match.turns)
    if match.rank is not None and (best is None or (best.rank, best.turns) > reached):
        yield f"{userid} has reached rank {match.rank}, the best say otherwise"


def _stands(match: Match, plan: PlanRow) -> bool:
    """Return True if a plan fits the board as it is: in our notation, and with each step legal."""
    try:
        branches = read_plan(plan.plan, match.game.read, match.turn)
    except (Refusal, ValueError, TypeError):
        return False
    return (
        (plan.resets, plan.length) == (match.resets, len(match.record))
        and write_plan(branches) == plan.plan
        and match.player(plan.userid) is not None
        and is_legal(match, plan.userid, branches)
    )


def _numbers(record: Sequence[Entry], last: int) -> list[int | None]:
    """Return the move numbers that belong to a record after move ``last``."""
    numbers: list[int | None] = []
    for move in record:
        counts = move.move.split(" ")[0] not in _UNNUMBERED
        last += counts
        numbers.append(last if counts else None)
    return numbers


def _request_problems(match: Match, events: Sequence[Event]) -> Iterator[str]:
    """Compare the open request, or its absence, with the board's events."""
    request = match.request
    if request and not _can_be_open(match, request):
        yield f"the request {request.kind} {request.data!r} cannot be open"
    if sum(isinstance(event.happening, _TAKEN_BACK) for event in events) > match.resets:
        yield f"resets is {match.resets}, but more often moves were taken back"
    asked = next((e for e in reversed(events) if isinstance(e.happening, _ASKED)), None)
    is_closed = asked is not None and any(
        event.n > asked.n and isinstance(event.happening, Refused | _TAKEN_BACK) for event in events
    )
    if request:
        fits = asked is not None and _is_of(request, asked.happening)
        lapsed = any(e.at > request.at and e.userid != request.userid for e in match.record)
        if not fits or is_closed or lapsed:
            yield f"the request {request.kind} {request.data!r} is open, the events say otherwise"
    elif asked and isinstance(asked.happening, Proposed) and not is_closed:
        userid, kind, data = asked.happening.userid, asked.happening.kind, asked.happening.data
        if not match.position.over and all(entry.at < asked.at for entry in match.record):
            yield f"the request {kind} {data!r} of {userid} is not kept"


def _is_of(request: Request, happening: Happening) -> bool:
    """Return True if a request follows from that happening."""
    match happening:
        case Proposed(userid, kind, data):
            return (kind, userid, data) == request[:3]
        case Unreached(userid):
            return (userid, UNREACHED) == (request.userid, request.kind)
    return False


def _can_be_open(match: Match, request: Request) -> bool:
    """Return True if a player can have made that request now, or if it is about the player to move."""
    if request.kind == UNREACHED:
        return match.to_move == request.userid != ""
    if len(match.seats) != 2 or match.player(request.userid) is None:
        return False
    if request.kind == UNDO:
        count = match.to_take_back(request.userid)
        return count > 0 and request.moves == match.last_moves(count)
    points = request.data.split(" ")
    is_score = len(points) == 2 and all(point.lstrip("-").isdecimal() for point in points)
    known = {SCORE: is_score, DRAW: request.data == DRAW, CANCEL: not request.data}
    return known.get(request.kind, False) and not match.position.over


def _rating_problems(tx: Tx, match: Match) -> Iterator[str]:
    """Yield each difference between what the ratings know of a board and its record."""
    kept = tx.of(Ratings).game(match.number)
    if kept is None or not match.position.over:
        if match.position.over:
            yield "it is over, but the ratings know nothing of it"
        elif kept is not None:
            yield "it is rated, but it runs"
        return
    right = rated_games.ended(tx, match, kept.ended.barred, kept.ended.at)
    # The measure is not compared: programs may be stronger now than they were then.
    if kept.ended != right._replace(measure=kept.ended.measure):
        yield f"the ratings know it as {tuple(kept.ended)}, the record says {tuple(right)}"
