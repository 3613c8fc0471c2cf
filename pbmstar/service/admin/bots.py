"""The operator's acts about bots, and the findings of ``pbmstar doctor``."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from ...bots import budget
from ...bots.rows import Bots
from ...config import Config
from ...errors import BadInput, CorruptDatabase, TemporaryFailure
from ...machine.times import DAY, Epoch
from ...match import BOTS
from ...store import Store, Tx
from ..work.feature import FAIL, OK, WARN, Finding
from ..work.work import Work

_ALL = 10_000  # turns
_DAYS = 7  # whose answers say how long bots take


def add(work: Work, userid: str) -> bool:
    """Make the account of a bot; return False if there is one."""
    if work.tx.accounts.user(userid) is not None:
        return False
    work.tx.accounts.add_program(userid)
    work.note(f"bot add {userid}")
    return True


def listed(work: Work) -> list[dict[str, Any]]:
    """Return the bots, each with its running games, the age of its oldest turn, and how long it takes.

    Half of its answers of the last days came within ``median_seconds`` of the turn's beginning, and nine of
    ten within ``slow_seconds``; both are None if there is no answer.
    """
    due, rows = work.tx.of(Bots).turns(_ALL), []
    waits = work.tx.of(Bots).waits(work.now - _DAYS * DAY)
    for user in sorted(work.tx.accounts.programs(), key=lambda each: BOTS.index(each.userid)):
        since = [turn.since for turn in due if turn.bot == user.userid]
        rows.append(
            {
                "userid": user.userid,
                "running": len(work.tx.boards.of(user.userid, "active")),
                "waiting": len(since),
                "oldest_seconds": int(work.now - min(since)) if since else 0,
                "answers": len(took := sorted(waits.get(user.userid, ()))),
                "median_seconds": _of_ten(took, 5),
                "slow_seconds": _of_ten(took, 9),
            }
        )
    return rows


def _of_ten(waits: Sequence[float], many: int) -> float | None:
    """Return the time within which so many of ten sorted waits ended; None if there are none."""
    return round(waits[(len(waits) * many - 1) // 10], 1) if waits else None


def examine(config: Config, now: Epoch) -> Iterator[Finding]:
    """Yield the findings about bots; none for a database that cannot be used, which is told elsewhere."""
    with (
        suppress(CorruptDatabase, TemporaryFailure, BadInput),
        closing(Store(config.database, read_only=True)) as store,
        store.transaction() as tx,
    ):
        yield from _findings(config, tx, now)


def _findings(config: Config, tx: Tx, now: Epoch) -> Iterator[Finding]:
    waiting = len(tx.of(Bots).turns(_ALL))
    if not config.bots:
        advice = f"{waiting} players are waiting for one." if waiting else ""
        yield Finding(WARN if waiting else OK, "bots: switched off", advice)
        return
    if budget.is_late(tx, config, now, 0.0):
        yield Finding(
            FAIL,
            "bots: a turn has been waiting for more than ten minutes",
            "Is the daemon running? Look at its log. If you don't run a daemon: pbmstar deliver",
        )
    else:
        yield Finding(OK, f"bots: {waiting} turns wait, none for long")
    if crashes := tx.ledger.counted(budget.CRASHES, now, DAY):
        yield Finding(
            WARN,
            f"bots: the process that thinks failed {crashes} times in a day",
            "The log says why; its memory may be too small.",
        )
    if importlib.util.find_spec("numba") is None:
        install = "apt install pbmstar-bot" if _is_packaged() else "pip install 'pbmstar[bot]'"
        yield Finding(WARN, "bots: numba isn't installed", f"{install} makes them fast.")


def _is_packaged() -> bool:
    """Return True if this program is the one of the Debian package."""
    return Path(sys.prefix) == Path("/usr/lib/pbmstar")
