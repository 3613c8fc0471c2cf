"""The standing of a board's players for its letters: ratings, titles, and a next game after the end."""

from __future__ import annotations

from typing import Any

from ...contest import practice
from ...contest.fairness import PLAYED
from ...contest.fold import Ended, new
from ...contest.rating import Rating
from ...features.feature import features
from ...match import Match
from ...store import Tx
from ..work import rated
from ..work.work import Work

Facts = dict[str, Any]  # see render.board.contest_sentences
_ANOTHER = {"line": "match", "bot": ""}  # the next game if the opponent takes no games any more


def of(work: Work, match: Match, reader: str, has_left: bool = False) -> Facts:
    """Return the facts of a letter that tells ``reader`` about a new or a finished game; none for a puzzle.

    ``reader``: a userid; empty for a watcher. ``has_left``: the opponent leaves the server just now.
    """
    if len(match.seats) == 1:
        return {}
    bot = match.bot
    facts = _ended(work, match, reader, bot) if match.position.over else None
    if facts is None:
        why = rated.barred(work.tx, match)
        facts = {"why": why} if why else _at_stake(work, match, reader, bot)
    over = match.position.over
    follows = _next(work, match, reader, bot) if reader and over else None
    follows = _ANOTHER if follows and has_left else follows
    titles = {} if over else {who: won for who in match.seats if (won := titles_of(work.tx, who))}
    return {"rating": {**facts, "next": follows}, "titles": titles}


def titles_of(tx: Tx, userid: str) -> list[str]:
    """Return a player's titles, such as ``champion of Star league 3`` or ``first of the Hex ladder``."""
    return [title for feature in features() for title in feature.titles(tx, userid)]


def _now(work: Work, match: Match, userid: str, bot: str) -> Rating:
    """Return a player's rating in the game of a board.

    For a bot it is the bot's own rating; for its opponent, the rating in practice.
    """
    word = match.game.word
    measured = practice.of_bot(word, userid) if userid == bot else None
    tally = work.tx.ratings.of(userid, word, practice=bool(bot)) or new(bool(bot))
    return measured or tally.as_of(work.now)


def _at_stake(work: Work, match: Match, reader: str, bot: str) -> Facts:
    """Return both ratings, and the points that the reader would get by a win and by a loss."""
    ratings = {userid: _now(work, match, userid, bot) for userid in match.seats}
    facts: Facts = {"bot": bot, "ratings": {who: str(each) for who, each in ratings.items()}}
    if reader:
        win, loss = (
            _if(work, match, reader, bot, score) - ratings[reader].points for score in (1.0, 0.0)
        )
        facts |= {"reader": reader, "win": win, "loss": loss}
    return facts


def _if(work: Work, match: Match, reader: str, bot: str, score: float) -> int:
    """Return the points that a player would be shown if the game of a board ended so now."""
    word, rival = match.game.word, match.opponent(reader)
    measured = practice.of_bot(word, bot)
    ended = Ended(
        board=match.number,
        game=word,
        practice=int(bool(bot)),
        measure=measured.rating if measured else 0.0,
        at=work.now,
        first=reader,
        second=rival,
        score=score,
        how=PLAYED,
        barred="",
    )
    return round(work.tx.ratings.foreseen(ended)[reader].rating)


def _ended(work: Work, match: Match, reader: str, bot: str) -> Facts | None:
    """Return the ratings after a finished game, or the reason why it was not rated; None if it is unknown."""
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


def _next(work: Work, match: Match, reader: str, bot: str) -> Facts:
    """Return one proposal for a next game.

    It is the next bot after three wins in a row, otherwise the same opponent again. If that opponent takes
    no games any more, it is a search for another one.
    """
    opponent = work.tx.accounts.user(match.opponent(reader))
    takes = ("active", *(["bot"] if work.context.config.bots else []))
    if opponent is None or opponent.state not in takes:
        return _ANOTHER
    if bot and match.winner == reader:
        past = work.tx.ratings.history(
            reader, match.game.word, practice=True, count=practice.IN_A_ROW
        )
        scores = [each.score if each.opponent == bot else 0.0 for each in past]
        if better := practice.next_bot(match.game.word, bot, scores):
            words = [match.game.word, "challenge", match.game.described(), reader, better]
            return {"bot": better, "beaten": bot, "line": " ".join(filter(None, words))}
    return {"line": "rematch", "bot": ""}
