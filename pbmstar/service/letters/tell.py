"""Tell a change of a match to its players, by a letter or in their digests."""

from __future__ import annotations

from collections.abc import Sequence

from ...match import happenings as h
from ..work.apply import Change
from ..work.work import Work
from . import digesting, receipts
from .post import BoardLetter, RemovedLetter, send
from .words import comment, muted


def tell(work: Work, change: Change, author: str = "", to: Sequence[str] | None = None) -> None:
    """Mail a change to both players, or to the userids in ``to``, and store the comment of its author.

    ``author``: the player whose mail made the change; empty if no mail did.
    """
    (*_, last) = change.happenings
    readers = change.after.seats if to is None else to
    if isinstance(last, h.Gone):
        send(work, RemovedLetter(change.after, last, readers))
        return
    words = comment(work, author)
    if words is not None:
        number, length = change.after.number, len(change.after.record)
        work.tx.notebook.add_comment(number, length, author, work.now, words["text"])
    if any(isinstance(each, h.Said) for each in change.happenings):  # the letter has only words
        events = work.tx.boards.events(change.after.number)
        readers = [each for each in readers if each == author or not muted(events, each)]
    for feature in work.context.features:
        feature.told(work, change)
    receipts.let_go(work, change.before)
    thinks, awaited = receipts.expected(work, change.after)
    letter = BoardLetter(
        change.after,
        (*change.happenings, *thinks),
        digesting.readers(work, change, author, readers),
        facts={"comment": words, **awaited},
        answers=author,
        withheld=work.author.withheld,
        album=change.is_end,
    )
    before = len(work.report.letters)
    send(work, letter)
    if awaited:
        receipts.hold(work, work.report.letters[before:])
