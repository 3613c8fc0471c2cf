"""The standing of a board for its letters: what is at stake, titles, and a next game after the end."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...errors import Sentence
from ...match import Match
from ...match.happenings import Rematched
from ...ratings import practice, rated_games
from ...ratings.fairness import PLAYED, as_told
from ...ratings.fold import Ended, new
from ...ratings.rating import Rating
from ...ratings.rows import Ratings
from ...render.facts import BoardFacts, NextGame
from ...render.ratings import won_in_a_row
from ...store import Tx, User
from ..work.bots import opponents
from ..work.feature import Feature, features
from ..work.work import Work

Rated = dict[str, Any]  # see render.ratings.rating_line
_ANOTHER = NextGame("match")  # if the opponent takes no games any more, or has begun one
_AGAIN = NextGame("rematch")


def of(work: Work, match: Match, reader: str, has_left: bool = False) -> BoardFacts:
    """Return what a letter tells ``reader`` about a new or a finished game; nothing for a puzzle.

    ``reader``: a userid; empty for a watcher. ``has_left``: the opponent leaves the server just now.
    """
    if len(match.seats) == 1:
        return BoardFacts()
    facts = BoardFacts(rating=_rating(work, match, reader))
    if not match.position.over:
        titles = {who: won for who in match.seats if (won := titles_of(work.tx, who))}
        return replace(facts, titles=titles or None)
    if reader:
        return replace(facts, next_game=_ANOTHER if has_left else _next(work, match, reader))
    return facts


def titles_of(tx: Tx, userid: str) -> list[Sentence]:
    """Return a player's titles, as each feature words what the player has won there."""
    return [title for feature in features(Feature.titles) for title in feature.titles(tx, userid)]


def _next(work: Work, match: Match, reader: str) -> NextGame:
    """Return one proposal for a next game.

    It is the next better program after three wins in a row, otherwise the same opponent again. If that
    opponent takes no games any more, or the rematch has begun, it is a search for another one.
    """
    opponent = work.tx.accounts.user(match.opponent(reader))
    if opponent is None or not (opponent.state == "active" or _plays(work, match, opponent)):
        return _ANOTHER
    return _next_better(work, match, reader) or (_ANOTHER if _has_rematch(work, match) else _AGAIN)


def _has_rematch(work: Work, match: Match) -> bool:
    """Return True if the rematch of a game has begun: there is only one."""
    return any(
        isinstance(each.happening, Rematched) and work.tx.boards.get(each.happening.board)
        for each in work.tx.boards.events(match.number)
    )


def _plays(work: Work, match: Match, opponent: User) -> bool:
    """Return True if the opponent is a program that plays such a game again."""
    return opponent.is_program and opponent.userid in opponents(work, match.game)


def _rating(work: Work, match: Match, reader: str) -> Rated:
    """Return the facts of a letter about the ratings of a board's players.

    ``reader``: a userid; empty for a watcher.
    """
    program = match.program
    facts = _ended(work, match, reader, program) if match.position.over else None
    if facts is not None:
        return facts
    why = rated_games.barred(work.tx, match)
    return _unrated(match, why) if why else _at_stake(work, match, reader, program)


def _unrated(match: Match, why: str) -> Rated:
    return {"why": as_told(match, why)}


def _now(work: Work, match: Match, userid: str, program: str) -> Rating:
    """Return a player's rating in the game of a board.

    For a program it is its own rating; for its opponent, the rating in practice.
    """
    word = match.game.word
    measured = practice.of_program(word, userid) if userid == program else None
    tally = work.tx.of(Ratings).of(userid, word, practice=bool(program)) or new(bool(program))
    return measured or tally.as_of(work.now)


def _at_stake(work: Work, match: Match, reader: str, program: str) -> Rated:
    """Return both ratings, and the points that the reader would get by a win and by a loss."""
    ratings = {userid: _now(work, match, userid, program) for userid in match.seats}
    facts: Rated = {
        "program": program,
        "ratings": {who: str(each) for who, each in ratings.items()},
    }
    if reader:
        win, loss = (
            _if(work, match, reader, program, score) - ratings[reader].points
            for score in (1.0, 0.0)
        )
        facts |= {"reader": reader, "win": win, "loss": loss}
    return facts


def _if(work: Work, match: Match, reader: str, program: str, score: float) -> int:
    """Return the points that a player would be shown if the game of a board ended so now."""
    word, rival = match.game.word, match.opponent(reader)
    measured = practice.of_program(word, program)
    ended = Ended(
        board=match.number,
        game=word,
        practice=int(bool(program)),
        measure=measured.rating if measured else 0.0,
        at=work.now,
        first=reader,
        second=rival,
        score=score,
        how=PLAYED,
        barred="",
    )
    return round(work.tx.of(Ratings).foreseen(ended)[reader].rating)


def _ended(work: Work, match: Match, reader: str, program: str) -> Rated | None:
    """Return the ratings after a finished game, or the reason why it was not rated; None if it is unknown."""
    folded = work.tx.of(Ratings).game(match.number)
    if folded is None or folded.why:
        return _unrated(match, folded.why) if folded is not None else None
    steps = work.tx.of(Ratings).steps(match.number)
    after = {who: Rating(*step.tally[:3]) for who, step in steps.items()}
    facts: Rated = {"program": program, "ratings": {who: str(each) for who, each in after.items()}}
    if reader in steps:
        before = work.tx.of(Ratings).before(reader, folded.ended)
        facts |= {"reader": reader, "before": str(before)}
    if program and (measured := practice.of_program(match.game.word, program)):
        facts["ratings"][program] = str(measured)
    return facts


def _next_better(work: Work, match: Match, reader: str) -> NextGame | None:
    """Return a game with the next better program, if a player has won the last three against this one."""
    program = match.program
    if not program or match.winner != reader:
        return None
    past = work.tx.of(Ratings).history(
        reader, match.game.word, practice=True, count=practice.IN_A_ROW
    )
    scores = [each.score if each.opponent == program else 0.0 for each in past]
    better = practice.next_better(match.game.word, program, scores)
    if not better:
        return None
    words = [match.game.word, "challenge", match.game.described(), reader, better]
    return NextGame(" ".join(filter(None, words)), won_in_a_row(program, better), better)
