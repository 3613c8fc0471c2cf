"""The deadlines of one board whose turn takes long: a reminder, the last warning, the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from math import inf
from typing import NamedTuple

from ...config import Config
from ...errors import MISREAD, say, say_many
from ...identity import Purpose
from ...machine.times import DAY, Epoch
from ...match import Act, Change, Happening, Match, Stops
from ...match.clock import LEAST
from ...match.happenings import Ends, Forfeited, Overdue, Unbegun, Warned
from ...match.terms import judged
from ...render.facts import Occasion
from ...store import Tx, User
from ..letters import digests
from ..letters.post import BoardLetter, send
from ..letters.tell import tell
from ..work import timekeeping
from ..work.apply import apply, load
from ..work.feature import Feature, features
from ..work.letter import unsubscribe
from ..work.schedule import (
    ASK,
    FORFEIT,
    NAG,
    Expiring,
    OutOfReach,
    Phase,
    Running,
    Schedule,
    UnderWay,
    schedule_of,
    stage,
    wait,
)
from ..work.timekeeping import WARNING, Limit
from ..work.work import Work
from . import leave

HELD = "held"  # a forfeit that is not carried out because of an outage
UNREACHED = "unreached"  # the stage since which no letter gets through to the player
NO_LETTER = -1  # for a stage that came when no letter could be sent
_SOON = 60  # seconds until a letter that is under way is looked at again
_HOLD = 2 * DAY  # the longest hold after an outage: messages that waited elsewhere may still come
_ABSENT = 14 * DAY  # so long an automatic answer counts as a hint


class Deadline(NamedTuple):
    """The state of a turn in one pass.

    end     the time at which it is over; None if that is not known
    stands  its time is paused
    """

    limit: Limit
    schedule: Schedule
    phase: Phase
    stops: Stops
    end: int | None
    stands: bool


def carry_out(work: Work, match: Match) -> tuple[str, int]:
    """Do what is due on a board, and set the time when it is due again.

    Return the kind of act, and its number: lost games are told of together.
    """
    match = _begun(work, match)
    turn = _turn_of(work, match)
    if isinstance(turn.phase, OutOfReach):
        match, phase = _seek(work, match, turn, turn.phase)
        turn = turn._replace(phase=phase)
    if not isinstance(turn.phase, UnderWay | OutOfReach):
        match = _lapsed(work, match)
    kind, after = _act(work, match, turn)
    if kind == FORFEIT and isinstance(turn.phase, Expiring):  # no other phase ends so
        return kind, _end_all(work, _Call(match, turn, turn.phase, kind))
    work.tx.boards.set_due(match.number, _next(work, turn, after))
    return kind, 1


def _act(work: Work, match: Match, turn: Deadline) -> tuple[str, Phase | None]:
    """Do what is due in a turn, except a loss; return its kind, empty if no letter is sent, and the phase.

    The phase is None if a day of leave was taken.
    """
    phase = turn.phase
    if isinstance(phase, UnderWay):
        return "", phase
    due = stage(turn.schedule, phase)
    is_held = due == FORFEIT and _is_held(work)
    if due != ASK and turn.stands:
        return "", phase
    if _takes_leave(work, match, turn, phase.used, is_lost=due == FORFEIT and not is_held):
        return "", None
    if isinstance(phase, OutOfReach):
        if due and judged(match.terms.contest):  # it is judged where it belongs to
            return "", phase
        if due:
            _ask(work, match, phase.lasts)
        return due, phase
    match due:
        case "":
            return "", phase
        case "forfeit" if is_held:
            return HELD, phase
        case "forfeit":
            return FORFEIT, phase
    return _say(work, _Call(match, turn, phase, due))


def _next(work: Work, turn: Deadline, phase: Phase | None) -> Epoch | None:
    """Return the time when something may be due again; None if nothing is before the board changes."""
    match phase:
        case UnderWay():
            return work.now + _SOON
        case OutOfReach() | None:
            return work.now + DAY
    seconds = wait(turn.schedule, phase)
    if seconds is None:
        return None
    at = turn.stops.end(work.now, max(seconds, 1))  # if time is paused, they begin after the stop
    return work.now + DAY if at is None else max(at, work.now + _SOON)


def _takes_leave(work: Work, match: Match, turn: Deadline, used: int, is_lost: bool) -> bool:
    """Take a day of leave if the time is up; return True if one was taken."""
    limit = turn.limit
    if limit.first or limit.seconds is None or used < limit.seconds:
        return False
    return leave.take_day(work, match, again=not is_lost)


def _begun(work: Work, match: Match) -> Match:
    """Return the match with its clock started if the relay has taken the letter of the turn.

    If a machine's clock was wrong and the beginning lies in the future, the clock begins now.
    """
    began = timekeeping.began(work, match)
    if match.clock.began is None and UNREACHED in _sent(work.tx, match):
        # A letter that was given up is deleted after 90 days; it never started the clock.
        began = began if work.tx.outbox.status(match.clock.announced_by or 0) else None
    if began is None or (began == match.clock.began and began <= work.now):
        return match
    clock = match.clock._replace(began=min(began, work.now))
    work.tx.boards.set_clock(match.number, clock.announced_by, clock.began)
    return replace(match, clock=clock)


def _sent(tx: Tx, match: Match) -> dict[str, tuple[int, float]]:
    """Return the stages of the turn that have come, each with its letter and its time."""
    return {stage: (letter, at) for stage, letter, at in tx.clocks.reminders(*match.state)}


def is_late(work: Work, match: Match) -> bool:
    """Return True if a player who wants reminders would have had one about this turn by now."""
    since = timekeeping.began(work, match)
    if since is None:
        return False
    schedule = _schedule(work.context.config, match)
    first, *_ = (*schedule.calls, schedule.warning or 0)
    stops = timekeeping.stops_of(work.tx, match, match.to_move, since)
    return stops.elapsed(since, work.now) >= first


def _schedule(config: Config, match: Match, often: int = 1, early: bool = False) -> Schedule:
    first = None if config.nag_days is None else config.nag_days * DAY
    return schedule_of(
        timekeeping.limit_of(match, config), first, often, early, len(match.seats) == 1
    )


def _turn_of(work: Work, match: Match) -> Deadline:
    tx, now, config = work.tx, work.now, work.context.config
    user = tx.accounts.user(match.to_move)
    limit, began = timekeeping.limit_of(match, config), match.clock.began
    often, early = user.reminders if user else 0, _is_absent(tx, match.to_move, now)
    if often == 1 and limit.seconds is None and judged(match.terms.contest):
        often = 0  # it would come when the game is judged, with the letter about that
    stops = timekeeping.stops_of(tx, match, match.to_move, now if began is None else began)
    end = None
    if began is not None and limit.seconds is not None:
        end = stops.end(began, limit.seconds)
        end = None if end is None else stops.moved(end, now)
    phase = _untold(work, match) if began is None else _told(work, match, began, stops, end)
    schedule = _schedule(config, match, often, early)
    return Deadline(limit, schedule, phase, stops, end, stops.until(now) is not None)


def _untold(work: Work, match: Match) -> Phase:
    """Return the phase of a turn that its player has not been told about."""
    assert match.clock.announced_by is not None
    sent = _sent(work.tx, match)
    letter = work.tx.outbox.status(match.clock.announced_by)
    if letter is not None and letter.state == "new":
        return UnderWay()
    _, since = sent.get(UNREACHED, (NO_LETTER, match.since))
    tried = letter.made if letter else since
    return OutOfReach(0, -1, int(work.now - since), tried, UNREACHED in sent, ASK in sent)


def _told(work: Work, match: Match, began: Epoch, stops: Stops, end: int | None) -> Phase:
    """Return the phase of a turn that its player was told about."""
    sent, used = _sent(work.tx, match), stops.elapsed(began, work.now)
    newest = max((int(each[4:]) for each in sent if each.startswith("nag ")), default=-1)
    if _is_warning_itself(work, match, end):
        return Expiring(used, newest, used)
    if (warning := sent.get(f"{WARNING} {end}")) is None:
        return Running(used, newest)
    letter, written = warning
    delivered = _delivered(work.tx, letter)
    if delivered is None:
        return UnderWay()
    if delivered == inf:
        _, since = sent.get(UNREACHED, warning)
        lasts = int(work.now - since)
        return OutOfReach(used, newest, lasts, written, UNREACHED in sent, ASK in sent)
    return Expiring(used, newest, stops.elapsed(max(delivered, began), work.now))


def _is_absent(tx: Tx, userid: str, now: Epoch) -> bool:
    """Return True if an automatic answer has lately said that the player is away."""
    user = tx.accounts.user(userid)
    return user is not None and user.absent is not None and 0 <= now - user.absent < _ABSENT


def _is_warning_itself(work: Work, match: Match, end: int | None) -> bool:
    """Return True if the letter that announced the turn was its last warning: so little time was left.

    It named the end that the turn has now only if nothing has moved that end since.
    """
    limit, began = timekeeping.limit_of(match, work.context.config), match.clock.began
    short = not limit.first and limit.seconds == LEAST
    short = short and timekeeping.bank_of(match, match.to_move) < LEAST
    return (
        short and match.clock.announced_by is not None and end == Stops().end(began or 0.0, LEAST)
    )


def _delivered(tx: Tx, number: int) -> Epoch | None:
    """Return the time when the relay took a letter; None while it is under way, infinite if it never
    will be taken."""
    letter = tx.outbox.status(number) if number > 0 else None
    if number > 0 and letter is None:  # sent so long ago that it was deleted
        return 0.0
    if letter is None or letter.state not in ("new", "sent"):
        return inf
    return letter.sent if letter.state == "sent" else None


def _seek(work: Work, match: Match, turn: Deadline, phase: OutOfReach) -> tuple[Match, Phase]:
    """Write once a day to a player whom no letter has reached, if the address may work again.

    Return the match and its new phase.
    """
    if not phase.noted:
        since = match.since if match.clock.began is None else phase.tried
        work.tx.clocks.add_reminder(*match.state, UNREACHED, NO_LETTER, since)
    user = work.tx.accounts.user(match.to_move)
    is_active = user is not None and user.state == "active"
    if stage(turn.schedule, phase) or not is_active or work.now - phase.tried < DAY:
        return match, phase
    if match.clock.began is not None:
        work.tx.clocks.drop_reminder(*match.state, f"{WARNING} {turn.end}")
        return match, Running(phase.used, phase.newest)
    happening = Overdue(match.to_move, int((work.now - match.since) / DAY))
    letters = send(work, BoardLetter(match, (happening,), (match.to_move,)))
    match = replace(match, clock=match.clock._replace(announced_by=letters[match.to_move]))
    work.tx.boards.set_clock(match.number, match.clock.announced_by, None)
    return match, UnderWay()


def _lapsed(work: Work, match: Match) -> Match:
    """Return the match without the question to end it, since a letter gets through after all."""
    if not match.may_cancel:
        return match
    after = replace(match, request=None)
    work.tx.boards.save(match, after)
    return after


def _ask(work: Work, match: Match, lasts: int) -> None:
    """Ask the opponent of a player whom no letter reaches to choose what to do."""
    late = match.to_move
    change = apply(work, match, Act(late, "unreached", str(lasts // DAY)))
    other = match.opponent(late)
    letters = send(work, BoardLetter(change.after, change.happenings, (other,)))
    work.tx.clocks.add_reminder(*match.state, ASK, letters.get(other, NO_LETTER), work.now)


def _is_held(work: Work) -> bool:
    """Return True if no game is forfeited yet, since nobody could reach us a short while ago.

    Messages that had to wait may come for as long as the outage lasted, at most two days.
    """
    return any(
        each.until <= work.now < each.until + min(each.until - each.begin, _HOLD)
        for each in work.tx.clocks.outages()
    )


class _Awaited(NamedTuple):
    """The days that a move has been awaited, how many of them do not count, and for which reason."""

    days: int
    stood: int
    why: str


def _awaited(work: Work, match: Match, used: int) -> _Awaited:
    since = match.since if match.clock.began is None else match.clock.began
    days = int(work.now - since) // DAY
    stood = round((int(work.now - since) - used) / DAY)
    why = timekeeping.why_stood(work.tx, match, match.to_move, since, work.now) if stood else ""
    return _Awaited(days, stood if why else 0, why)


def _end_all(work: Work, call: _Call) -> int:
    """End a turn in which no move came, and with it all others of its player in such games whose time is up.

    Of several games the player reads in one letter. Return how many games have ended.
    """
    user = work.tx.accounts.user(call.match.to_move)
    calls = [call]
    if user and user.state == "active" and user.letters != "daily" and not call.turn.limit.first:
        others = _with_it(work, call, within=0)
        calls += [each for each in others if each.due == FORFEIT and not each.turn.limit.first]
    for match, turn, phase, _ in calls:
        to = [match.opponent(match.to_move)] if len(calls) > 1 else None
        end(work, match, turn.limit, _awaited(work, match, phase.used), to)
    if user and len(calls) > 1:
        _tell_of_losses(work, user, calls)
    return len(calls)


def _tell_of_losses(work: Work, user: User, calls: Sequence[_Call]) -> None:
    """Send a player one letter about several games that were lost on time."""
    subject = f"Star: {len(calls)} games lost on time"
    title = say_many("You lost {count} game on time", "You lost {count} games on time", len(calls))
    happened = {
        match.number: (Forfeited(user.userid, *_awaited(work, match, phase.used)),)
        for match, _, phase, _ in calls
    }
    said = say("Your time ran out in these games:")
    digests.send_about(work, user, (), Occasion(subject, title, said), happened)


def end(
    work: Work, match: Match, limit: Limit, awaited: _Awaited, to: Sequence[str] | None = None
) -> None:
    """End a turn in which no move came: its player loses, or a game that has not begun is removed.

    ``to``: the readers of a loss, if they aren't both players.
    """
    late = match.to_move
    if not limit.first:
        tell(work, apply(work, match, Act(late, FORFEIT, " ".join(map(str, awaited)))), to=to)
        return
    for feature in features(Feature.on_game_end):
        feature.on_game_end(work, match, late)
    work.tx.boards.drop(match.number)
    tell(work, Change(match, match, (Unbegun(late, *awaited),)))


class _Call(NamedTuple):
    """A reminder that is due on a board, or its last warning: the stage, and what its letter says."""

    match: Match
    turn: Deadline
    phase: Running | Expiring
    due: str

    @property
    def is_warning(self) -> bool:
        return self.due == WARNING

    def happening(self, work: Work) -> Happening:
        """Return what the letter says."""
        late, limit, phase = self.match.to_move, self.turn.limit, self.phase
        days, stood, why = _awaited(work, self.match, phase.used)
        if limit.seconds is None:
            return Overdue(late, days, None, False, stood, why)
        left = max(limit.seconds - phase.used, LEAST if self.is_warning else 0) // DAY
        if self.is_warning:
            absent, only = _is_absent(work.tx, late, work.now), phase.newest < 0
            return Warned(late, days, left, limit.first, absent, stood, why, only)
        return Overdue(late, days, left, limit.first, stood, why)


def _say(work: Work, call: _Call) -> tuple[str, Phase]:
    """Send a reminder or the last warning; return the same as ``_act``.

    What is due soon in other games of the same kind of contest goes in the same letter.
    """
    late, user = call.match.to_move, work.tx.accounts.user(call.match.to_move)
    others = list(_with_it(work, call)) if user and user.state == "active" else []
    others = [each for each in others if each.due != FORFEIT]
    letter = None
    if user and others:
        letter = _send_together(work, user, (call, *others))
    if letter is None:
        least = work.now + LEAST if call.is_warning else 0.0
        reminder = BoardLetter.reminder(call.match, call.happening(work), least)
        letter, others = send(work, reminder).get(late, NO_LETTER), []
    for each in others:
        after = _note(work, each, letter)
        work.tx.boards.set_due(each.match.number, _next(work, each.turn, after))
    after = _note(work, call, letter)
    return "" if letter == NO_LETTER else call.due.split(maxsplit=1)[0], after


def _note(work: Work, call: _Call, letter: int) -> Phase:
    """Note that a player has been told, and tell the opponent of a last warning; return the new phase."""
    match, turn, phase = call.match, call.turn, call.phase
    name = f"{WARNING} {turn.end}" if call.is_warning else call.due
    work.tx.clocks.add_reminder(*match.state, name, letter, work.now)
    if not call.is_warning:
        return phase._replace(newest=int(call.due[len(NAG) :]))
    if not turn.limit.first and not judged(match.terms.contest):  # there nobody can give more
        last = max(turn.end or 0, work.now + LEAST)
        opponent = (match.opponent(match.to_move),)
        send(work, BoardLetter(match, (Ends(match.to_move, last),), opponent, least=last))
    if letter == NO_LETTER:
        return OutOfReach(phase.used, phase.newest, 0, work.now, noted=False, asked=False)
    return UnderWay()


def _with_it(work: Work, call: _Call, within: int = DAY) -> Iterator[_Call]:
    """Yield what is due in other such games of a player: reminders, last warnings, or the end.

    A contest begins all its games at once, so they are often due together. A damaged board is left out.
    ``within``: so many seconds of the player's time.
    """
    kind = call.match.terms.contest
    if not judged(call.match.terms.contest):
        return
    for row in work.tx.boards.of(call.match.to_move, "next"):
        if row.board == call.match.number or row.agreed.contest != kind or len(row.seats) == 1:
            continue
        with suppress(*MISREAD):
            match = _begun(work, load(work, row.board))
            turn = _turn_of(work, match)
            if turn.stands or not isinstance(turn.phase, Running | Expiring):
                continue
            due = stage(turn.schedule, turn.phase._replace(used=turn.phase.used + within))
            if due:
                yield _Call(match, turn, turn.phase, due)


def _send_together(work: Work, user: User, calls: Sequence[_Call]) -> int | None:
    """Send one letter with the boards of several reminders; return its number, None if none can be shown."""
    rows = [row for each in calls if (row := work.tx.boards.get(each.match.number))]
    subject = f"Reminder: {len(rows)} boards wait for you"
    title = say_many(
        "{count} board is waiting for your move",
        "{count} boards are waiting for your move",
        len(rows),
    )
    happened = {each.match.number: (each.happening(work),) for each in calls}
    heads = {"List-Unsubscribe": unsubscribe(work, Purpose.STOP_REMINDERS, user)}
    return digests.send_about(work, user, rows, Occasion(subject, title), happened, heads)
