"""One account under another name: ``user rename`` and ``user merge``."""

from __future__ import annotations

from ...command import RESERVED
from ...errors import BadInput
from ...store import User
from ..letters.post import tell_account
from ..proof.authentication import former
from ..work import timekeeping
from ..work.work import Work
from .operator import note, user

_KEPT = "Your games, letters and settings are as they were, and so is your password."
_REPLIES = "Replies to letters about older boards still work."


def rename_user(work: Work, userid: str, new: str) -> None:
    """Call an account something else, wherever it is named. Raises BadInput."""
    row = _person(work, userid)
    if new in RESERVED or work.tx.accounts.user(new):
        raise BadInput(f"The userid {new} is not free.", "taken")
    _keep_former(work, userid, new)
    work.tx.people.rename(userid, new)
    note(work, f"user rename {userid} {new}")
    renamed = row._replace(userid=new)
    tell_account(work, renamed, f"Your account {userid} is now called {new}. {_KEPT} {_REPLIES}")


def merge_users(work: Work, userid: str, into: str) -> int:
    """Give all that one account has to another of the same person, which keeps its own settings.

    Return the number of boards. Raises BadInput, also if the two have played each other: one player cannot
    have both seats of a record.
    """
    _person(work, userid)
    kept = _person(work, into)
    if userid == into:
        raise BadInput("Name two accounts.", "same-player")
    own = {row.board for row in work.tx.boards.of(userid)}
    both = sorted(own & {row.board for row in work.tx.boards.of(into)})
    if both:
        boards = ", ".join(map(str, both))
        raise BadInput(
            f"{userid} and {into} play each other on board {boards}. Remove it first.",
            "same-player",
        )
    _keep_former(work, userid, into)
    work.tx.people.merge(userid, into)
    work.tx.ratings.rebuild()
    timekeeping.count_again(work.tx, 0.0)  # they were on leave at different times
    note(work, f"user merge {userid} {into}")
    tell_account(
        work,
        kept,
        f"Your account {userid} is now part of {into}, with its games. Your password and settings are "
        f"those of {into}. {_REPLIES}",
    )
    return len(own)


def _person(work: Work, userid: str) -> User:
    row = user(work.tx, userid)
    if row.state == "bot":
        raise BadInput(f"{userid} is a bot.", "bot")
    return row


def _keep_former(work: Work, userid: str, new: str) -> None:
    """Remember the old name, so that replies to letters of before are understood."""
    names = [*former(work, new), *former(work, userid), userid]
    work.tx.ledger.set_fact(f"was {userid}", "")
    work.tx.ledger.set_fact(f"was {new}", " ".join(name for name in names if name != new))
