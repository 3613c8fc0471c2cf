"""Tell a change of a match to its readers, by a letter or in their digests."""

from __future__ import annotations

from collections.abc import Sequence

from ...match.happenings import Gone, Said
from ..work.apply import Change
from ..work.work import Work
from . import digesting, receipts
from .post import BoardLetter, RemovedLetter, comment, muted, send
from .watchers import tell_watchers


def tell(work: Work, change: Change, author: str = "", to: Sequence[str] | None = None) -> None:
    """Mail a change to both players, or to those of ``to``, and store the comment of its author.

    The ``author`` is the player whose mail made it, if one did.
    """
    (*_, last) = change.happenings
    readers = change.after.seats if to is None else to
    if isinstance(last, Gone):
        send(work, RemovedLetter(change.after, last, readers))
        return
    words = comment(work, author)
    if words is not None:
        number, length = change.after.number, len(change.after.record)
        work.tx.notebook.add_comment(number, length, author, work.now, words["text"])
    if any(isinstance(each, Said) for each in change.happenings):  # there is nothing but words
        events = work.tx.boards.events(change.after.number)
        readers = [each for each in readers if each == author or not muted(events, each)]
    if change.after.watched:
        tell_watchers(work, change)
    receipts.let_go(work, change.before)
    awaited = receipts.awaited(work, change.after)
    letter = BoardLetter(
        change.after,
        (*change.happenings, *receipts.told(work, change.after)),
        digesting.readers(work, change, author, readers),
        facts={"comment": words, **awaited},
        answers=author,
        withheld=work.author.withheld,
    )
    letters = send(work, letter)
    if awaited:
        receipts.hold(work, letters.values())
