"""Reminders and forfeits: what is due now, each once, whoever asks and however often."""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple

from ..errors import Refusal
from ..match import FORFEIT, Match
from ..store import Board, Store
from . import play
from .context import Context
from .desk import Desk

DAY = 86400.0
GRACE = 2 * DAY  # between the last warning and the forfeit, at least
WARNING = "warning"
NO_LETTER = -1  # a stage that came, but no letter was wanted or could be sent


class Due(NamedTuple):
    """What a board's turn has come to. stage: 'nag N', 'warning', 'forfeit', or empty for nothing."""

    stage: str
    waited: float  # days


def due(
    waited: float,
    nag_days: float,
    forfeit_days: float,
    stages: frozenset[str],
    warned: float | None,
) -> Due:
    """What is to be done about a turn that has taken ``waited`` days.

    stages  the reminders sent for it so far
    warned  days since the last warning was delivered; None if it was not

    A late run sends the newest reminder only, and nothing comes after the last warning but the
    forfeit. That needs a warning delivered two days before, however long the turn has taken.
    """
    if waited >= forfeit_days and warned is not None and warned * DAY >= GRACE:
        return Due("forfeit", waited)
    if waited < nag_days or WARNING in stages:
        return Due("", waited)
    if waited >= forfeit_days - GRACE / DAY:
        return Due(WARNING, waited)
    nag = f"nag {int(waited - nag_days)}"
    newest = max((int(stage[4:]) for stage in stages if stage.startswith("nag ")), default=-1)
    if newest >= int(nag[4:]):
        return Due("", waited)
    return Due(nag, waited)


def remind(context: Context, store: Store) -> dict[str, int]:
    """Send what is due on all boards, each board in its own transaction; returns counts by stage.

    A board whose record is corrupt keeps no other from its reminders: ``admin check`` names it.
    """
    config = context.config
    done = {"nag": 0, "warning": 0, "forfeit": 0}
    now = context.clock()
    before = now - config.nag_days * DAY
    after = (0.0, 0)
    while True:
        with store.transaction() as tx:
            page = tx.boards_due(before, after)
        if not page:
            break
        after = (page[-1].since, page[-1].board)
        for row in page:
            with suppress(Refusal), store.transaction() as tx:
                if stage := _remind(Desk(context, tx, now), row):
                    done[stage] += 1
    with store.transaction() as tx:
        tx.prune(now)
    return done


def _remind(desk: Desk, stale: Board) -> str:
    """Do what is due on one board; returns the kind of it, or empty."""
    row = desk.tx.board(stale.board)  # locked now; it may have changed since the page was read
    if row is None or not row.to_move:
        return ""
    config = desk.context.config
    sent = desk.tx.reminded(row.board, row.resets, row.length)
    delivered = [
        desk.tx.letter_sent(letter) for stage, letter, _ in sent if stage == WARNING and letter > 0
    ]
    warned = next((desk.now - at for at in delivered if at is not None), None)
    told = due(
        (desk.now - row.since) / DAY,
        config.nag_days if row.nag_days is None else row.nag_days,
        config.forfeit_days if row.forfeit_days is None else row.forfeit_days,
        frozenset(stage for stage, _, _ in sent),
        None if warned is None else warned / DAY,
    )
    if not told.stage:
        return ""
    if told.stage == FORFEIT:
        late = row.to_move
        notice = f"{late} has not moved for {_days(told.waited)} and forfeits the game."
        play.resign_for(desk, row.board, late, notice, FORFEIT)
        return FORFEIT
    match = play.load(desk, row.board)
    user = desk.tx.user(row.to_move)
    unwanted = user is not None and not user.reminders and told.stage != WARNING
    letter = NO_LETTER if unwanted else _letter(desk, match, told, row)
    desk.tx.add_reminder(row.board, row.resets, row.length, told.stage, letter, desk.now)
    return "" if letter == NO_LETTER else told.stage.split()[0]


def _letter(desk: Desk, match: Match, told: Due, row: Board) -> int:
    config = desk.context.config
    forfeit_days = config.forfeit_days if row.forfeit_days is None else row.forfeit_days
    left = max(forfeit_days - told.waited, GRACE / DAY)
    warning = told.stage == WARNING
    notices = (
        f"Your move has been awaited for {_days(told.waited)}.",
        f"This is the last warning: without a move from you the game is forfeited in {_days(left)}."
        if warning
        else f"Without a move the game is forfeited in {_days(left)}, after a last warning.",
    )
    letters = desk.post_board(
        match,
        to=(match.to_move,),
        prefix="Nag: ",
        notices=notices,
        unsubscribe=True,
        # The last warning is tried even where mails came back: without it nobody forfeits.
        states=("active", "suspended") if warning else ("active",),
    )
    return letters.get(match.to_move, NO_LETTER)


def _days(days: float) -> str:
    whole = int(days)
    if whole == 1:
        return "1 day"
    return f"{whole} days" if whole else "less than a day"
