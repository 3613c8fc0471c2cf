"""The choices of a player on a board now: commands to be sent, and words that a reply may begin with."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, islice

from ...games.grids import EMPTY
from ...games.placement import Placement
from ...match import CANCEL, CLAIM, DRAW, RESIGN, SCORE, UNDO, UNREACHED, Match, manners
from ...store import BOTS


def commands(match: Match, userid: str) -> tuple[str, ...]:
    """Return command lines for that player to fill in and send; ``""`` is a reader who only looks on."""
    word, number = match.game.word, match.number
    return (
        *(_own_commands(match, userid) if userid else ()),
        f"{word} show {number}",
        f"{word} help",
    )


def reply_words(match: Match, userid: str, reviews: bool) -> tuple[str, ...]:
    """Return the words, except a move, that a reply of that player may begin with, most needed first.

    ``reviews``: this server reviews games. A reader who looks at the board as it was, ``""``, can only
    ask and say something.
    """
    talk = [] if len(match.seats) == 1 or _is_with_bot(match) else ["say"]
    if not userid:
        return (*talk, *ASIDE)
    if match.position.over:
        review = ["review"] if reviews and manners.reviewed(match) else []
        return (
            *_answers(match, userid), "rematch", *review, *talk, *_undo(match, userid), *ASIDE,
        )  # fmt: skip
    if len(match.seats) == 1:
        return ("hint", *_undo(match, userid), *ASIDE, RESIGN)
    is_due = match.to_move == userid
    words = [*_answers(match, userid), *_claim(match, userid)]
    words += [*(_moves_besides(match) if is_due else []), *talk, *_undo(match, userid)]
    if not is_due and not _is_with_bot(match):
        words.append("plan")
    if offer := _to_propose(match, userid):
        words.append(f"propose {offer}")
    if not (match.has_moved(userid) or match.terms.contest or "decline" in words):
        words.append("decline")
    return (*words, *([f"{TRY} {example(match)}"] if is_due else []), *ASIDE, RESIGN)


ASIDE = ("score", "show", "help")  # words that change nothing
TRY = "try"


def _is_with_bot(match: Match) -> bool:
    """Return True if one of the players is a bot: it reads no words, and answers before a plan could."""
    return any(userid in BOTS for userid in match.seats)


def _own_commands(match: Match, userid: str) -> list[str]:
    """Return the commands that only a player of the board can send."""
    word = match.game.word
    seat = f"{match.number} {userid} password"
    undo = [f"{word} {verb} {seat}" for verb in _undo(match, userid)]
    answers = [f"{word} {verb} {seat}" for verb in _answers(match, userid)]
    if match.position.over:
        return [*answers, f"{word} rematch {seat}", *undo]
    lines = []
    if match.to_move == userid:
        moves = [example(match), *_moves_besides(match)]
        lines += [f"{word} move {seat} {move}#{match.turn}" for move in moves]
    if len(match.seats) == 1:
        return [*lines, *undo, f"{word} hint {seat}", f"{word} resign {seat}"]
    lines += [*answers, *(f"{word} {verb} {seat}" for verb in _claim(match, userid))]
    if offer := _to_propose(match, userid):
        lines.append(f"{word} propose {seat} {offer}")
    lines += [*undo, f"{word} resign {seat}"]
    if not (match.has_moved(userid) or answers or match.terms.contest):
        other_seat = "o" if match.player(userid) == "X" else "x"
        lines += [f"{word} decline {seat}", f"{word} counter {seat} -seat={other_seat}"]
    return lines


def _moves_besides(match: Match) -> list[str]:
    """Return the moves of the player to move that are no stones: pass and swap, where they are allowed."""
    swap = ["swap"] if match.position.swappable else []
    return ["pass", *swap] if match.game.has_pass else swap


def _answers(match: Match, userid: str) -> list[str]:
    """Return the verbs that answer a request to that player; none if there is no request."""
    request = match.request
    if request is None or request.userid == userid:
        return []
    return [CANCEL] if request.kind == UNREACHED else ["accept", "decline"]


def _undo(match: Match, userid: str) -> list[str]:
    """Return the verb that takes back a move, or asks for it, if there is a move to take back."""
    may_not = match.terms.undo == "no" or (len(match.seats) > 1 and match.request is not None)
    return [UNDO] if match.to_take_back(userid) and not may_not else []


def _claim(match: Match, userid: str) -> list[str]:
    """Return the verb that ends a game with the result that the board proves, if it proves one."""
    return [CLAIM] if match.can_claim(userid) else []


def _to_propose(match: Match, userid: str) -> str:
    """Return an end that a player has reason to propose, ``11-10`` or ``draw``; empty if there is none.

    Without passes only the players' word, or a position that comes again, makes a draw. The score
    is the settled one, or that of a reading; in a game that is decided but not settled it is the
    winner's guaranteed score.
    """
    bounds = match.bounds
    if match.request or match.can_claim(userid):
        return ""
    if not match.game.has_points:
        return "" if match.game.has_pass else DRAW
    if match.reading and not bounds.settled:
        x, o = match.reading.points
    elif bounds.decided or bounds.settled:
        x, o = (bounds.best if bounds.decided == "O" else bounds.worst).points
    else:
        return ""
    return f"{x}-{o}"


def asks(words: Sequence[str]) -> str:
    """Return the verb of a command, or of a reply's words; with ``propose``, also the kind of proposal."""
    if words[0] != "propose":
        return words[0]
    return proposal(DRAW if words[-1] == DRAW else SCORE)


def proposal(kind: str) -> str:
    """Return the form in which ``asks`` names a request of that kind."""
    return kind if kind == UNDO else f"propose {kind}"


def example(match: Match) -> str:
    """Return a move that could be made now, as an example of the notation."""
    if not isinstance(match.game, Placement):
        return next(match.position.moves())
    due = 1 if match.game.one_stone or not match.position.played else 2
    names, stones = match.game.grid.names, match.position.stones
    middle = len(stones) // 2
    cells = chain(range(middle, len(stones)), range(middle))
    return " ".join(islice((names[cell] for cell in cells if stones[cell] == EMPTY), due))
