"""Telling watchers of a change, by a letter or in their daily letters."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace

from ...match import Happening, Match
from ...match import happenings as h
from ...match.stored import pack
from ...service.letters import digests
from ...service.letters.post import BoardLetter, send
from ...service.work.apply import Change
from ...service.work.work import Work
from ...store import User
from .commands import DIGEST, EACH, END
from .rows import Watches

# The course of a game; only its players are told about plans, notes, words and requests.
_SEEN = (
    h.Began | h.Moved | h.Passed | h.Swapped | h.Resigned | h.Left | h.Forfeited | h.Agreed
    | h.Cancelled | h.Abandoned | h.Claimed | h.TakenBack | h.Retracted | h.Reset
)  # fmt: skip


def tell(work: Work, change: Change) -> None:
    """Tell the watchers of a board its happenings; after the end of the game nobody watches it."""
    after, over = change.after, change.after.position.over
    seen = tuple(_public(change.happenings))
    if seen:
        watchers = work.tx.of(Watches).watchers(after.number)
        now = [each.name for each in watchers if each.how == EACH or (each.how == END and over)]
        letter = BoardLetter(_bare(after), seen, now, is_public=True, album=change.is_end)
        send(work, letter)
        for each in watchers:
            user = work.tx.accounts.user(each.name)
            if each.how == DIGEST and user and user.state == "active":
                _keep(work, user, after, seen)
    if over:
        work.tx.of(Watches).end(after.number)


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
        work.tx.accounts.set_wishes(digests.with_next(work, user))
