"""Tell a change of a match: for each of its readers, what that reader gets. Nothing is changed."""

from __future__ import annotations

from .apply import Change
from .post import comment, post_board, post_removed
from .work import Work


def tell(work: Work, change: Change, author: str = "") -> None:
    """Mail a change to both players. ``author``: the player whose mail made it, if one did."""
    (*_, last) = change.happenings
    if last.kind in ("declined", "removed", "unbegun"):
        post_removed(work, change.after, last)
        return
    post_board(
        work,
        change.after,
        change.happenings,
        facts={"comment": comment(work, author)},
        answers=author,
        withheld=work.author.withheld,
        first=last.kind == "began",
    )
