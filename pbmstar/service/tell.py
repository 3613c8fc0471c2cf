"""Tell a change of a match: for each of its readers, what that reader gets. The match stays as it is."""

from __future__ import annotations

from collections.abc import Sequence

from . import digests, receipts
from .apply import Change
from .post import comment, post_board, post_removed
from .work import Work


def tell(work: Work, change: Change, author: str = "", to: Sequence[str] | None = None) -> None:
    """Mail a change to both players, or to those of ``to``, and keep what its author wrote with it.

    ``author``: the player whose mail made it, if one did.
    """
    (*_, last) = change.happenings
    readers = change.after.seats if to is None else to
    if last.kind in ("declined", "withdrawn", "removed", "unbegun"):
        post_removed(work, change.after, last, readers)
        return
    words = comment(work, author)
    if words is not None:
        number, length = change.after.number, len(change.after.record)
        work.tx.add_comment(number, length, author, work.now, words["text"])
    receipts.let_go(work, change.before)
    awaited = receipts.awaited(work, change.after)
    letters = post_board(
        work,
        change.after,
        (*change.happenings, *receipts.unanswered(work, change.after)),
        to=digests.readers(work, change, author, readers),
        facts={"comment": words, **awaited},
        answers=author,
        withheld=work.author.withheld,
        first=last.kind == "began",
    )
    if awaited:
        receipts.hold(work, letters.values())
