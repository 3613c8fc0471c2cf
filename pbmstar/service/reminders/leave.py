"""Leave: the times when players are away, the days of a year that this takes, and days taken instead of
a loss."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date, datetime, time, timedelta
from itertools import count, takewhile
from math import inf

from ... import games
from ...errors import Refusal, Sentence, say, say_many, together
from ...machine.times import DAY, Epoch
from ...match import Match, dates
from ...match.happenings import LeaveTaken
from ...match.terms import judged
from ...render.facts import AwayFacts
from ...store import Absence, User
from ...store.play.clocks import AUTO, BOUNCE, GRANT, LEAVE
from ..letters.post import BoardLetter, send, tell_account
from ..work.apply import load
from ..work.letter import PlainLetter
from ..work.work import Work

_NAMED = 20  # boards in a sentence
_AHEAD = 366 * DAY  # a leave may begin so long from now
_LONGEST = 367 * DAY  # a year, and room for a change of clocks
AUTO_IN_A_ROW = 14  # the most days that are taken for a player who does not write
_TAKEN = (LEAVE, AUTO)


def charged(absence: Absence) -> Counter[int]:
    """Return the number of days of a leave that begin before its end, by the year in which each begins.

    A day begins when the clocks of its zone show the time at which the leave began, one day later.
    """
    begins = (dates.days_later(absence.begin, number, absence.zone) for number in count(1))
    days = (absence.begin, *takewhile(absence.until.__gt__, begins))
    return Counter(dates.year_of(at, absence.zone) for at in days)


def left_of(work: Work, year: int, absences: Iterable[Absence]) -> int:
    """Return the days of leave that a player with these absences still has in a year."""
    granted = used = 0
    for each in absences:
        if each.kind in _TAKEN:
            used += charged(each)[year]
        elif each.kind == GRANT and dates.year_of(each.begin, each.zone) == year:
            granted += round((each.until - each.begin) / DAY)
    return work.context.config.leave_days + granted - used


def book(work: Work, user: User, begin: Epoch, until: Epoch) -> None:
    """Book a leave, and tell the player and the opponents. It replaces a leave for the same time.

    Only one leave can be booked ahead: a new one that does not begin now replaces it.

    Raises Refusal for a time that is past or too far off, and for more days than the player has.
    """
    now = work.now
    if until <= max(begin, now):
        raise Refusal(say("Those dates are in the past, or in the wrong order."), "past")
    if begin > now + _AHEAD:
        raise Refusal(say("You can only book leave up to a year ahead."), "too-far")
    if until > begin + _LONGEST:
        raise Refusal(say("You can't book more than a year of leave."), "too-far")
    new = Absence(0, user.userid, begin, until, LEAVE, now, user.zone)
    before = work.tx.clocks.absences(user.userid)
    remaining: list[Absence] = []
    replaced: list[Absence] = []
    for each in before:
        if each.kind not in _TAKEN or each.until <= now:
            remaining.append(each)
        elif each.begin <= now:
            remaining.append(each._replace(until=min(each.until, max(begin, now))))
        else:
            stays = begin <= now and until <= each.begin
            (remaining if stays else replaced).append(each)
    for year, days in charged(new).items():
        left = left_of(work, year, remaining)
        if days > left:
            raise Refusal(
                together(
                    say_many(
                        "That would use up {count} of your leave days for {year}.",
                        "That would use up {count} of your leave days for {year}.",
                        days,
                        year=year,
                    ),
                    say_many(
                        "You only have {count} day of leave left in that year.",
                        "You only have {count} days of leave left in that year.",
                        max(0, left),
                    ),
                ),
                "no-leave-left",
            )
    for each in replaced:
        work.tx.clocks.drop_absence(each.id)
    for each in remaining:
        if each not in before:
            work.tx.clocks.end_absence(each.id, each.until)
    work.tx.clocks.add_absence(user.userid, begin, until, LEAVE, now, user.zone)
    look_again(work, user.userid)
    _tell(work, user, new, replaced)


def end(work: Work, user: User) -> None:
    """End a leave now, or cancel a booked one; days not begun are free again. Raises Refusal."""
    ended = next(iter(_ahead(work, work.tx.clocks.absences(user.userid))), None)
    if ended is None:
        raise Refusal(say("You're not away, and you haven't booked any leave."), "not-away")
    _stop(work, ended)
    look_again(work, user.userid)
    has_begun = ended.begin <= work.now
    done = say("Your leave has ended.") if has_begun else say("Your leave is cancelled.")
    tell_account(
        work, user, say("leave"), together(done, describe(work, user)), replies(work, user)
    )


def end_all(work: Work, userid: str) -> None:
    """End the present leave of a player, and cancel each booked one; nobody is told."""
    for each in _ahead(work, work.tx.clocks.absences(userid)):
        _stop(work, each)


def _ahead(work: Work, absences: Iterable[Absence]) -> list[Absence]:
    """Return the present leave, if there is one, and the booked ones, in order."""
    return [each for each in absences if each.kind in _TAKEN and each.until > work.now]


def _stop(work: Work, absence: Absence) -> None:
    if absence.begin <= work.now:
        work.tx.clocks.end_absence(absence.id, work.now)
    else:
        work.tx.clocks.drop_absence(absence.id)


def reached(work: Work, userid: str) -> None:
    """End the absence of a player whose letters came back, since they get through again."""
    for each in work.tx.clocks.absences(userid):
        if each.kind == BOUNCE and each.until == inf:
            work.tx.clocks.end_absence(each.id, work.now)


def waiting(work: Work, userid: str) -> Sentence:
    """Return the sentence that names the boards that wait for a player."""
    rows = [row for row in work.tx.boards.of(userid, "active") if row.to_move == userid]
    if not rows:
        return say("It isn't your turn on any board right now.")
    boards = tuple(
        say("{game} board {number}", game=games.title_of(row.game), number=row.board)
        for row in rows[:_NAMED]
    )
    return say(
        "These boards are waiting for you: {boards}. To see them, send: {command}",
        boards=boards,
        command=f"games {userid} next",
    )


def away_until(work: Work, userid: str) -> Epoch | None:
    """Return the end of the leave that a player is on; None for a player who is not on leave."""
    user = work.tx.accounts.user(userid)
    if user is None or user.away is None or user.away <= work.now:
        return None
    ahead = _ahead(work, work.tx.clocks.absences(userid))
    return next((each.until for each in ahead if each.begin <= work.now), None)


def is_away(work: Work, userid: str) -> bool:
    """Return True if a player is on leave; strangers are not told its end."""
    return away_until(work, userid) is not None


def describe(work: Work, user: User, told: Absence | None = None) -> Sentence:
    """Return sentences about the booked leave, except ``told``, and the days that are left this year."""
    absences = work.tx.clocks.absences(user.userid)
    booked = _ahead(work, absences)
    known = (told.begin, told.until) if told else None
    sentences = [
        say("You've booked leave {span}.", span=_span(work, each, user.zone))
        for each in booked
        if (each.begin, each.until) != known
    ]
    year = dates.year_of(work.now, user.zone)
    left = left_of(work, year, absences)
    sentences += [] if booked else [say("You haven't booked any leave.")]
    sentences.append(
        say_many(
            "You have {count} day of leave left in {year}.",
            "You have {count} days of leave left in {year}.",
            max(0, left),
            year=year,
        )
    )
    sentences.append(
        say(
            "If you run out of time, we'll use one of your leave days, so you don't lose the "
            "game right away."
        )
        if user.auto_leave
        else say("If you run out of time, you lose the game, even if you have leave left.")
    )
    return together(*sentences)


def replies(work: Work, user: User) -> tuple[str, str]:
    """Return the lines that change what a letter about leave says."""
    is_ahead = bool(_ahead(work, work.tx.clocks.absences(user.userid)))
    return "back" if is_ahead else "away 14", "leave off" if user.auto_leave else "leave auto"


def midnight(day: tuple[int, int, int], zone: str, after: int = 0) -> Epoch:
    """Return the time at which the day ``after`` days after this one begins in a zone."""
    when = date(*day) + timedelta(days=after)
    return datetime.combine(when, time(), dates.zone_of(zone)).timestamp()


def take_day(work: Work, match: Match, again: bool) -> bool:
    """Take a day of leave for the player to move, whose time is up; return False if that cannot be.

    again  take it only if a day was taken just before; it then follows without another warning
    """
    user = work.tx.accounts.user(match.to_move)
    if user is None or not user.auto_leave or not match.terms.leave:
        return False
    if judged(match.terms.contest):
        return False
    absences = work.tx.clocks.absences(user.userid)
    seen = work.tx.mails.last_seen(user.userid) or 0.0
    taken = [each for each in absences if each.kind == AUTO and each.begin >= seen]
    follows = any(work.now - 2 * DAY < each.until <= work.now for each in taken)
    left = left_of(work, dates.year_of(work.now, user.zone), absences)
    if (again and not follows) or len(taken) >= AUTO_IN_A_ROW or left < 1:
        return False
    until = dates.days_later(work.now, 1, user.zone)
    work.tx.clocks.add_absence(user.userid, work.now, until, AUTO, work.now, user.zone)
    if not follows:
        send(work, BoardLetter(match, (LeaveTaken(user.userid, left - 1, until),)))
    return True


def look_again(work: Work, userid: str) -> None:
    """Make the boards that wait for a player due now: the times of their reminders have changed."""
    for row in work.tx.boards.of(userid, "next"):
        work.tx.boards.set_due(row.board, row.since)


def _tell(work: Work, user: User, absence: Absence, replaced: Iterable[Absence]) -> None:
    """Tell the player on which boards the clock is stopped, and in one letter each opponent who waits.

    A letter with a board tells why its clock is stopped: who is to move reads it in the one after the move.
    """
    boards: dict[str, list[int]] = {}
    waiting: set[str] = set()
    goes_on: list[int] = []
    for row in work.tx.boards.of(user.userid, "active"):
        match = load(work, row.board)
        if len(match.seats) == 1 or match.terms.pace is None:
            continue
        if match.terms.leave:
            opponent = match.opponent(user.userid)
            boards.setdefault(opponent, []).append(row.board)
            waiting |= {opponent} if match.to_move == user.userid else set()
        else:
            goes_on.append(row.board)
    is_now = absence.begin <= work.now
    told = [
        say("You're on leave {span}.", span=_span(work, absence, user.zone)),
        say("Your clocks are paused until then.")
        if is_now
        else say("Your clocks will be paused during that time."),
        *(
            say("Your leave {span} is cancelled.", span=_span(work, each, user.zone))
            for each in replaced
        ),
    ]
    if goes_on:
        told.append(
            say("On these boards, your clock keeps running: {numbers}.", numbers=_list(goes_on))
        )
    notice = together(*told, describe(work, user, absence))
    tell_account(work, user, say("leave"), notice, replies(work, user))
    for opponent, numbers in boards.items():
        reader = work.tx.accounts.user(opponent)
        if reader is None or reader.state != "active":
            continue
        if opponent not in waiting and reader.letters == "each":
            continue
        span = _span(work, absence, reader.zone)
        away = say("{userid} is on leave {span}.", userid=user.userid, span=span)
        stopped = _stopped(user.userid, numbers, is_now)
        facts = AwayFacts(user.userid, together(away, stopped))
        send(work, PlainLetter(facts, opponent, reader.address, answers=False))


def _stopped(userid: str, numbers: Sequence[int], is_now: bool) -> Sentence:
    """Return a sentence on the clock of a player who is away, now or later, for one opponent."""
    if is_now:
        return say_many(
            "Until then, {userid}'s clock on board {boards} is paused.",
            "Until then, {userid}'s clocks on boards {boards} are paused.",
            len(numbers),
            userid=userid,
            boards=_list(numbers),
        )
    return say_many(
        "During that time, {userid}'s clock on board {boards} will be paused.",
        "During that time, {userid}'s clocks on boards {boards} will be paused.",
        len(numbers),
        userid=userid,
        boards=_list(numbers),
    )


def _span(work: Work, absence: Absence, zone: str) -> Sentence:
    """Return ``until 3 January 2027``, or ``from 20 December 2026 until ...``."""
    first, last = dates.with_year(absence.begin, zone), dates.with_year(absence.until - 1, zone)
    if absence.begin <= work.now:
        return say("until {last}", last=last)
    return say("from {first} until {last}", first=first, last=last)


def _list(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))
