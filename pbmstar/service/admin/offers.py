"""Invitations of strangers, for the operator, who can stop a player's invitations and postcards."""

from __future__ import annotations

from typing import Any

from ...errors import BadInput
from ...matchmaking.rows import Invitations
from ..verbs.invitations import WEEK
from ..work.work import Work
from .lookup import user
from .operator import note


def listed(work: Work) -> list[dict[str, Any]]:
    """Return the players who invited somebody in the last week or are stopped, those with most first."""
    rows = work.tx.of(Invitations)
    counted = sorted(rows.counted(work.now, WEEK).items(), key=lambda each: (-each[1], each[0]))
    return [
        {
            "userid": userid,
            "invited": count,
            "state": "stopped" if rows.is_stopped(userid) else "allowed",
        }
        for userid, count in counted
    ]


def stop(work: Work, userid: str) -> None:
    """Let a player send no more invitations and postcards. Raises BadInput."""
    work.tx.of(Invitations).stop(user(work.tx, userid).userid)
    note(work, f"invitation stop {userid}")


def allow(work: Work, userid: str) -> None:
    """Let a player send invitations and postcards again. Raises BadInput."""
    if not work.tx.of(Invitations).allow(userid):
        raise BadInput(f"The invitations of {userid} are not stopped.", "not-stopped")
    note(work, f"invitation allow {userid}")
