"""Work for many, such as a letter to every opponent: in pieces, each in a transaction of its own.

A message or a command of the operator puts a chore down, and the same commit keeps it, as a fact. The daemon
(or the command) then does one piece after another, and others write in between. A piece and the place where
the next one starts are one commit. So whatever ends a process, each piece is done once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from ...errors import MISREAD
from ...parts import function_at, place_of
from ...store import Tx
from ..work.context import Context
from ..work.work import Work
from . import alerts

T = TypeVar("T")
Facts = dict[str, Any]  # all that the rest of a chore needs to know, as JSON has it
Piece = Callable[[Work, Facts], Facts | None]  # returns what the rest needs, None if all is done
PIECE = 10  # boards in a piece: some 2 ms each, with their letters
_PREFIX = "chore "


def later(work: Work, piece: Piece, name: str, facts: Facts) -> None:
    """Put a chore down.

    piece  the function of a module that does a piece
    name   what it is done for, such as a userid: nothing has two such chores at a time
    """
    work.tx.ledger.set_fact(f"{_PREFIX}{place_of(piece)} {name}", json.dumps(facts))
    work.context.chores.set()


def do_some(context: Context, tx: Tx) -> bool:
    """Do a piece of a chore; return False if there is none."""
    found = tx.ledger.first(_PREFIX)
    if found is not None:
        _do(Work(context, tx, context.clock()), *found)
    return found is not None


def finish(work: Work) -> None:
    """Do all chores now, before an account that one may name gets another name."""
    while found := work.tx.ledger.first(_PREFIX):
        _do(work, *found)


def _do(work: Work, name: str, text: str) -> None:
    """Do a piece of a chore, and store what the rest needs."""
    piece: Piece = function_at(name.split()[1])
    rest = piece(work, json.loads(text))
    if rest is None:
        work.tx.ledger.drop_fact(name)
    else:
        work.tx.ledger.set_fact(name, json.dumps(rest))


def each(work: Work, what: str, items: Sequence[T], act: Callable[[T], object]) -> None:
    """Do something for each item, such as a board.

    A damaged one keeps no other from its part: the operator is told, and ``what`` names it, as ``board``.
    """
    for item in items:
        try:
            with work.tx.savepoint():
                act(item)
        except MISREAD as error:
            alerts.damaged(work.tx, work.context.config, work.now, f"{what} {item}", error)
