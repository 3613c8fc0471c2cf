"""Cups begin by themselves, and end on their day: in small steps, each a transaction that can be repeated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ... import games
from ...errors import say, say_many
from ...match.terms import DAY
from ...service.work.context import Context, in_steps
from ...service.work.work import Work
from ...store import Store, User
from ..contests.rows import BEGUN, OPEN, OVER, Contest, Contests, Entrant, Pairing
from ..league import seasons
from ..league.rules import OUT, rounds
from ..league.seasons import LAST, STEP, Job
from ..league.verbs import name_of, places_of, tables
from . import verbs
from .happenings import InCup
from .rows import Movers
from .rules import CUP, FULL, absent, begins

_BEGUN = "begun"  # the first stage


def carry_on(context: Context, store: Store) -> None:
    """Do all due work in all cups."""
    in_steps(store, lambda tx: step(Work(context, tx, context.clock())))


def step(work: Work) -> bool:
    """Do some of the due work in cups, in the open transaction; return False if there is none."""
    return seasons.step(work, CUP, _JOBS)


# -- the beginning


def _begin(work: Work, contest: Contest) -> bool:
    """Begin a cup if that is due: pair its players, and enter all others in the next one.

    Return True if it has begun.
    """
    waiting = {each.userid: each for each in work.tx.of(Contests).entries(contest.id)}
    there = [user for user in map(work.tx.accounts.user, waiting) if user is not None]
    there = [user for user in there if user.state == "active"]
    more = min(len(there), FULL) - 1
    fitting = [user.userid for user in there if _takes(work, user, more)]
    if not begins([waiting[userid].joined for userid in fitting], work.now):
        return False
    players = fitting[:FULL]
    for seed, userid in enumerate(players, 1):
        entry = waiting.pop(userid)._replace(division=1, seed=seed)
        work.tx.of(Contests).set_entry(entry)
    pairs = [pair for each in rounds(players) for pair in each]
    rows = [{"division": 1, "first": a, "second": b, "board": None} for a, b in pairs]
    work.tx.of(Contests).add_pairings(contest.id, rows)
    until = work.now + contest.days * DAY
    begun = contest._replace(state=BEGUN, stage=_BEGUN, begin=work.now, until=until)
    work.tx.of(Contests).keep(begun)
    _put_into_next(work, begun, list(waiting.values()), more)
    return True


def _takes(work: Work, user: User, more: int) -> bool:
    """Return True if a player's own limit of running games lets so many more begin."""
    return user.most is None or len(work.tx.boards.of(user.userid, "active")) + more <= user.most


def _put_into_next(work: Work, contest: Contest, left: Sequence[Entrant], more: int) -> None:
    """Enter players in the next cup who are not in the one that begins, and tell them."""
    kind = games.find(contest.game)
    if not left or kind is None:
        return
    following = verbs.next_cup(work, kind)
    for entry in left:
        work.tx.of(Contests).drop_entry(contest.id, entry.userid)
        work.tx.of(Contests).set_entry(entry._replace(contest=following.id))
    for entry in left:
        user = work.tx.accounts.user(entry.userid)
        if user is not None:
            fits = _takes(work, user, more)
            begun = (
                say(
                    "{cup} has begun without you: {number} others were first.",
                    cup=name_of(contest),
                    number=FULL,
                )
                if fits
                else say_many(
                    "{cup} has begun without you: it brings {count} game.",
                    "{cup} has begun without you: it brings {count} games.",
                    more,
                    cup=name_of(contest),
                )
            )
            verbs.tell_entry(work, following, user, begun)


def _begin_boards(work: Work, contest: Contest) -> bool:
    def because(_: Pairing) -> InCup:
        return InCup(name_of(contest), contest.until or 0.0)

    return seasons.begin_boards(work, contest, because)


# -- the end


def _finish(work: Work, contest: Contest) -> bool:
    """End a cup that has no running game; return True if that was done.

    Who has never moved is out. The places of the others are kept.
    """
    if contest.stage == LAST or work.tx.of(Contests).running(contest.id):
        return False
    entries = work.tx.of(Contests).entries(contest.id)
    out = absent([each.userid for each in entries], work.tx.of(Movers).of(contest.id))
    for entry in entries:
        if entry.userid in out:
            work.tx.of(Contests).set_entry(entry._replace(state=OUT))
    keep_places(work, contest)
    work.tx.of(Contests).keep(contest._replace(stage=LAST, until=work.now))
    return True


def keep_places(work: Work, contest: Contest) -> None:
    """Keep the places of a cup whose games are over, as these games are now."""
    places = places_of(tables(work.tx, contest))
    for entry in work.tx.of(Contests).entries(contest.id):
        work.tx.of(Contests).set_entry(entry._replace(place=places.get(entry.userid, 0)))


def _tell(work: Work, contest: Contest) -> bool:
    """Tell some players that a cup begins, or who has won it; return True if there was anything to do.

    When all know who has won, the cup is over.
    """
    waiting = work.tx.of(Contests).untold(contest.id, contest.stage, STEP)
    kind = "over" if contest.stage == LAST else "begins"
    for entry in waiting:
        work.tx.of(Contests).set_entry(entry._replace(told=contest.stage))
        user = work.tx.accounts.user(entry.userid)
        if user is not None and user.state == "active":
            verbs.send_table(work, contest, user, kind)
    if not waiting and contest.stage == LAST:
        work.tx.of(Contests).keep(contest._replace(state=OVER))
        return True
    return bool(waiting)


_JOBS: Mapping[str, Sequence[Job]] = {
    OPEN: (_begin,),
    BEGUN: (_begin_boards, seasons.judge, _finish, _tell),
}
