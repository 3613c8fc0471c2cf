"""The problem of each week: it is sought once, among the newest games, and mailed to its readers."""

from __future__ import annotations

from ... import games
from ...errors import DAMAGE
from ...match import is_move
from ...service.letters.post import send
from ...service.work.context import Context, in_steps
from ...service.work.work import Work
from ...store import Store, Tx
from .letters import is_open, is_withheld, letter_to
from .rows import Problems, StoredProblem
from .rules import Played, find, week_of

_GAMES = 200  # the most games that are looked at, the newest ones
READERS = 10  # the most readers who are mailed in one transaction
_SOUGHT = "problem"  # a fact: the last week in which a problem was sought
# Games that points decide: they can be decided before their end.
_KINDS = tuple(g.word for g in games.GAMES if g.has_points and len(g.seats) == 2)


def carry_on(context: Context, store: Store) -> None:
    """Seek the week's problem, once a week, and mail it to the players who want each problem."""
    week = week_of(context.clock())
    with store.transaction(writes=False) as tx:
        is_due = tx.ledger.fact(_SOUGHT) != str(week) and tx.clocks.paused() is None
    if is_due:
        make(context, store)
        with store.transaction() as tx:
            tx.ledger.set_fact(_SOUGHT, str(week))
    in_steps(store, lambda tx: _mail(Work(context, tx, context.clock())))


def make(context: Context, store: Store) -> StoredProblem | None:
    """Return the problem of this week; None if the newest games give none that is good enough.

    If there is none yet, it is sought outside of any transaction, with bounded computation. The same
    store gives the same problem.
    """
    week = week_of(context.clock())
    with store.transaction(writes=False) as tx:
        newest = tx.of(Problems).newest()
        if newest and newest.week >= week:
            return newest
        rows = tx.of(Problems).finished(_KINDS, _GAMES)
        played = [each for row in rows if (each := _played(tx, *row))]
    found = find(each for each in played if each.game.one_stone)
    if found is None:
        return None
    game, moves = next((e.game, e.moves) for e in played if e.board == found.board)
    made = StoredProblem(
        0,
        week,
        found.board,
        game.word,
        games.dump(game),
        tuple(moves[: found.length]),
        found.move,
        found.played,
    )
    with store.transaction() as tx:
        tx.of(Problems).add(made)
        return tx.of(Problems).newest()


def _played(tx: Tx, board: int, word: str, options: str) -> Played | None:
    """Return a finished game; None if it began with moves of another, or if it is damaged: ``admin check``
    names it."""
    row = tx.boards.get(board)
    try:
        if row is None or row.agreed.setup:
            return None
        record = tx.boards.record(board)
        moves = [entry.move for entry in record if is_move(entry.number, entry.move)]
        return Played(board, games.load(word, options), moves)
    except DAMAGE:
        return None


def _mail(work: Work) -> bool:
    """Mail the week's problem to some of its readers; return True if there may be more."""
    newest = work.tx.of(Problems).newest()
    if work.tx.clocks.paused() is not None or newest is None or not is_open(work, newest):
        return False
    if is_withheld(work, newest):
        return False
    due = work.tx.of(Problems).due(newest.number, READERS)
    for userid in due:
        user = work.tx.accounts.user(userid)
        if work.tx.of(Problems).tell(userid, newest.number) and user and user.state == "active":
            send(work, letter_to(work, newest, user, weekly=True))
    return len(due) == READERS
