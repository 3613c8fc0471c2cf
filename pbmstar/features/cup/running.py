"""Cups begin by themselves, and end on their day: in small steps, each a transaction that can be repeated."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ... import games
from ...command import Command
from ...errors import say, say_many, together
from ...machine.times import DAY, Epoch
from ...service.letters import chores
from ...service.work.context import Context, in_steps
from ...service.work.work import Work
from ...store import Store, User
from ..contests.feature import count_change, require_alone
from ..contests.rows import BEGUN, OPEN, OVER, Contest, Contests, Entrant, Pairing
from ..league import seasons
from ..league.rules import OUT, rounds
from ..league.seasons import LAST, STEP, Job
from ..league.verbs import name_of, places_of, tables
from . import verbs
from .commands import CUP, InCup
from .verbs import FULL, LEAST, PROPOSAL, absent, begins

_BEGUN = "begun"  # the first stage
_HALF = "half"  # the second: half of the time is over
_PROPOSED = "proposed"  # what players have been told whose cup has not begun


def enter(work: Work, command: Command, user: User) -> None:
    """Enter the next cup of a game, which begins now if it is full.

    A player who is in one is told how it stands. Raises Refusal.
    """
    kind = verbs.kind_of(command)
    for contest, _ in work.tx.of(Contests).of_player(user.userid):
        if contest.kind == CUP and contest.game == kind.word and contest.state in (OPEN, BEGUN):
            if contest.state == OPEN:
                verbs.tell_entry(work, contest, user)
            else:
                verbs.send_table(work, contest, user)
            return
    count_change(work, user)
    contest = verbs.next_cup(work, kind)
    require_alone(
        work, contest, user, say("Another account at your address is already in this cup.")
    )
    work.tx.of(Contests).set_entry(Entrant(contest.id, user.userid, work.now))
    # The words and the address of the last player have nothing to do with the letters of all these games.
    by_itself = Work(work.context, work.tx, work.now, report=work.report)
    if not begin(by_itself, contest, begins):
        verbs.tell_entry(work, contest, user)
        return
    chores.later(by_itself, begin_some, str(contest.id), {"contest": contest.id})


def begin_some(work: Work, facts: chores.Facts) -> chores.Facts | None:
    """Make the next boards of a cup that starts, and when all are there the letters: people wait for them."""
    return facts if seasons.step_of(work, facts["contest"], _JOBS) else None


def carry_on(context: Context, store: Store) -> None:
    """Do all due work in all cups."""
    in_steps(store, lambda tx: step(Work(context, tx, context.clock())))


def step(work: Work) -> bool:
    """Do some of the due work in cups, in the open transaction; return False if there is none."""
    return seasons.step(work, CUP, _JOBS)


# -- the beginning


def _begin(work: Work, contest: Contest) -> bool:
    """Begin a cup if that is due, or tell its players that it waits; return True if either was done."""
    return begin(work, contest, begins) or _tell_those_who_wait(work, contest)


def begin(work: Work, contest: Contest, is_due: Callable[[Sequence[Epoch], Epoch], bool]) -> bool:
    """Begin a cup if that is due: pair its players, and enter all others in the next one.

    Return True if it has begun. ``is_due`` gets the times at which its players have entered it, and the time.
    """
    waiting = {each.userid: each for each in work.tx.of(Contests).entries(contest.id)}
    there = [user for user in map(work.tx.accounts.user, waiting) if user is not None]
    there = [user for user in there if user.state == "active"]
    more = min(len(there), FULL) - 1
    fitting = [user.userid for user in there if _takes(work, user, more)]
    if not is_due([waiting[userid].joined for userid in fitting], work.now):
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


def _tell_those_who_wait(work: Work, contest: Contest) -> bool:
    """Tell players who have waited long for a cup how they can play; return True if there were any."""
    waiting = work.tx.of(Contests).entries(contest.id)
    done = False
    for entry in waiting:
        if work.now - entry.joined < PROPOSAL or entry.told == _PROPOSED:
            continue
        done = True
        work.tx.of(Contests).set_entry(entry._replace(told=_PROPOSED))
        user = work.tx.accounts.user(entry.userid)
        if user is not None and user.state == "active":
            (verbs.propose if len(waiting) < LEAST else verbs.tell_entry)(work, contest, user)
    return done


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
        work.tx.of(Contests).set_entry(entry._replace(contest=following.id, told=""))
    for entry in left:
        user = work.tx.accounts.user(entry.userid)
        if user is not None:
            fits = _takes(work, user, more)
            begun = (
                say(
                    "{cup} has started without you: {number} others entered before you.",
                    cup=name_of(contest),
                    number=FULL,
                )
                if fits
                else say_many(
                    "{cup} has started without you: its {count} game would have taken you "
                    "over your limit.",
                    "{cup} has started without you: its {count} games would have taken you "
                    "over your limit.",
                    more,
                    cup=name_of(contest),
                )
            )
            verbs.tell_entry(work, following, user, begun)


def _begin_boards(work: Work, contest: Contest) -> bool:
    def because(_: Pairing) -> InCup:
        return InCup(str(name_of(contest)), contest.until or 0.0)

    return seasons.begin_boards(work, contest, because)


# -- the end


def _finish(work: Work, contest: Contest) -> bool:
    """End a cup that has no running game; return True if that was done.

    Who has never moved is out. The places of the others are kept.
    """
    if contest.stage == LAST or work.tx.of(Contests).running(contest.id):
        return False
    entries = work.tx.of(Contests).entries(contest.id)
    out = absent([each.userid for each in entries], work.tx.of(Contests).movers(contest.id))
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


def _halve(work: Work, contest: Contest) -> bool:
    """Note that half of a cup's time is over; return True if it is now."""
    middle = ((contest.begin or 0.0) + (contest.until or 0.0)) / 2
    if contest.stage != _BEGUN or work.now < middle:
        return False
    work.tx.of(Contests).keep(contest._replace(stage=_HALF))
    return True


def _tell(work: Work, contest: Contest) -> bool:
    """Tell some players that a cup begins, how it stands at half time, or who has won it.

    At half time only those are told who still have a game to play.

    Return True if there was anything to do.

    When all know who has won, the cup is over.
    """
    waiting = work.tx.of(Contests).untold(contest.id, contest.stage, STEP)
    running = work.tx.of(Contests).running(contest.id) if contest.stage == _HALF else ()
    playing = {userid for each in running for userid in (each.first, each.second)}
    for entry in waiting:
        work.tx.of(Contests).set_entry(entry._replace(told=contest.stage))
        user = work.tx.accounts.user(entry.userid)
        if user is None or user.state != "active":
            continue
        if contest.stage == LAST:
            verbs.send_table(work, contest, user, "over")
        elif contest.stage == _HALF:
            if user.userid in playing:
                verbs.send_table(work, contest, user, "half")
        else:
            _tell_of_beginning(work, contest, user)
    if not waiting and contest.stage == LAST:
        work.tx.of(Contests).keep(contest._replace(state=OVER))
        return True
    return bool(waiting)


def _tell_of_beginning(work: Work, contest: Contest, user: User) -> None:
    """Mail a player all boards of a cup that begins."""
    players = [entry.userid for entry in work.tx.of(Contests).entries(contest.id)]
    said = together(
        seasons.how_played(contest, user, players),
        say(
            "If you don't make your first move in a game in time, we'll warn you. If you still "
            "don't move, you lose that game. If you don't move in any of your games, you're out "
            "of the cup."
        ),
    )
    seasons.tell_of_beginning(work, contest, user, f"Star: {name_of(contest)} begins", said)


_JOBS: Mapping[str, Sequence[Job]] = {
    OPEN: (_begin,),
    BEGUN: (_begin_boards, seasons.judge, _finish, _halve, _tell),
}
