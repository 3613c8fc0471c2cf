"""What is due on one board whose turn takes long: a reminder, the last warning, the end."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import NamedTuple

from ..config import Config
from ..match import Act, Happening, Match, Stops
from ..match.clock import LEAST
from ..match.terms import DAY
from ..store import Tx
from . import clocks, leave
from .apply import Change, apply
from .clocks import WARNING, Limit
from .post import post_board
from .schedule import ASK, FORFEIT, Schedule, Turn, schedule_of, stage, wait
from .tell import tell
from .work import Work

HELD = "held"  # a forfeit that is not carried out, because of an outage
UNREACHED = "unreached"  # since when no letter gets through to the player
NO_LETTER = -1  # a stage that came, but no letter could be sent
_SOON = 60  # seconds until a letter that is under way is looked at again
_HOLD = 2 * DAY  # after an outage, at most: mails that waited for us elsewhere may still come
_ABSENT = 14 * DAY  # that an automatic answer counts as a hint


class State(NamedTuple):
    """A turn as it is now.

    turn    how far it is; None while the letter that tells of it, or the warning, is under way
    end     when it is over, as far as that is known
    stands  until when time stands still, infinite if that is not known; None if it runs
    tried   when the letter was written that did not get through, if one did not
    """

    limit: Limit
    schedule: Schedule
    turn: Turn | None
    stops: Stops
    end: int | None
    stands: float | None
    tried: float | None = None


def carry_out(work: Work, match: Match) -> str:
    """Do what is due on a board, and set when it is due again; returns the kind of what was done."""
    match = _begun(work, match)
    state = _state(work, match)
    due_now = stage(state.schedule, state.turn) if state.turn else ""
    if state.tried is not None and _unreached_since(work.tx, match) is None:
        since = match.since if match.clock.began is None else state.tried
        work.tx.add_reminder(*_turn_key(match), UNREACHED, NO_LETTER, since)
    if state.tried is not None and due_now != ASK:
        match, state = _try_again(work, match, state)
        due_now = stage(state.schedule, state.turn) if state.turn else ""
    if state.turn is None:
        work.tx.set_due(match.number, work.now + _SOON)
        return ""
    if state.turn.unreached is None:
        match = _lapsed(work, match)
    if state.stands is not None and due_now != ASK:
        due_now = ""
    elif _takes_leave(work, match, state, due_now):
        work.tx.set_due(match.number, work.now + DAY)
        return ""
    kind = _act(work, match, state, due_now)
    if kind != FORFEIT:
        work.tx.set_due(match.number, _next(work, _state(work, match)))
    return kind


def _takes_leave(work: Work, match: Match, state: State, due_now: str) -> bool:
    """Whether a day of leave is taken, since the time is up and the game would be lost otherwise."""
    limit, turn = state.limit, state.turn
    if turn is None or limit.first or limit.seconds is None or turn.used < limit.seconds:
        return False
    is_lost = due_now == FORFEIT and not _is_held(work)
    return leave.take_day(work, match, again=not is_lost)


def _begun(work: Work, match: Match) -> Match:
    """The match with its clock started if the letter that tells of the turn has been taken.

    A clock that began in the future, by a machine's clock that was wrong, begins now.
    """
    began = clocks.began(work, match)
    if match.clock.began is None and _unreached_since(work.tx, match) is not None:
        # One that was given up is forgotten in the end.
        began = began if work.tx.letter(match.clock.told or 0) else None
    if began is None or (began == match.clock.began and began <= work.now):
        return match
    clock = match.clock._replace(began=min(began, work.now))
    work.tx.set_clock(match.number, clock.told, clock.began)
    return replace(match, clock=clock)


def _unreached_since(tx: Tx, match: Match) -> float | None:
    """Since when it is known that no letter gets through; None if nothing is known of that."""
    sent = tx.reminded(*_turn_key(match))
    return next((at for stage, _, at in sent if stage == UNREACHED), None)


def _turn_key(match: Match) -> tuple[int, int, int]:
    return match.number, match.resets, len(match.record)


def is_late(work: Work, match: Match) -> bool:
    """Whether a player who wants reminders would have had one of the turn that is due."""
    since = clocks.began(work, match)
    if since is None:
        return False
    schedule = _schedule(work.context.config, match)
    first, *_ = (*schedule.calls, schedule.warning or 0)
    stops = clocks.stops_of(work.tx, match, match.to_move, since)
    return stops.elapsed(since, work.now) >= first


def _schedule(config: Config, match: Match, often: int = 1, early: bool = False) -> Schedule:
    first = None if config.nag_days is None else config.nag_days * DAY
    return schedule_of(clocks.limit_of(match, config), first, often, early, len(match.seats) == 1)


def _state(work: Work, match: Match) -> State:
    tx, now, config = work.tx, work.now, work.context.config
    user = tx.user(match.to_move)
    limit, began = clocks.limit_of(match, config), match.clock.began
    often, early = user.reminders if user else 0, _is_absent(tx, match.to_move, now)
    schedule = _schedule(config, match, often, early)
    sent = {stage: (letter, at) for stage, letter, at in tx.reminded(*_turn_key(match))}
    stops = clocks.stops_of(tx, match, match.to_move, now if began is None else began)
    stands = stops.until(now)
    asked, lost = ASK in sent, sent.get(UNREACHED)
    if began is None:
        assert match.clock.told is not None
        letter = tx.letter(match.clock.told)
        if letter is not None and letter.state == "new":
            return State(limit, schedule, None, stops, None, stands)
        since = lost[1] if lost else match.since
        turn = Turn(0, unreached=int(now - since), asked=asked)
        return State(limit, schedule, turn, stops, None, stands, letter.made if letter else since)
    end = None if limit.seconds is None else stops.end(began, limit.seconds)
    end = None if end is None else stops.moved(end, now)
    newest = max((int(each[4:]) for each in sent if each.startswith("nag ")), default=-1)
    turn = Turn(stops.elapsed(began, now), newest, asked=asked)
    state = State(limit, schedule, turn, stops, end, stands)
    if _was_told(match, limit, end):
        return state._replace(turn=turn._replace(warning=True, warned=stops.elapsed(began, now)))
    if (warning := sent.get(f"{WARNING} {end}")) is None:
        return state
    delivered = _delivered(tx, warning[0])
    if delivered is None:
        return state._replace(turn=None)
    if delivered == inf:
        since = lost[1] if lost else warning[1]
        turn = turn._replace(warning=True, unreached=int(now - since))
        return state._replace(turn=turn, tried=warning[1])
    warned = stops.elapsed(max(delivered, began), now)
    return state._replace(turn=turn._replace(warning=True, warned=warned))


def _is_absent(tx: Tx, userid: str, now: float) -> bool:
    """Whether a program has answered lately that the player is away."""
    user = tx.user(userid)
    return user is not None and user.absent is not None and 0 <= now - user.absent < _ABSENT


def _was_told(match: Match, limit: Limit, end: int | None) -> bool:
    """Whether the letter that told of the turn was its last warning: so little time was left.

    It named the end that the turn has only if nothing has moved that since.
    """
    began = match.clock.began
    short = not limit.first and limit.seconds == LEAST
    short = short and clocks.bank_of(match, match.to_move) < LEAST
    return short and match.clock.told is not None and end == Stops().end(began or 0.0, LEAST)


def _delivered(tx: Tx, number: int) -> float | None:
    """When the relay took a letter; None while it is under way, infinite if it never will be."""
    letter = tx.letter(number) if number > 0 else None
    if number > 0 and letter is None:  # so long ago that it is forgotten
        return 0.0
    if letter is None or letter.state not in ("new", "sent"):
        return inf
    return letter.sent if letter.state == "sent" else None


def _try_again(work: Work, match: Match, state: State) -> tuple[Match, State]:
    """Write to a player again whom no letter has reached, once a day, if the address may work again."""
    assert state.tried is not None
    user = work.tx.user(match.to_move)
    if user is None or user.state != "active" or work.now - state.tried < DAY:
        return match, state
    if match.clock.began is not None:
        work.tx.drop_reminder(*_turn_key(match), f"{WARNING} {state.end}")
        return match, _state(work, match)
    happening = Happening("overdue", match.to_move, str(int((work.now - match.since) / DAY)))
    letters = post_board(work, match, (happening,), to=(match.to_move,))
    match = replace(match, clock=match.clock._replace(told=letters[match.to_move]))
    work.tx.set_clock(match.number, match.clock.told, None)
    return match, _state(work, match)


def _lapsed(work: Work, match: Match) -> Match:
    """The match without the question whether to end it, since a letter gets through after all."""
    if not match.may_cancel:
        return match
    after = replace(match, request=None)
    work.tx.save(match, after)
    return after


def _act(work: Work, match: Match, state: State, stage: str) -> str:
    """Carry out a stage of a turn; returns its kind, empty if no letter came of it."""
    assert state.turn is not None
    late = match.to_move
    if not stage:
        return ""
    if stage == FORFEIT:
        if _is_held(work):
            return HELD
        end(work, match, state.limit, state.turn.used)
        return FORFEIT
    if stage == ASK:
        days = str((state.turn.unreached or 0) // DAY)
        change = apply(work, match, Act(late, "unreached", days))
        other = match.opponent(late)
        letters = post_board(work, change.after, change.happenings, to=(other,))
        work.tx.add_reminder(*_turn_key(match), ASK, letters.get(other, NO_LETTER), work.now)
        return ASK
    return _say(work, match, state, stage)


def _is_held(work: Work) -> bool:
    """Whether nobody loses yet, since nobody could reach us a short while ago.

    So long as that lasted, but two days at most, mails may come that had to wait.
    """
    return any(
        each.until <= work.now < each.until + min(each.until - each.begin, _HOLD)
        for each in work.tx.outages()
    )


def end(work: Work, match: Match, limit: Limit, used: int) -> None:
    """End a turn that is not taken: the game is lost, or removed if it has not begun."""
    late = match.to_move
    if not limit.first:
        tell(work, apply(work, match, Act(late, FORFEIT, str(used // DAY))))
        return
    work.tx.drop_board(match.number)
    tell(work, Change(match, match, (Happening("unbegun", late, str(used // DAY)),)))


def _say(work: Work, match: Match, state: State, stage: str) -> str:
    """Send a reminder or the last warning."""
    assert state.turn is not None
    late, limit = match.to_move, state.limit
    warning = stage == WARNING
    text = str(state.turn.used // DAY)
    if limit.seconds is not None:
        left = max(limit.seconds - state.turn.used, LEAST if warning else 0)
        text += f" {left // DAY}{' first' if limit.first else ''}"
        text += " absent" if warning and _is_absent(work.tx, late, work.now) else ""
    letters = post_board(
        work,
        match,
        (Happening(WARNING if warning else "overdue", late, text),),
        to=(late,),
        unsubscribe=True,
        # The last warning is tried even where mails came back: without it nobody forfeits.
        states=("active", "suspended") if warning else ("active",),
        least=work.now + LEAST if warning else 0.0,
    )
    letter = letters.get(late, NO_LETTER)
    name = f"{WARNING} {state.end}" if warning else stage
    work.tx.add_reminder(*_turn_key(match), name, letter, work.now)
    if warning and not limit.first:
        last = max(state.end or 0, work.now + LEAST)
        happening = Happening("ends", late, str(last))
        post_board(work, match, (happening,), to=(match.opponent(late),), least=last)
    return "" if letter == NO_LETTER else stage.split(maxsplit=1)[0]


def _next(work: Work, state: State) -> float | None:
    """When there may be something to do again; None if never, until the board changes."""
    if state.turn is None:
        return work.now + _SOON
    if state.turn.unreached is not None:
        return work.now + DAY
    seconds = wait(state.schedule, state.turn)
    if seconds is None:
        return None
    at = state.stops.end(work.now, max(seconds, 1))  # while time stands, after its stop
    return work.now + DAY if at is None else max(at, work.now + _SOON)
