"""The ratings of a board's players for its letters: what is at stake, or what has come of the game."""

from __future__ import annotations

from typing import Any

from ...contest import practice
from ...contest.fold import NEW
from ...contest.rating import Rating
from ...match import Match
from ..work import rated
from ..work.bot_budget import bot_of
from ..work.work import Work

Facts = dict[str, Any]  # see render.rating_text


def of(work: Work, match: Match, reader: str) -> Facts:
    """Return the fact of a letter that tells ``reader`` of a new game, or of one that is over.

    Nothing for a puzzle. ``reader``: a userid; empty for somebody who only looks.
    """
    if len(match.seats) == 1:
        return {}
    bot = bot_of(work.tx, match.seats)
    facts = _ended(work, match, reader, bot) if match.position.over else None
    if facts is None:
        why = rated.barred(work.tx, match)
        facts = {"why": why} if why else _at_stake(work, match, reader, bot)
    over = reader and match.position.over
    return {"rating": {**facts, "next": _next(work, match, reader, bot) if over else None}}


def _now(work: Work, match: Match, userid: str, bot: str) -> Rating:
    """Return a player's rating in the game of a board: a bot's own, in practice if there is a bot."""
    word = match.game.word
    measured = practice.of_bot(word, userid) if userid == bot else None
    tally = work.tx.ratings.of(userid, word, practice=bool(bot)) or NEW
    return measured or tally.as_of(work.now)


def _at_stake(work: Work, match: Match, reader: str, bot: str) -> Facts:
    """Return both ratings, and what a win and a loss would bring the reader."""
    ratings = {userid: _now(work, match, userid, bot) for userid in match.seats}
    facts: Facts = {"bot": bot, "ratings": {who: str(each) for who, each in ratings.items()}}
    if reader:
        own, rival = ratings[reader], ratings[match.opponent(reader)]
        win, loss = (own.played(((rival, score),)).points - own.points for score in (1.0, 0.0))
        facts |= {"reader": reader, "win": win, "loss": loss}
    return facts


def _ended(work: Work, match: Match, reader: str, bot: str) -> Facts | None:
    """Return what has come of a game that is over; None if the ratings do not know it."""
    folded = work.tx.ratings.game(match.number)
    if folded is None or folded.why:
        return {"why": folded.why} if folded is not None else None
    steps = work.tx.ratings.steps(match.number)
    after = {who: Rating(*step.tally[:3]) for who, step in steps.items()}
    facts: Facts = {"bot": bot, "ratings": {who: str(each) for who, each in after.items()}}
    if reader in steps:
        mark = "?" * after[reader].is_provisional
        facts |= {"reader": reader, "before": f"{round(steps[reader].before)}{mark}"}
    if bot and (measured := practice.of_bot(match.game.word, bot)):
        facts["ratings"][bot] = str(measured)
    return facts


def _next(work: Work, match: Match, reader: str, bot: str) -> Facts | None:
    """Return what to do next, one thing: play the next bot after three wins in a row, else play again.

    None if the opponent takes no games any more.
    """
    opponent = work.tx.accounts.user(match.opponent(reader))
    if opponent is None or opponent.state not in ("active", "bot"):
        return None
    if bot and match.winner == reader:
        past = work.tx.ratings.history(
            reader, match.game.word, practice=True, count=practice.IN_A_ROW
        )
        scores = [each.score if each.opponent == bot else 0.0 for each in past]
        if better := practice.next_bot(match.game.word, bot, scores):
            words = [match.game.word, "challenge", match.game.described(), reader, better]
            return {"bot": better, "beaten": bot, "line": " ".join(filter(None, words))}
    return {"line": "rematch", "bot": ""}
