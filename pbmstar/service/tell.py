"""Tell a change of a match: for each of its readers, what that reader gets. Nothing is changed."""

from __future__ import annotations

from collections.abc import Sequence

from . import digests, receipts
from .apply import Change
from .post import comment, post_board, post_removed
from .work import Work


def tell(work: Work, change: Change, author: str = "", to: Sequence[str] | None = None) -> None:
    """Mail a change to both players, or to those of ``to``.

    ``author``: the player whose mail made it, if one did.
    """
    (*_, last) = change.happenings
    readers = change.after.seats if to is None else to
    if last.kind in ("declined", "withdrawn", "removed"):
        post_removed(work, change.after, last, readers)
        return
    receipts.let_go(work, change.before)
    awaited = receipts.awaited(work, change.after)
    letters = post_board(
        work,
        change.after,
        (*change.happenings, *receipts.unanswered(work, change.after)),
        to=digests.readers(work, change, author, readers),
        facts={"comment": comment(work, author), **awaited},
        answers=author,
        withheld=work.author.withheld,
        first=last.kind == "began",
    )
    if awaited:
        receipts.hold(work, letters.values())
