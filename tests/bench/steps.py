"""How many statements of SQL and calls of functions a move costs: exact counts, without a clock.

Counted is the reading of ten mails, ``star move`` with some talk, each on a board of its own, what they
ask, and their one commit. Prints a line for each round.
"""

from __future__ import annotations

import sqlite3
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import FrameType
from typing import NamedTuple

from harness.office import DAY, PASSWORD, Office

from pbmstar.service.work.context import Envelope, Outcome, Precomputed

GROUP = 10  # moves that share a transaction
MOVES = ("E8", "J5", "D4", "E5")
_TALK = 8  # lines of a mail
_ASKS = ("execute", "executemany", "commit")  # methods of the driver; many rows at once count once


class Steps(NamedTuple):
    """What one move of a group costs.

    statements  executions that the driver is asked for, BEGIN and COMMIT among them
    calls       of functions written in Python
    built_in    of functions written in C
    """

    statements: float
    calls: float
    built_in: float


def counted(act: Callable[[], None]) -> Steps:
    """Return what an act costs in all."""
    calls = built_in = statements = 0

    def note(_frame: FrameType, event: str, function: object) -> None:
        nonlocal calls, built_in, statements
        if event == "call":
            calls += 1
        elif event == "c_call":
            built_in += 1
            driver = getattr(function, "__self__", None)
            if isinstance(driver, sqlite3.Cursor | sqlite3.Connection):
                statements += getattr(function, "__name__", "") in _ASKS

    sys.setprofile(note)
    try:
        act()
    finally:
        sys.setprofile(None)
    return Steps(statements, calls, built_in)


def steps(folder: Path) -> list[Steps]:
    """Return the cost of a move in each round, on boards that are known already."""
    with closing(Office(f"sqlite:///{folder / 'db'}", folder / "spool")) as office:
        # Players of many weeks: those of the first one cost a little more.
        office.sql(f"UPDATE users SET made = {office.now - 30 * DAY}")
        boards = [office.begun() for _ in range(GROUP)]
        costs = []
        for place, move in enumerate(MOVES):
            office.now += 60
            mails = []
            for board in boards:
                row = office.row(board)
                assert row is not None
                player = row.to_move
                words = f"star move {board} {player} {PASSWORD[player]} {move}"
                mails.append(office.write(player, words, _talk(place, board)))
            whole = counted(lambda raws=mails, place=place: _move(office, raws, place))  # type: ignore[misc]
            costs.append(Steps(*(count / GROUP for count in whole)))
            office.letters()
    return costs[1:]  # the first round fills what is remembered


def _talk(place: int, board: int) -> str:
    """Return words that are others in each mail: what is said again is no talk, but a signature."""
    lines = (f"{place}.{board}.{n}: talk about the game, as people write." for n in range(_TALK))
    return "\r\n".join(lines)


def _move(office: Office, mails: list[bytes], place: int) -> None:
    """Read mails and carry them out in one transaction."""
    read = [office.service.read(raw) for raw in mails]
    with office.store.transaction() as tx:
        for number, (mail, raw) in enumerate(zip(read, mails, strict=True)):
            envelope = Envelope(
                mail.author or "", (office.config.address,), "", f"{place}-{number}"
            )
            outcome = office.service.execute(tx, envelope, mail, raw, Precomputed())
            assert isinstance(outcome, Outcome) and outcome.name == "applied", outcome


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as home:
        for cost in steps(Path(home)):
            print(
                f"{cost.statements:.1f} statements, {cost.calls:.1f} calls of Python, "
                f"{cost.built_in:.1f} of C"
            )
