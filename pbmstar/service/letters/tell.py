"""Tell a change of a match to its players and its watchers, by a letter or in their digests."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ...match import Happening, Match
from ...match import happenings as h
from ...match.stored import pack
from ...store import User
from ..work.apply import Change
from ..work.bot_budget import bot_of
from ..work.work import Work
from . import digesting, receipts
from .post import BoardLetter, RemovedLetter, send
from .words import comment, leave_out_signature, muted

EACH, END, DIGEST = "each", "end", "digest"  # the ways in which a watcher is told
# The course of a game; only its players are told about plans, notes, words and requests.
_SEEN = (
    h.Began | h.Moved | h.Passed | h.Swapped | h.Resigned | h.Left | h.Forfeited | h.Agreed
    | h.Cancelled | h.Abandoned | h.Claimed | h.TakenBack | h.Retracted | h.Reset
)  # fmt: skip


def tell(work: Work, change: Change, author: str = "", to: Sequence[str] | None = None) -> None:
    """Mail a change to both players, or to the userids in ``to``, and store the comment of its author.

    ``author``: the player whose mail made the change; empty if no mail did.
    """
    (*_, last) = change.happenings
    readers = change.after.seats if to is None else to
    if isinstance(last, h.Gone):
        send(work, RemovedLetter(change.after, last, readers))
        return
    is_said = any(isinstance(each, h.Said) for each in change.happenings)
    is_first = leave_out_signature(work, author, change.after.number, must_stay=is_said)
    words = comment(work, author)
    heard = _heard(work, change.after, author) if words and is_first else ""
    if words is not None:
        number, length = change.after.number, len(change.after.record)
        work.tx.notebook.add_comment(number, length, author, work.now, words["text"])
    if is_said:  # the letter has only words
        events = work.tx.boards.events(change.after.number)
        readers = [each for each in readers if each == author or not muted(events, each)]
    if change.after.watched:
        _tell_watchers(work, change)
    receipts.let_go(work, change.before)
    thinks, awaited = receipts.expected(work, change.after)
    letter = BoardLetter(
        change.after,
        (*change.happenings, *thinks),
        digesting.readers(work, change, author, readers),
        facts={"comment": words, **awaited},
        answers=author,
        withheld=work.author.withheld,
        heard=heard,
        album=change.is_end,
    )
    before = len(work.report.letters)
    send(work, letter)
    if awaited:
        receipts.hold(work, work.report.letters[before:])


def _heard(work: Work, match: Match, author: str) -> str:
    """Return the opponent who reads the words of a player on a board; empty if nobody does."""
    other = match.opponent(author)
    is_read = other and not bot_of(work.tx, (other,))
    return other if is_read and not muted(work.tx.boards.events(match.number), other) else ""


def _tell_watchers(work: Work, change: Change) -> None:
    """Tell the watchers of a board its happenings; after the end of the game nobody watches it."""
    after, over = change.after, change.after.position.over
    seen = tuple(_public(change.happenings))
    if seen:
        watchers = work.tx.watches.watchers(after.number)
        now = [each.name for each in watchers if each.how == EACH or (each.how == END and over)]
        letter = BoardLetter(_bare(after), seen, now, is_public=True, album=change.is_end)
        send(work, letter)
        for each in watchers:
            user = work.tx.accounts.user(each.name)
            if each.how == DIGEST and user and user.state == "active":
                _keep(work, user, after, seen)
    if over:
        work.tx.watches.end(after.number)


def _public(happenings: Iterable[Happening]) -> Iterable[Happening]:
    """Yield the happenings that everybody may know; a move by a plan becomes a simple move."""
    for each in happenings:
        if isinstance(each, h.Answered):
            yield h.Moved(each.userid, each.move)
        elif isinstance(each, _SEEN):
            yield each


def _bare(match: Match) -> Match:
    """Return a match without the things that only its players know."""
    record = tuple(entry._replace(by_plan=0) for entry in match.record)
    return replace(match, record=record, request=None, plans=(), notes=())


def _keep(work: Work, user: User, match: Match, seen: tuple[Happening, ...]) -> None:
    """Keep the happenings for a watcher's next digest, and make one due if there is none."""
    note = {"happened": pack(seen), "comment": None}
    work.tx.digests.add_untold(user.userid, match.number, work.now, json.dumps(note))
    if user.digest_due is None:
        work.tx.accounts.set_wishes(digesting.with_next(work, user))
