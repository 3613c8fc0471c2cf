"""Turns that take long: reminders and forfeits, each once, whoever asks and however often."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from math import inf
from typing import NamedTuple

from ..config import Config
from ..errors import Refusal
from ..match import Act, Happening, Match
from ..store import Store
from . import alerts, upkeep
from .apply import apply, load
from .context import Context
from .post import post_board
from .tell import tell
from .work import Work

DAY = 86400.0
GRACE = 2.0  # days between the last warning and the forfeit, at least
WARNING, FORFEIT = "warning", "forfeit"
# Since when no last warning can be delivered; and that the opponent has been asked what to do.
UNREACHED, ASK = "unreached", "ask"
BEGUN = "begun"  # when a turn was first seen that should have begun in the future
UNREACHED_DAYS = 14.0  # until the opponent is asked
HELD = "held"  # a forfeit that is not carried out, because of an outage
NO_LETTER = -1  # a stage that came, but no letter was wanted or could be sent
BATCH = (
    50  # boards that share a transaction: mails wait for it no longer than for a group of theirs
)
_SOON = 60.0  # seconds until a warning that is not delivered is looked at again


class Turn(NamedTuple):
    """How long a turn has taken, and what has been said about it. Times are days.

    nag, forfeit  after so many days the first reminder comes, and the game is lost; a puzzle is
                  never lost: its forfeit is infinite, and there is one reminder
    stages        the reminders sent so far: ``nag 0``, ``nag 1``, ..., ``warning``
    warned        since the last warning was delivered; None if it was not
    unreached     since it is known that it cannot be; None if it may yet be
    """

    waited: float
    nag: float
    forfeit: float
    stages: frozenset[str]
    warned: float | None
    unreached: float | None = None


def stage(turn: Turn) -> str:
    """What is to be done now: ``nag N``, ``warning``, ``forfeit``, ``ask``, or empty for nothing.

    A late run sends the newest reminder only, and nothing comes after the last warning but the
    forfeit. That needs a warning delivered two days before, however long the turn has taken. If
    none can be delivered, the opponent is asked whether to end the game.
    """
    if turn.unreached is not None and WARNING in turn.stages:
        return ASK if turn.unreached >= UNREACHED_DAYS and ASK not in turn.stages else ""
    if turn.waited >= turn.forfeit and turn.warned is not None and turn.warned >= GRACE:
        return FORFEIT
    if turn.waited < turn.nag or WARNING in turn.stages:
        return ""
    if turn.waited >= turn.forfeit - GRACE:
        return WARNING
    number = int(turn.waited - turn.nag) if turn.forfeit < inf else 0
    return f"nag {number}" if number > _newest(turn.stages) else ""


def next_stage(turn: Turn) -> float | None:
    """After how many days of waiting there may be something to do; None if that is not known.

    It is not known while the last warning is on its way. Infinite if there is nothing more to do.
    While no warning can be delivered it is looked at every day: the address may have changed.
    """
    if turn.forfeit == inf and turn.stages:
        return inf
    if WARNING in turn.stages and turn.unreached is not None:
        asked = turn.waited - turn.unreached + UNREACHED_DAYS
        return turn.waited + 1 if ASK in turn.stages else min(turn.waited + 1, asked)
    if WARNING in turn.stages:
        if turn.warned is None:
            return None
        return max(turn.forfeit, turn.waited - turn.warned + GRACE)
    following = turn.nag + _newest(turn.stages) + 1
    return max(turn.nag, min(following, turn.forfeit - GRACE))


def _newest(stages: frozenset[str]) -> int:
    """The number of the last reminder; -1 if there was none."""
    return max((int(each[4:]) for each in stages if each.startswith("nag ")), default=-1)


def remind(context: Context, store: Store) -> dict[str, int]:
    """Send what is due on all boards; returns how many of each kind.

    Boards share transactions, and each is carried out whole or not at all. A board whose record is
    corrupt keeps no other from its reminders: ``admin check`` names it. While the server is paused
    nothing is done.
    """
    config = context.config
    done = {"nag": 0, WARNING: 0, FORFEIT: 0, ASK: 0, HELD: 0}
    with store.transaction() as tx:
        if tx.stopped_at() is not None:
            return done
    now = context.clock()
    _notice_new_rules(store, f"{config.nag_days} {config.forfeit_days}")
    with store.transaction() as tx:
        is_outage = upkeep.is_outage(tx, now)
    held: list[int] = []
    more = True
    while more:
        with store.transaction() as tx:
            numbers = tx.boards_due(now, now + _longest(config), BATCH)
            for number in numbers:
                if kind := _remind(Work(context, tx, now), number, is_outage):
                    done[kind] += 1
                    held += [number] * (kind == HELD)
        more = len(numbers) == BATCH
    more = True
    while more:
        with store.transaction() as tx:
            more = upkeep.prune(tx, config, now)
    with store.transaction() as tx:
        for number in held:  # the clock may be wrong: they stay due by any
            tx.set_due(number, 0.0)
        alerts.note_remind(tx, now)
    return done


def _longest(config: Config) -> float:
    """Seconds beyond which nothing is ever to be done for a board that begins its turn now."""
    return (config.nag_days + config.forfeit_days + GRACE) * DAY


def _notice_new_rules(store: Store, rules: str) -> None:
    """Look at every board again if the operator has changed the days since the last run.

    That they are known is noted last: if this is killed midway, the next run begins it anew.
    """
    with store.transaction() as tx:
        known = tx.fact("reminders") == rules
    after = 0
    while not known:
        with store.transaction() as tx:
            after = tx.look_again(after)
            if not after:
                tx.set_fact("reminders", rules)
                known = True


def _remind(work: Work, number: int, is_outage: bool) -> str:
    """Do what is due on one board, and set when it is due again; returns the kind of what was done."""
    row = work.tx.board(number)
    latest = work.now + _longest(work.context.config)
    if row is None or row.due is None or work.now < row.due <= latest:
        return ""
    late = work.tx.user(row.to_move)
    if late is not None and late.state == "bot":  # it has no clock
        work.tx.set_due(number, None)
        return ""
    work.tx.set_due(number, work.now + DAY)  # stands if the record turns out to be corrupt
    kind = ""
    with suppress(Refusal), work.tx.savepoint():
        match = load(work, number)
        turn = _turn(work, match)
        if turn.unreached is not None:
            _warn_again(work, match)
            turn = _turn(work, match)
        if turn.unreached is None and match.may_cancel:
            match, asked = replace(match, request=None), match
            work.tx.save(asked, match)  # the warning gets through after all
        due_now = stage(turn)
        kind = HELD if due_now == FORFEIT and is_outage else _carry_out(work, match, turn, due_now)
        if kind != FORFEIT:
            turn = _turn(work, match)
            days = next_stage(turn)
            due = work.now + _SOON if days is None else work.now + (days - turn.waited) * DAY
            work.tx.set_due(number, None if due == inf else max(due, work.now + 1))
    return kind


def _turn(work: Work, match: Match) -> Turn:
    config = work.context.config
    sent = {
        stage: (letter, at)
        for stage, letter, at in work.tx.reminded(match.number, match.resets, len(match.record))
    }
    warned = unreached = None
    if WARNING in sent:
        delivered, lost = _warned(work, match, sent)
        warned = None if delivered is None else _days(work, delivered)
        unreached = None if lost is None else _days(work, lost)
    begun = match.since
    if begun > work.now + config.forfeit_days * DAY:  # by a clock that was wrong: it begins now
        if BEGUN not in sent:
            turn = (match.number, match.resets, len(match.record))
            work.tx.add_reminder(*turn, BEGUN, NO_LETTER, work.now)
        begun = sent[BEGUN][1] if BEGUN in sent else work.now
    return Turn(
        _days(work, begun),
        config.nag_days,
        config.forfeit_days if len(match.seats) > 1 else inf,
        frozenset(sent),
        warned,
        unreached,
    )


def _days(work: Work, begin: float) -> float:
    """How many days have run since then; while the server stood still none did."""
    return (work.now - begin - work.tx.stood(begin, work.now)) / DAY


def _warned(
    work: Work, match: Match, sent: dict[str, tuple[int, float]]
) -> tuple[float | None, float | None]:
    """When the last warning was delivered, and since when none can be; None for either or both.

    That none can be is noted once it is known; a warning that was sent again may get through.
    """
    letter, at = sent[WARNING]
    known = sent[UNREACHED][1] if UNREACHED in sent else None
    if known is None or known < at:
        delivered = work.tx.letter_sent(letter) if letter > 0 else None
        if delivered is not None or (letter > 0 and work.tx.is_waiting(letter)):
            return delivered, None
    if known is None:
        known = at
        turn = (match.number, match.resets, len(match.record))
        work.tx.add_reminder(*turn, UNREACHED, NO_LETTER, known)
    return None, known


def _warn_again(work: Work, match: Match) -> None:
    """Forget a last warning that could not be delivered if the player can be reached again."""
    turn = (match.number, match.resets, len(match.record))
    late = work.tx.user(match.to_move)
    for stage, _, at in work.tx.reminded(*turn):
        if stage == WARNING and late and late.state == "active" and work.now - at >= DAY:
            work.tx.drop_reminder(*turn, WARNING)


def _carry_out(work: Work, match: Match, turn: Turn, stage: str) -> str:
    """Carry out a stage of a turn; returns its kind, empty if no letter came of it."""
    late = match.to_move
    if not stage:
        return ""
    if stage == FORFEIT:
        tell(work, apply(work, match, Act(late, FORFEIT, str(int(turn.waited)))))
        return FORFEIT
    if stage == ASK:
        days = str(int(turn.unreached or 0))
        change = apply(work, match, Act(late, "unreached", days))
        asked = (match.opponent(late),)
        letters = post_board(work, change.after, change.happenings, to=asked)
        letter = letters.get(asked[0], NO_LETTER)
        work.tx.add_reminder(match.number, match.resets, len(match.record), ASK, letter, work.now)
        return ASK
    user = work.tx.user(late)
    warning = stage == WARNING
    letter = NO_LETTER
    if warning or user is None or user.reminders:
        text = f"{int(turn.waited)}"
        if turn.forfeit < inf:
            text += f" {int(max(turn.forfeit - turn.waited, GRACE))}"
        happening = Happening(WARNING if warning else "overdue", late, text)
        letters = post_board(
            work,
            match,
            (happening,),
            to=(late,),
            unsubscribe=True,
            # The last warning is tried even where mails came back: without it nobody forfeits.
            states=("active", "suspended") if warning else ("active",),
        )
        letter = letters.get(late, NO_LETTER)
    work.tx.add_reminder(match.number, match.resets, len(match.record), stage, letter, work.now)
    return "" if letter == NO_LETTER else stage.split(maxsplit=1)[0]
