"""What ``admin check`` finds: records that do not replay, and what is kept besides and differs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..errors import Refusal
from ..match import AGREE, FORFEIT, RESIGN, Match, replay
from ..store import Board, Move, Tx

_UNNUMBERED = frozenset(("swap", RESIGN, FORFEIT, AGREE))


def differences(tx: Tx, row: Board) -> Iterator[str]:
    """What is wrong with one board: its record replayed, and all that follows from it compared."""
    for problem in _problems(row, tx.record(row.board)):
        yield f"board {row.board}: {problem}"
    for userid in (row.first, row.second):
        if tx.user(userid) is None:
            yield f"board {row.board}: there is no user {userid}"


def _problems(row: Board, record: Sequence[Move]) -> Iterator[str]:
    if [move.seq for move in record] != list(range(len(record))):
        yield "the record has a gap"
        return
    for move in record:
        if move.userid not in (row.first, row.second):
            yield f"{move.userid} is no player, but moves in the record"
    try:
        match = replay(row._replace(length=0), record)
    except (Refusal, ValueError, TypeError) as error:  # no such game, options that are none
        yield f"the record does not replay: {error}"
        return
    if [move.number for move in record] != _numbers(record):
        yield "the move numbers are not those of the record"
    told = {"length": len(record), "to_move": match.to_move, "result": match.result}
    if row.resets == 0:
        told["since"] = record[-1].at if record else row.made
    for name, right in told.items():
        if getattr(row, name) != right:
            yield f"{name} is {getattr(row, name)!r}, the record says {right!r}"
    if row.offer and not _is_offer(match, row.offer):
        yield f"the offer {row.offer!r} is none"


def _numbers(record: Sequence[Move]) -> list[int | None]:
    """The move numbers that belong to a record."""
    numbers: list[int | None] = []
    last = 0
    for move in record:
        counts = move.move.split(" ")[0] not in _UNNUMBERED
        last += counts
        numbers.append(last if counts else None)
    return numbers


def _is_offer(match: Match, offer: str) -> bool:
    """Whether it is a score that one of the players can have proposed."""
    userid, *points = offer.split(" ")
    return (
        match.seat(userid) is not None
        and not match.position.over
        and len(points) == 2
        and all(point.lstrip("-").isdecimal() for point in points)
    )
