"""Tell a change of a match to its players, by a letter or in their digests."""

from __future__ import annotations

from collections.abc import Sequence

from ...match import Change, Match
from ...match import happenings as h
from ...render.facts import BoardFacts
from ..work.feature import Feature, that_answer
from ..work.work import Work
from . import digests, merged
from .post import BoardLetter, RemovedLetter, send
from .words import comment, leave_out_signature, muted


def tell(work: Work, change: Change, author: str = "", to: Sequence[str] | None = None) -> None:
    """Mail a change to both players, or to the userids in ``to``, and store the comment of its author.

    ``author``: the player whose mail made the change; empty if no mail did.
    """
    (*_, last) = change.happenings
    readers = change.after.seats if to is None else to
    if isinstance(last, h.Gone):
        send(work, RemovedLetter(change.after, last, readers))
        return
    is_said = any(isinstance(each, h.Talked) for each in change.happenings)
    is_first = leave_out_signature(work, author, change.after.number, must_stay=is_said)
    words = comment(work, author)
    heard = _heard(work, change.after, author) if words and is_first else ""
    if words is not None:
        number, length = change.after.number, len(change.after.record)
        work.tx.notebook.add_comment(number, length, author, work.now, words.text)
    if is_said:  # the letter has only words
        events = work.tx.boards.events(change.after.number)
        readers = [each for each in readers if each == author or not muted(events, each)]
    merged.let_go(work, change.before)
    for feature in that_answer(Feature.on_change, work.context.config.without):
        feature.on_change(work, change)
    awaited = merged.awaited(work, change.after)
    letter = BoardLetter(
        change.after,
        (*change.happenings, *awaited.happenings),
        digests.readers(work, change, author, readers),
        facts=BoardFacts(comment=words, awaits=change.after.state if awaited.seconds else ()),
        answers=author,
        withheld=work.words.withheld,
        heard=heard,
        album=change.is_end,
    )
    before = len(work.report.letters)
    send(work, letter)
    for number in work.report.letters[before:] if awaited.seconds else ():
        work.tx.outbox.delay(number, work.now + awaited.seconds)


def _heard(work: Work, match: Match, author: str) -> str:
    """Return the opponent who reads the words of a player on a board; empty if nobody does."""
    other = match.opponent(author)
    is_read = other and other != match.program
    return other if is_read and not muted(work.tx.boards.events(match.number), other) else ""
