"""Reviews: a message asks for one, the process that thinks makes it, and one letter tells it.

The letter is written when the review is asked for, and waits for it. The findings are stored: each game
is reviewed once for all readers.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from ... import games, identity
from ...bots import rules
from ...bots.rows import Bots
from ...command import Command
from ...errors import Refusal, say
from ...match import Happening, Match
from ...match.happenings import AsItWas
from ...render.facts import AWAITS, ReviewFacts
from ...render.recipe import packed
from ...render.reviews import costliest
from ...store import User
from ..letters.post import BoardLetter, send
from ..letters.tell import waiting
from ..proof import limits
from ..work.apply import load, look
from ..work.work import BoardRefusal, Work

WAIT = 600.0  # the most seconds that the letter waits for the review
_MOST = 50  # the most reviews that may be awaited at one time


class ReviewJob(NamedTuple):
    """A finished game to be reviewed, with its state then; ``request`` is for the process that thinks."""

    board: int
    resets: int
    length: int
    request: Mapping[str, Any]


def review(work: Work, command: Command, reader: User) -> None:
    """Mail the moves at which a finished game turned; the letter waits until they are known.

    Raises Refusal for a running game or one that bots do not play.
    """
    match = look(work, command["board"], reader, command.game)
    if not match.position.over:
        raise BoardRefusal(
            say(
                "The game on board {number} is still running. You can get a review once it's over.",
                number=match.number,
            ),
            "not-over",
            match,
        )
    if not rules.reviewed(match):
        least = rules.LEAST_REVIEWED
        raise BoardRefusal(
            say(
                "We can only review games that bots can play and that have at least {least} moves.",
                least=least,
            ),
            "no-review",
            match,
        )
    stored = work.tx.of(Bots).review(*match.state)
    if stored is None and not work.context.config.bots:
        raise BoardRefusal(
            say("Our bots do the reviews, and they're switched off on this server."),
            "bots-off",
            match,
        )
    if stored is None and work.limited and work.tx.of(Bots).reviews_awaited() >= _MOST:
        raise Refusal(
            say("We're working on too many reviews right now. Try again in a few minutes."),
            "too-many-reviews",
        )
    letter = partial(_tell, work, match, reader.userid, json.loads(stored) if stored else None)
    limits.ask_for(work, reader, ("review", *match.state), letter)


def _tell(work: Work, match: Match, userid: str, found: dict[str, Any] | None) -> None:
    """Write the letter; without findings it waits for them."""
    shown, facts, happenings = _letter(match, found)
    facts = facts if found else replace(facts, awaited=match.number)
    letters = send(work, BoardLetter.answer(shown, userid, facts, happenings))
    if found is None:
        work.tx.of(Bots).await_review(match.number, userid, work.now)
        for letter in letters.values():
            work.tx.outbox.delay(letter, work.now + WAIT)


def _letter(
    match: Match, found: dict[str, Any] | None
) -> tuple[Match, ReviewFacts, tuple[Happening, ...]]:
    """Return the board that a review shows, the facts of its letter, and the happenings to show."""
    facts = ReviewFacts(
        players={str(side): who for side, who in match.players.items()},
        result=match.winner,
        moves=rules.reviewed(match),
        found=found,
    )
    if found and (costly := costliest(found)):
        # Both the entries and the moves of a review count swaps.
        match = match.before_entry(costly["number"] - 1)
    return match, facts, (AsItWas(match.position.played),)


def next_study(work: Work, busy: Collection[int]) -> ReviewJob | None:
    """Return the next game to be reviewed; None if no review is awaited."""
    if work.tx.ledger.fact("paused"):
        return None
    for number in work.tx.of(Bots).boards_to_review(100):
        if number in busy:
            continue
        with suppress(Refusal):
            match = load(work, number)
            if match.position.over:
                return _study(work, match)
        work.tx.of(Bots).end_review(number)  # removed, corrupt, or reset by the operator
    return None


def _study(work: Work, match: Match) -> ReviewJob:
    request = {
        "ask": "review",
        "game": match.game.word,
        "options": games.dump(match.game),
        "moves": rules.reviewed(match),
        "winner": match.position.winner,
        "seed": identity.turn_seed(work.keys, *match.state),
    }
    return ReviewJob(*match.state, request)


def finish(work: Work, study: ReviewJob, found: Mapping[str, Any] | None) -> None:
    """Store the findings of a review, and send the letters that wait for it.

    Findings are None if the review failed: then, and if the game has changed, only end the wait.
    """
    row = work.tx.boards.get(study.board)
    is_same = row is not None and (row.resets, row.length) == (study.resets, study.length)
    readers = work.tx.of(Bots).end_review(study.board)
    if not is_same or found is None:
        return
    match = load(work, study.board)
    work.tx.of(Bots).keep_review(*study[:3], json.dumps(found))
    shown, facts, happenings = _letter(match, dict(found))
    for userid in readers:
        letters = waiting(work, userid, AWAITS, study.board)
        if not letters:
            _tell(work, match, userid, dict(found))
        for number, recipe in letters:
            own = {k: v for k, v in recipe.facts.items() if k != AWAITS} | facts.stored()
            whole = replace(recipe, board=packed(shown), happenings=happenings, facts=own)
            work.tx.outbox.replace(number, whole.to_bytes(), work.now)
