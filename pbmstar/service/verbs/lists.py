"""The verb that lists the games of a player, by filters; and how a list tells a game."""

from __future__ import annotations

from ... import games
from ...command import Command
from ...errors import NOTHING, BadInput, Sentence, literal, say
from ...grammar.literals import Filters
from ...identity import ReplyScope
from ...machine.times import DAY
from ...match.zones import date_of
from ...render.board.clock_face import length
from ...render.board.opening import kind
from ...render.facts import GameLine, GamesFacts
from ...store import Board, User
from ..proof.limits import ask
from ..reminders import deadlines, leave
from ..work import timekeeping
from ..work.apply import load, may_see, names_of
from ..work.letter import PlainLetter, reply_to
from ..work.work import Work

MOST = 200  # games of a list
STAMPED = 10  # games of a list that are shown with a small picture, which has some 4 kB


def games_of(work: Work, command: Command, reader: User) -> None:
    """Mail a list of a player's games, or of the reader's own: of one kind, or of all kinds.

    The games in which the player must move come first, then the other running games; in both groups the
    least time comes first. Games that are over come last, the newest of them first.
    """
    of_kind, of = command.game, command.args.get("userid", reader.userid)
    filters: Filters = command.args.get("filters") or Filters()
    _require_player(work, of)
    if filters.vs:
        _require_player(work, filters.vs)
    names = names_of(work, reader)
    rows = [
        row
        for row in work.tx.boards.of(of, filters.kept)
        if of_kind in (None, games.find(row.game))
        and may_see(row.agreed, row.seats, names)
        and _is_wanted(work, row, of, filters)
    ]
    rows.sort(key=newest_first)
    newest = rows[: min(filters.last or MOST, MOST)]
    left = {row.board: timekeeping.left_on(work, row) for row in newest if row.to_move}
    newest.sort(key=lambda row: _place(row, of, left.get(row.board)))
    facts = GamesFacts(
        of_kind.title if of_kind else "",
        of_kind.word if of_kind else "star",
        of,
        str(filters),
        [
            line_of(work, row, of, reader, left.get(row.board), at < STAMPED)
            for at, row in enumerate(newest)
        ],
        more=len(rows) - len(newest) if not filters.last else 0,
        away=leave.is_away(work, of),
        reader=reader.userid,
    )
    key = ("games", of_kind and of_kind.word, of, filters)
    ask(work, reader, key, PlainLetter.to(reader, facts))


def newest_first(row: Board) -> tuple[float, int]:
    """Return the place of a game among others, the one that changed last first."""
    return -row.since, -row.board


def _require_player(work: Work, userid: str) -> None:
    if work.tx.accounts.user(userid) is None:
        raise BadInput(say("There's no player called {userid}.", userid=userid), "no-player")


def _is_wanted(work: Work, row: Board, of: str, filters: Filters) -> bool:
    """Return True if a game passes the filters that the store has not applied."""
    if filters.vs and (filters.vs == of or filters.vs not in row.seats):
        return False
    if date_of(row.since)[:7] < filters.since:
        return False
    return not filters.states or any(_is_in(work, row, of, state) for state in filters.states)


def _is_in(work: Work, row: Board, of: str, state: str) -> bool:
    """Return True if a game is in that state of a filter."""
    if state == "late":
        return bool(row.to_move) and deadlines.is_late(work, load(work, row.board))
    winner = work.tx.boards.winner(row)
    return {
        "next": row.to_move == of,
        "active": bool(row.to_move),
        "finished": not row.to_move,
        "won": winner == of,
        "lost": winner not in ("", of),
        "drawn": row.result == "tie" and not winner,
    }[state]


def _place(row: Board, of: str, left: int | None) -> tuple[float, ...]:
    """Return a game's place in a list. ``left``: the time of the player to move, None without a limit."""
    if not row.to_move:
        return (2, -row.since)
    return (row.to_move != of, *timekeeping.urgency(row, left))


def line_of(
    work: Work, row: Board, of: str, reader: User, left: int | None, is_stamped: bool
) -> GameLine:
    """Return the facts of one game in the list of player ``of``; ``is_stamped``: with its small picture."""
    others = [userid for userid in row.seats if userid != of]
    game = games.load(row.game, row.options)
    own_turn = row.to_move == of == reader.userid
    turn = ReplyScope(of, row.board, row.resets, row.length)
    return GameLine(
        number=row.board,
        title=game.title,
        word=game.word,
        against=" and ".join(others),
        away=bool(row.to_move) and any(leave.is_away(work, each) for each in others),
        left=NOTHING if left is None else length(left),
        to_move=row.to_move,
        end=_end(work, row),
        move=work.tx.boards.last_move(row.board) + bool(row.to_move),
        days=int((work.now - row.since) / DAY),
        kind=kind(game),
        reply=reply_to(work, turn) if own_turn else "",
        set_up=row.options,
        stones=load(work, row.board).position.stones.hex() if is_stamped and row.to_move else "",
    )


_ENDS = {"tie": say("a tie"), "void": say("without a result"), "unsolved": say("unsolved")}


def _end(work: Work, row: Board) -> Sentence:
    """Return the end of a game in words; empty while it runs."""
    if winner := work.tx.boards.winner(row):
        return say("solved") if len(row.seats) == 1 else say("{winner} won", winner=winner)
    return _ENDS.get(row.result, literal(row.result))
