"""The seasons of leagues: each begins by the calendar, is announced to its players, and ends on its day.

All work is done in small steps, each a transaction of its own. A step finds in the store what is left to do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ... import games
from ...errors import Refusal, Sentence, say, say_many, together
from ...games.base import Game
from ...machine.times import DAY, Epoch
from ...match import Act, Terms, terms
from ...match.dates import moment
from ...match.happenings import Itself
from ...ratings.rated_games import strengths
from ...ratings.rating import Strengths
from ...render.facts import Occasion
from ...service.letters import digests
from ...service.letters.post import tell_account
from ...service.letters.tell import tell
from ...service.verbs.beginning import agreed_on, start_untold
from ...service.work.apply import apply, load
from ...service.work.context import Context, in_steps
from ...service.work.timekeeping import told_by
from ...service.work.work import Work
from ...store import Store, User
from ..contests.rows import BEGUN, OPEN, OVER, Contest, Contests, Entrant, Pairing
from . import verbs
from .commands import InSeason
from .rows import Title, Titles
from .rules import (
    IDLE,
    LEAGUE,
    LEAST,
    OUT,
    SHORT,
    Entering,
    divisions,
    is_dropped,
    next_begin,
    rounds,
    sizes,
    stage,
)

Job = Callable[[Work, Contest], bool]
LAST = "over"  # the last stage
# The most that one transaction does, in pieces and seconds: messages wait for it no longer than for a group
# of messages.
STEP, _MOMENT = 10, 0.015


def carry_on(context: Context, store: Store) -> None:
    """Do all due work in all seasons."""
    in_steps(store, lambda tx: step(Work(context, tx, context.clock()), LEAGUE, _JOBS))


def step(work: Work, kind: str, jobs: Mapping[str, Sequence[Job]]) -> bool:
    """Do some of the due work in contests of a kind; return False if there is none.

    jobs  what is done for a contest in each state, in this order; each returns False if nothing is due
    """
    alive = [each for each in work.tx.of(Contests).all(alive=True) if each.kind == kind]
    return any(step_of(work, each.id, jobs) for each in alive)


def step_of(work: Work, number: int, jobs: Mapping[str, Sequence[Job]]) -> bool:
    """Do some of the due work in one contest; return False if there is none. ``jobs``: as above."""
    # Read anew and locked: another process may be at the same work.
    contest = work.tx.of(Contests).get(number)
    return contest is not None and any(job(work, contest) for job in jobs.get(contest.state, ()))


def _some(work: Work, done: int, since: Epoch) -> bool:
    """Return True if a transaction that has done so much may do some more."""
    return done < STEP and work.context.clock() - since < _MOMENT


# -- the beginning


def _begin_if_due(work: Work, contest: Contest) -> bool:
    """Begin a season if that is due; return True if it was."""
    if not _is_due(work, contest):
        return False
    begin(work, contest)
    return True


def _is_due(work: Work, contest: Contest) -> bool:
    """Return True if a season must begin: it is time, enough players have joined, and no other season of the
    league runs."""
    seasons = work.tx.of(Contests).newest(LEAGUE, contest.game, 2)
    last = next((each for each in seasons if each.id != contest.id), None)
    if last is not None and last.state == BEGUN:
        return False
    ended = last.until if last else None
    if work.now < next_begin(contest.made if ended is None else ended, ended):
        return False
    return len(_fitting(work, contest)) >= LEAST


def _players(work: Work, contest: Contest) -> list[User]:
    """Return the players who have joined and whom letters reach, in the order in which they joined."""
    users = [
        work.tx.accounts.user(each.userid) for each in work.tx.of(Contests).entries(contest.id)
    ]
    return [user for user in users if user is not None and user.state == "active"]


def begin(work: Work, contest: Contest) -> None:
    """Put the players of a season into divisions, pair them, and open the next season for joining.

    Raises Refusal if there are too few.
    """
    players = _fitting(work, contest)
    if len(players) < LEAST:
        why = (
            say_many(
                "A season needs {least} players, but only {count} has joined.",
                "A season needs {least} players, but only {count} have joined.",
                len(players),
                least=LEAST,
            )
            if players
            else say("A season needs {least} players, but nobody has joined.", least=LEAST)
        )
        raise Refusal(why, "too-few")
    _tell_left_out(work, contest, players)
    seasons = work.tx.of(Contests).newest(LEAGUE, contest.game, 3)[1:]
    last = [[line.userid for line in each.lines] for each in _tables(work, seasons[:1])]
    former = {
        line.userid: division.number
        for division in _tables(work, seasons[1:2])
        for line in division.lines
    }
    known = {userid for players_ in last for userid in players_}
    new = [user.userid for user in players if user.userid not in known]
    strong = strengths(work.tx, work.now, new)
    fresh = [
        Entering(userid, _strength(strong, userid, contest), former.get(userid, 0))
        for userid in new
    ]
    stay = {user.userid for user in players}
    cut = divisions(last, stay, fresh)
    until = work.now + contest.days * DAY
    for number, members in enumerate(cut, 1):
        for seed, userid in enumerate(members, 1):
            entry = Entrant(contest.id, userid, work.now, number, seed)
            work.tx.of(Contests).set_entry(entry)
        pairs = [pair for each in rounds(members) for pair in each]
        rows = [{"division": number, "first": a, "second": b, "board": None} for a, b in pairs]
        work.tx.of(Contests).add_pairings(contest.id, rows)
    for entry in work.tx.of(Contests).entries(contest.id):
        if not entry.division:
            work.tx.of(Contests).drop_entry(contest.id, entry.userid)
    begun = contest._replace(state=BEGUN, begin=work.now, until=until)
    work.tx.of(Contests).keep(begun)
    _open_next(work, begun, [userid for members in cut for userid in members])


def _tables(work: Work, seasons: list[Contest]) -> list[verbs.DivisionTable]:
    return verbs.tables(work.tx, seasons[0]) if seasons else []


def _fitting(work: Work, contest: Contest) -> list[User]:
    """Return the players to whom a season would not give more running games than the limit they have set."""
    players = _players(work, contest)
    more = _games_of_each(players)
    fit = []
    for user in players:
        running = len(work.tx.boards.of(user.userid, "active")) if user.most is not None else 0
        if user.most is None or running + more <= user.most:
            fit.append(user)
    return fit


def _games_of_each(players: Sequence[User]) -> int:
    """Return how many games a season brings each of its players, at most."""
    return max(sizes(len(players)), default=1) - 1


def _tell_left_out(work: Work, contest: Contest, fit: Sequence[User]) -> None:
    """Tell those who have joined a season, but are not among the players who fit, that it begins."""
    players = _players(work, contest)
    more = _games_of_each(players)
    for user in players:
        if user not in fit:
            tell_account(
                work,
                user,
                say("league"),
                say_many(
                    "{season} has started without you: its {count} game would have taken you "
                    "over your limit of {most}.",
                    "{season} has started without you: its {count} games would have taken you "
                    "over your limit of {most}.",
                    more,
                    season=verbs.name_of(contest),
                    most=user.most or 0,
                ),
                (f"league join {contest.game}",),
            )


def _strength(strengths: Strengths, userid: str, contest: Contest) -> float | None:
    """Return the points that decide a player's place; None while they are provisional."""
    known = strengths.get(userid, {}).get(contest.game)
    return None if known is None or known.is_provisional else known.counted


def _open_next(work: Work, contest: Contest, members: list[str]) -> None:
    """Open the season after one that begins; the same players are in it until they leave."""
    following = contest._replace(
        season=contest.season + 1,
        state=OPEN,
        stage="",
        made=work.now,
        begin=None,
        until=None,
    )
    number = work.tx.of(Contests).add(following)
    for userid in members:
        work.tx.of(Contests).set_entry(Entrant(number, userid, work.now))


def _begin_boards(work: Work, contest: Contest) -> bool:
    divisions_ = max(each.division for each in work.tx.of(Contests).entries(contest.id))

    def because(pairing: Pairing) -> InSeason:
        division = f", division {pairing.division}" if divisions_ > 1 else ""
        return InSeason(f"{verbs.name_of(contest)}{division}", contest.until or 0.0)

    return begin_boards(work, contest, because)


def begin_boards(work: Work, contest: Contest, because: Callable[[Pairing], Itself]) -> bool:
    """Begin some games of a season that have no board yet; return True if there were any.

    ``because``: returns why a game begins. Their players are told by one letter, once all are there: see
    ``tell_of_beginning``.
    """
    since = work.context.clock()
    waiting = work.tx.of(Contests).unbegun(contest.id, STEP)
    game: Game = games.load(contest.game, contest.options)
    usual: Terms = terms.load(contest.terms)
    for done, pairing in enumerate(waiting):
        if not _some(work, done, since):
            break
        seats = (pairing.first, pairing.second)
        agreed = agreed_on(work, seats, before=usual)._replace(contest=contest.kind)
        number = start_untold(work, game, seats, because(pairing), agreed=agreed)
        work.tx.of(Contests).set_pairing(pairing._replace(board=number))
    return bool(waiting)


def tell_of_beginning(
    work: Work, contest: Contest, user: User, subject: str, said: Sentence
) -> None:
    """Mail a player all boards of a season that begins: those that wait for the player whole.

    The clock of a turn begins with this letter. ``said``: sentences about the season.
    """
    own = [
        (row, each)
        for each in work.tx.of(Contests).running(contest.id)
        if user.userid in each.seats and each.board and (row := work.tx.boards.get(each.board))
    ]
    waiting = [row for row, each in own if each.to_move == user.userid]
    others = [
        say("board {number} ({userid})", number=row.board, userid=each.first)
        for row, each in own
        if each.to_move != user.userid
    ]
    there = (
        say_many(
            "On {count} board your opponent makes the first move: {boards}.",
            "On {count} boards your opponents make the first move: {boards}.",
            len(others),
            boards=tuple(others),
        )
        if others
        else None
    )
    title = say("{contest} starts", contest=verbs.name_of(contest))
    table = f"{contest.kind} table {contest.game}"
    occasion = Occasion(subject, title, together(said, there), (table,))
    letter = digests.send_about(work, user, waiting, occasion)
    for row in waiting:
        if letter is not None:
            told_by(work, load(work, row.board), letter)


def _tell_of_beginning(
    work: Work,
    contest: Contest,
    user: User,
    by_number: Mapping[int, verbs.DivisionTable],
    number: int,
) -> None:
    """Mail a player the boards of a season of a league that begins."""
    subject = f"Star: {verbs.name_of(contest)}"
    place = None
    if len(by_number) > 1:
        subject += f", division {number}"
        place = say(
            "You're in division {division} of {divisions}.",
            division=number,
            divisions=len(by_number),
        )
    said = together(
        place,
        how_played(contest, user, [line.userid for line in by_number[number].lines]),
    )
    tell_of_beginning(work, contest, user, f"{subject} begins", said)


def how_played(contest: Contest, user: User, players: Sequence[str]) -> Sentence:
    """Return the sentences that say to one of its players how a season is played, and how long."""
    return together(
        say(
            "You play one game each with {players}, all at the same time, until {until} at the latest.",
            players=tuple(each for each in players if each != user.userid),
            until=moment(contest.until or 0.0, user.zone),
        ),
        say(
            "We'll judge any game still running then: a player who can no longer be beaten "
            "wins. Otherwise, each player gets half a point."
        ),
    )


# -- the end


def judge(work: Work, contest: Contest) -> bool:
    """Judge some games that still run at the end of a season; return True if there were any."""
    if contest.until is None or work.now < contest.until or contest.stage.startswith(LAST):
        return False
    since = work.context.clock()
    running = work.tx.of(Contests).running(contest.id)
    for done, pairing in enumerate(running):
        if not _some(work, done, since):
            break
        assert pairing.board is not None
        try:
            with work.tx.savepoint():
                match = load(work, pairing.board)
                act = Act(match.to_move, "judge", str(verbs.name_of(contest)))
                tell(work, apply(work, match, act))
        except Refusal:  # the record is corrupt: ``admin check`` names it
            work.tx.of(Contests).set_pairing(pairing._replace(board=0, gone="first second"))
    return bool(running)


def _finish(work: Work, contest: Contest) -> bool:
    """End a season that has no running game; return True if that was done.

    Its places and winners are kept. Absent players are taken out of the next season.
    """
    if contest.stage.startswith(LAST) or work.tx.of(Contests).running(contest.id):
        return False
    final = verbs.tables(work.tx, contest)
    keep_places(work, contest, final, work.now)
    began = contest.begin or 0.0
    is_short = work.now - began < SHORT
    since = max(began, work.now - IDLE)
    idle = set() if is_short else work.tx.of(Titles).idle(contest.id, since)
    for following in work.tx.of(Contests).newest(LEAGUE, contest.game):
        for line in (line for each in final for line in each.lines):
            if following.id != contest.id and is_dropped(line, line.userid in idle):
                work.tx.of(Contests).drop_entry(following.id, line.userid)
    work.tx.of(Contests).keep(contest._replace(stage=f"{LAST} {work.now:.0f}", until=work.now))
    return True


def keep_places(
    work: Work, contest: Contest, final: Sequence[verbs.DivisionTable], at: Epoch
) -> None:
    """Keep the places and the winners of a season whose last game has ended ``at`` that time."""
    name = contest.game, contest.season
    titles = [
        Title(contest.id, each.lines[0].userid, *name, each.number, len(final), at)
        for each in final
        if each.lines and each.lines[0].played
    ]
    work.tx.of(Titles).keep(contest.id, titles)
    places = verbs.places_of(list(final))
    for entry in work.tx.of(Contests).entries(contest.id):
        work.tx.of(Contests).set_entry(entry._replace(place=places.get(entry.userid, 0)))


# -- letters to the players


def _move_on(work: Work, contest: Contest) -> bool:
    """Set the new stage of a running season; return False if there is none."""
    if contest.stage.startswith(LAST) or contest.begin is None or contest.until is None:
        return False
    now = str(stage(contest.begin, contest.until, work.now))
    if now == contest.stage:
        return False
    work.tx.of(Contests).keep(contest._replace(stage=now))
    return True


def _tell(work: Work, contest: Contest) -> bool:
    """Tell some players of the stage of a season; return True if there was anything to do.

    When all have been told of the last stage, the season is over.
    """
    waiting = work.tx.of(Contests).untold(contest.id, contest.stage, STEP)
    by_number = {each.number: each for each in verbs.tables(work.tx, contest)} if waiting else {}
    titles = {each.userid for each in work.tx.of(Titles).of(contest.id)} if waiting else set()
    for entry in waiting:
        work.tx.of(Contests).set_entry(entry._replace(told=contest.stage))
        user = work.tx.accounts.user(entry.userid)
        kind = {"begun": "begins"}.get(contest.stage.split()[0], contest.stage.split()[0])
        if user is None or user.state != "active" or entry.state == OUT:
            continue
        if kind == "table" and user.letters == "mine":
            continue
        if kind == "begins":
            _tell_of_beginning(work, contest, user, by_number, entry.division)
            continue
        verbs.send_table(
            work, contest, by_number[entry.division], user, kind, won=entry.userid in titles
        )
    if not waiting and contest.stage.startswith(LAST):
        work.tx.of(Contests).keep(contest._replace(state=OVER))
        return True
    return bool(waiting)


_JOBS: Mapping[str, Sequence[Job]] = {
    OPEN: (_begin_if_due,),
    BEGUN: (_begin_boards, judge, _finish, _move_on, _tell),
}
