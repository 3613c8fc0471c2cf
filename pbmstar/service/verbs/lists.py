"""The verbs that list games: those of a player, by filters, and those of two players."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial

from ... import games
from ...command import Command, Filters
from ...errors import BadInput
from ...identity import Turn
from ...match.terms import DAY
from ...render.clocks import length
from ...store import Board, User
from .. import due, leave, waiting
from ..apply import load, may_see, names_of
from ..post import post, reply_to
from ..rations import ask
from ..work import Work

_MOST = 200  # games of a list
_LAST = 10  # games that are named of two players


def games_of(work: Work, command: Command, reader: User) -> None:
    """Mail a list of games of a player, or one's own: of one kind, or of all.

    Where the player is to move they come first, then the others that run, those with the least time
    left before all; of those that are over the newest first.
    """
    kind, of = command.game, command.args.get("userid", reader.userid)
    filters: Filters = command.args.get("filters") or Filters()
    _require_player(work, of)
    if filters.vs:
        _require_player(work, filters.vs)
    names = names_of(work, reader)
    rows = [
        row
        for row in work.tx.boards_of(of, filters.kept)
        if kind in (None, games.find(row.game))
        and may_see(row.agreed, row.seats, names)
        and _is_wanted(work, row, of, filters)
    ]
    rows.sort(key=_newest_first)
    newest = rows[: min(filters.last or _MOST, _MOST)]
    left = {row.board: waiting.left_on(work, row) for row in newest if row.to_move}
    newest.sort(key=lambda row: _place(row, of, left.get(row.board)))
    facts = {
        "title": kind.title if kind else "",
        "word": kind.word if kind else "star",
        "of": of,
        "away": _is_away(work, of),
        "filters": str(filters),
        "games": [_line(work, row, of, reader, left.get(row.board)) for row in newest],
        "more": len(rows) - len(newest) if not filters.last else 0,
    }
    letter = partial(post, work, "games", reader.userid, reader.address, facts)
    ask(work, reader, ("games", kind and kind.word, of, filters), letter)


def _newest_first(row: Board) -> tuple[float, int]:
    return -row.since, -row.board


def _require_player(work: Work, userid: str) -> None:
    if work.tx.user(userid) is None:
        raise BadInput(f"There is no player {userid}.", "no-player")


def _is_wanted(work: Work, row: Board, of: str, filters: Filters) -> bool:
    """Whether a game passes the filters beside that of the store."""
    if filters.vs and (filters.vs == of or filters.vs not in row.seats):
        return False
    if _date(row)[:7] < filters.since:
        return False
    if filters.state == "late":
        return due.is_late(work, load(work, row.board))
    return {
        "won": row.result == of,
        "lost": row.result in row.seats and row.result != of,
        "drawn": row.result == "tie" and "tie" not in row.seats,
    }.get(filters.state, True)


def _date(row: Board) -> str:
    """The day (UTC) on which the turn began or the game ended: ``2027-01-15``."""
    return datetime.fromtimestamp(row.since, UTC).date().isoformat()


def _place(row: Board, of: str, left: int | None) -> tuple[float, ...]:
    """Where a game stands in a list; ``left`` is the time of the player to move, None if without limit."""
    if not row.to_move:
        return (2, -row.since)
    return (row.to_move != of, *waiting.urgency(row, left))


def _is_away(work: Work, userid: str) -> bool:
    """Whether a player is on leave; strangers are not told until when."""
    return leave.away_until(work, userid) is not None


def _line(work: Work, row: Board, of: str, reader: User, left: int | None) -> dict[str, object]:
    """One game of a list."""
    agreed = row.agreed.described() if len(row.seats) > 1 else ""
    others = [userid for userid in row.seats if userid != of]
    game = games.load(row.game, row.options)
    own_turn = row.to_move == of == reader.userid
    turn = Turn(of, row.board, row.resets, row.length)
    return {
        "number": row.board,
        "title": game.title,
        "against": " and ".join(others),
        "away": bool(row.to_move) and any(_is_away(work, each) for each in others),
        "left": "" if left is None else length(left),
        "to_move": row.to_move,
        "end": _end(row),
        "move": work.tx.played(row.board) + bool(row.to_move),
        "days": int((work.now - row.since) / DAY),
        "options": " ".join(filter(None, (game.described(), agreed))),
        "reply": reply_to(work, turn) if own_turn else "",
    }


def _end(row: Board) -> str:
    """How a game ended, in words; empty while it runs."""
    if row.result in row.seats:
        return "solved" if len(row.seats) == 1 else f"{row.result} won"
    return {"tie": "a tie", "void": "without result"}.get(row.result, row.result)


def versus(work: Work, command: Command, reader: User) -> None:
    """Mail how two players stand against each other: by game, by who began, and the last games."""
    one, two = command["userid1"], command["userid2"]
    for userid in (one, two):
        _require_player(work, userid)
    if one == two:
        raise BadInput("Two different players are compared.", "same-player")
    names = names_of(work, reader)
    rows = [
        row
        for row in work.tx.boards_of(one)
        if two in row.seats and may_see(row.agreed, row.seats, names)
    ]
    over = sorted((row for row in rows if not row.to_move), key=_newest_first)
    counted = [row for row in over if row.result != "void"]
    facts = {
        "one": one,
        "two": two,
        "running": len(rows) - len(over),
        "over": len(over),
        "sums": [
            {"title": kind.title, **_sum([row for row in over if row.game == kind.word], one, two)}
            for kind in games.GAMES
            if any(row.game == kind.word for row in over)
        ],
        "streak": _streak(counted),
        "last": [
            {
                "number": row.board,
                "title": games.load(row.game, row.options).title,
                "first": row.seats[0],
                "end": _end(row),
                "date": _date(row),
            }
            for row in over[:_LAST]
        ],
    }
    letter = partial(post, work, "versus", reader.userid, reader.address, facts)
    ask(work, reader, ("versus", one, two), letter)


def _sum(rows: Sequence[Board], one: str, two: str) -> dict[str, object]:
    """How two players stand in one game; ``first``: how often each has won of the games begun."""
    results = Counter(row.result for row in rows)
    first = Counter(row.seats[0] for row in rows)
    won_first = Counter(row.result for row in rows if row.result == row.seats[0])
    return {
        "won": [results[one], results[two]],
        "ties": results["tie"],
        "void": results["void"],
        "first": [[won_first[userid], first[userid]] for userid in (one, two)],
    }


def _streak(counted: Sequence[Board]) -> str:
    """Who has won the last games, and how many; empty if the last was a tie, or there is none."""
    if not counted or counted[0].result == "tie":
        return ""
    winner = counted[0].result
    length = next((n for n, row in enumerate(counted) if row.result != winner), len(counted))
    return f"{winner} has won the last {length}." if length > 1 else f"{winner} won the last game."
