"""Automatic answers as a hint that a player is away: anybody's mail program can write one, so it moves
no clock. The player's next last warning comes a day earlier, and says how to stop the clocks."""

from __future__ import annotations

from .. import identity
from ..match.terms import DAY
from . import leave, proof
from .work import Work

# What ``inbound.nature`` calls answers of programs; a report that a letter came back is none.
_ANSWERS = frozenset(("auto-submitted", "autoresponder", "out of office"))


def take_hint(work: Work, detail: str, automatic: str) -> None:
    """Note that a program answers for the player whom a signed address of ours speaks for.

    At most one such mail of a player is looked at in a day. Nobody is told.
    """
    if automatic not in _ANSWERS:
        return
    userid = ""
    if account := identity.read_account(detail):
        userid = account[1] if account[0] == "b" else ""
    elif token := identity.read_token(detail):
        _, userid, _ = proof.speaker(work, token)
    user = work.tx.user(userid) if userid else None
    if user is not None and work.tx.count(f"absent {userid}", work.now, DAY) == 1:
        work.tx.set_absent(userid, work.now)
        leave.look_again(work, userid)
