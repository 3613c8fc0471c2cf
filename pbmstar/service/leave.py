"""Leave: when players are away, how many days of a year that takes, and a day taken instead of a loss."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from math import ceil, inf

from ..errors import Refusal
from ..match import Happening, Match, zones
from ..match.terms import DAY
from ..store import Absence, User
from ..store.stops import AUTO, BOUNCE, GRANT, LEAVE
from .apply import load
from .post import post, post_board, tell_account
from .work import Work

_AHEAD = 366 * DAY  # a leave may begin so long from now
AUTO_IN_A_ROW = 14  # days that are taken for a player who does not write
_TAKEN = (LEAVE, AUTO)


def charged(absence: Absence) -> Counter[int]:
    """The days of a leave that has been booked, by the year (UTC) in which each begins."""
    days = max(1, ceil((absence.until - absence.begin) / DAY))
    begins = (absence.begin + number * DAY for number in range(days))
    return Counter(datetime.fromtimestamp(at, UTC).year for at in begins)


def left_of(work: Work, year: int, absences: Iterable[Absence]) -> int:
    """How many days of leave a player still has in a year, if these are the absences."""
    granted = used = 0
    for each in absences:
        if each.kind in _TAKEN:
            used += charged(each)[year]
        elif each.kind == GRANT and datetime.fromtimestamp(each.begin, UTC).year == year:
            granted += round((each.until - each.begin) / DAY)
    return work.context.config.leave_days + granted - used


def book(work: Work, user: User, begin: float, until: float) -> None:
    """Book a leave, and tell it. It takes the place of one for the same time.

    One can be booked ahead: a new one that does not begin now takes its place.

    Raises Refusal for a time that is past or too far off, and for more days than there are.
    """
    now = work.now
    if until <= max(begin, now):
        raise Refusal("That time is over, or ends before it begins.", "past")
    if begin > now + _AHEAD:
        raise Refusal("A leave can be booked a year ahead, not further.", "too-far")
    new = Absence(0, user.userid, begin, until, LEAVE, now)
    before = work.tx.absences(user.userid)
    kept: list[Absence] = []
    replaced: list[Absence] = []
    for each in before:
        if each.kind not in _TAKEN or each.until <= now:
            kept.append(each)
        elif each.begin <= now:
            kept.append(each._replace(until=min(each.until, max(begin, now))))
        else:
            stays = begin <= now and until <= each.begin
            (kept if stays else replaced).append(each)
    for year, days in charged(new).items():
        left = left_of(work, year, kept)
        if days > left:
            raise Refusal(
                f"That takes {_days(days)} of {year}, and {_days(max(0, left))} of leave are left "
                "there.",
                "no-leave-left",
            )
    for each in replaced:
        work.tx.drop_absence(each.id)
    for each in kept:
        if each not in before:
            work.tx.end_absence(each.id, each.until)
    work.tx.add_absence(user.userid, begin, until, LEAVE, now)
    look_again(work, user.userid)
    _tell(work, user, new, replaced)


def end(work: Work, user: User) -> None:
    """End a leave now, or cancel one that is booked; days not begun return. Raises Refusal."""
    ended = next(iter(_ahead(work, work.tx.absences(user.userid))), None)
    if ended is None:
        raise Refusal("You are not away, and no leave is booked.", "not-away")
    _stop(work, ended)
    look_again(work, user.userid)
    word = "ended" if ended.begin <= work.now else "cancelled"
    tell_account(work, user, f"Your leave is {word}. {describe(work, user)}")


def end_all(work: Work, userid: str) -> None:
    """End the leave that lasts, and cancel all that is booked; nobody is told."""
    for each in _ahead(work, work.tx.absences(userid)):
        _stop(work, each)


def _ahead(work: Work, absences: Iterable[Absence]) -> list[Absence]:
    """The leave that lasts, if one does, and what is booked, in order."""
    return [each for each in absences if each.kind in _TAKEN and each.until > work.now]


def _stop(work: Work, absence: Absence) -> None:
    if absence.begin <= work.now:
        work.tx.end_absence(absence.id, work.now)
    else:
        work.tx.drop_absence(absence.id)


def reached(work: Work, userid: str) -> None:
    """Letters get through to a player again: what stood because they did not goes on."""
    for each in work.tx.absences(userid):
        if each.kind == BOUNCE and each.until == inf:
            work.tx.end_absence(each.id, work.now)


def away_until(work: Work, userid: str) -> float | None:
    """Until when a player is on leave; None for one who is not."""
    user = work.tx.user(userid)
    if user is None or user.away is None or user.away <= work.now:
        return None
    ahead = _ahead(work, work.tx.absences(userid))
    return next((each.until for each in ahead if each.begin <= work.now), None)


def describe(work: Work, user: User) -> str:
    """What is booked, and how many days are left this year, as sentences."""
    absences = work.tx.absences(user.userid)
    booked = _ahead(work, absences)
    sentences = [f"Booked: {_span(work, each, user.zone)}." for each in booked]
    year = datetime.fromtimestamp(work.now, UTC).year
    left = left_of(work, year, absences)
    sentences += [] if booked else ["No leave is booked."]
    sentences.append(f"{_days(max(0, left))} of leave are left in {year}.")
    how = "is" if user.auto_leave else "is not"
    sentences.append(f"A day of leave {how} taken by itself before a game would be forfeited.")
    return " ".join(sentences)


def midnight(day: tuple[int, int, int], zone: str, after: int = 0) -> float:
    """The beginning of a day in a zone, so many days later."""
    when = date(*day) + timedelta(days=after)
    return datetime.combine(when, time(), zones.zone_of(zone)).timestamp()


def take_day(work: Work, match: Match, again: bool) -> bool:
    """Take a day of leave for the player to move, whose time is up; False if that cannot be.

    again  only if a day was taken just before: the next one goes on without another warning
    """
    user = work.tx.user(match.to_move)
    if user is None or not user.auto_leave or not match.terms.leave:
        return False
    absences = work.tx.absences(user.userid)
    seen = work.tx.last_seen(user.userid) or 0.0
    taken = [each for each in absences if each.kind == AUTO and each.begin >= seen]
    follows = any(work.now - 2 * DAY < each.until <= work.now for each in taken)
    year = datetime.fromtimestamp(work.now, UTC).year
    left = left_of(work, year, absences)
    if (again and not follows) or len(taken) >= AUTO_IN_A_ROW or left < 1:
        return False
    until = work.now + DAY
    work.tx.add_absence(user.userid, work.now, until, AUTO, work.now)
    if not follows:
        for reader in match.seats:
            kind = "leave-used" if reader == user.userid else "on-leave"
            happening = Happening(kind, user.userid, f"{left - 1} {until}")
            post_board(work, match, (happening,), to=(reader,))
    return True


def look_again(work: Work, userid: str) -> None:
    """The boards that wait for a player are due at another time now."""
    for row in work.tx.boards_of(userid, "next"):
        work.tx.set_due(row.board, row.since)


def _tell(work: Work, user: User, absence: Absence, replaced: Iterable[Absence]) -> None:
    """Tell the player, and each opponent in one letter, whose clocks stand and on which boards."""
    boards: dict[str, list[int]] = {}
    goes_on: list[int] = []
    for row in work.tx.boards_of(user.userid, "active"):
        match = load(work, row.board)
        if len(match.seats) == 1 or match.terms.pace is None:
            continue
        if match.terms.leave:
            boards.setdefault(match.opponent(user.userid), []).append(row.board)
        else:
            goes_on.append(row.board)
    text = f"You are away {_span(work, absence, user.zone)}; your clocks stand then."
    for each in replaced:
        text += f" The leave {_span(work, each, user.zone)} is cancelled."
    if goes_on:
        text += f" These go on: {_list(goes_on)}."
    tell_account(work, user, f"{text} {describe(work, user)}")
    for opponent, numbers in boards.items():
        reader = work.tx.user(opponent)
        if reader is None or reader.state != "active":
            continue
        notice = (
            f"{user.userid} is away {_span(work, absence, reader.zone)}. Your boards with "
            f"{user.userid}: {_list(numbers)}. The clock of {user.userid} stands then."
        )
        facts = {"who": user.userid, "notice": notice}
        post(work, "away", opponent, reader.address, facts, answers=False)


def _span(work: Work, absence: Absence, zone: str) -> str:
    """``until 3 January 2027``, or ``from 20 December 2026 until ...``."""
    first = f"from {_day(absence.begin, zone)} " if absence.begin > work.now else ""
    return f"{first}until {_day(absence.until - 1, zone)}"


def _day(at: float, zone: str) -> str:
    local = datetime.fromtimestamp(at, zones.zone_of(zone))
    return f"{local.day} {local:%B %Y}"


def _days(count: int) -> str:
    return f"{count} day{'' if count == 1 else 's'}"


def _list(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))
