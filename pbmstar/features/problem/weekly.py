"""The problem of each week: it is sought once, among the newest games, and mailed to its readers."""

from __future__ import annotations

from collections.abc import Iterable

from ... import games
from ...errors import DAMAGE
from ...games.base import PLAYERS
from ...machine.times import DAY
from ...match import is_move
from ...service.letters.post import send
from ...service.work.context import Context
from ...service.work.work import Work
from ...store import Store, Tx
from .letters import is_open, is_withheld, letter_to, own_letter
from .rows import OwnProblem, Problems, StoredProblem
from .rules import Played, Problem, find, week_of

_GAMES = 200  # the most games that are looked at, the newest ones
# Of a reader's own games: how old they may be, how many are looked at, and the work of the search.
_LATELY, _OWN, _WORK_OF_OWN = 30 * DAY, 8, 200_000
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
    while _mail(context, store):
        pass


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
    made = _stored(week, played, found)
    with store.transaction() as tx:
        tx.of(Problems).add(made)
        return tx.of(Problems).newest()


def _stored(week: int, played: Iterable[Played], found: Problem) -> StoredProblem:
    """Return what was found in one of these games as a problem of a week; it has no number yet."""
    game, moves = next((each.game, each.moves) for each in played if each.board == found.board)
    return StoredProblem(
        0,
        week,
        found.board,
        game.word,
        games.dump(game),
        tuple(moves[: found.length]),
        found.move,
        found.played,
    )


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


def _mail(context: Context, store: Store) -> bool:
    """Mail the week's problem to some of its readers; return True if there may be more.

    A reader who has missed what decides in a game of the reader's own gets that in its place. It is sought
    outside of any transaction; another run finds the same.
    """
    with store.transaction(writes=False) as tx:
        work = Work(context, tx, context.clock())
        newest = _to_mail(work)
        due = tx.of(Problems).due(newest.number, READERS) if newest else []
        played = {userid: _played_by(work, userid) for userid in due}
    found = {userid: find(each, _WORK_OF_OWN) for userid, each in played.items()}
    with store.transaction() as tx:
        work = Work(context, tx, context.clock())
        if newest is None or _to_mail(work) != newest:
            return False
        for userid in due:
            user = tx.accounts.user(userid)
            if (
                not tx.of(Problems).tell(userid, newest.number)
                or not user
                or user.state != "active"
            ):
                continue
            own = _own(work, newest, userid, played[userid], found[userid])
            send(
                work,
                own_letter(work, own, user, newest)
                if own
                else letter_to(work, newest, user, weekly=True),
            )
    return len(due) == READERS


def _to_mail(work: Work) -> StoredProblem | None:
    """Return the problem that is mailed now; None if there is none."""
    newest = work.tx.of(Problems).newest()
    if work.tx.clocks.paused() is not None or newest is None or not is_open(work, newest):
        return None
    return None if is_withheld(work, newest) else newest


def _played_by(work: Work, userid: str) -> list[Played]:
    """Return the newest finished games of a player, in which the player may have missed something."""
    since = work.now - _LATELY
    played = []
    for board, word, options in work.tx.of(Problems).finished_of(userid, _KINDS, since, _OWN):
        each = _played(work.tx, board, word, options)
        row = work.tx.boards.get(board)
        if each is None or row is None or not each.game.one_stone:
            continue
        # After a swap the seats have the other stones.
        stones = PLAYERS[::-1] if "swap" in each.moves else PLAYERS
        played.append(each._replace(missed_by=stones[row.seats.index(userid)]))
    return played


def _own(
    work: Work, newest: StoredProblem, userid: str, played: list[Played], found: Problem | None
) -> OwnProblem | None:
    """Keep what was found in a player's games, unless the game goes on again, and return it."""
    if found is None:
        return None
    made = _stored(newest.week, played, found)
    return None if is_withheld(work, made) else work.tx.of(Problems).add_own(userid, made)
