"""Happenings and requests in sentences: the notices above a board, and the lines of its record."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import assert_never

from ...games.base import PLAYERS
from ...games.placement import Placement
from ...games.spelling import plural
from ...match import (
    CANCEL,
    DRAW,
    REASONS,
    RESIGN,
    UNDO,
    UNREACHED,
    Match,
    Request,
    asked,
)  # fmt: skip
from ...match import happenings as h
from ...match.acts import possible
from ...match.happenings import Happening
from ...match.zones import HERE
from . import choices
from .clock_face import in_days, length, of_time, stood_still
from .transcript import offer

Lines = tuple[str, ...]
_ORDINALS = {2: "Second game", 3: "Third game", 4: "Fourth game", 5: "Fifth game"}


def notices(
    match: Match, happenings: Iterable[Happening], reader: str = "", zone: str = HERE
) -> Lines:
    """Return the notices that tell a reader of the happenings.

    ``match`` is the board after them; times are given in ``zone``.
    """
    lines: list[str] = []
    happenings = tuple(happenings)
    is_answered = any(isinstance(each, h.Answered) for each in happenings)
    for before, each in itertools.pairwise((None, *happenings)):
        assert each is not None
        if isinstance(each, h.Passed) and is_answered:
            continue  # the answer tells it
        if isinstance(each, h.Answered):
            lines.append(_answered(match, each, before, reader))
        elif isinstance(each, h.Timing):
            lines += of_time(match, each, reader, zone)
        elif isinstance(each, h.OfFeature):
            lines += each.sentences(match, zone)
        else:
            lines += _sentences(match, each, reader)
    return tuple(lines)


def _sentences(match: Match, happening: Happening, reader: str) -> Lines:
    """Return the sentences that do not depend on a zone."""
    if isinstance(happening, h.Play):
        return _play(match, happening, reader)
    if isinstance(happening, h.Asking):
        return _asking(match, happening)
    if isinstance(happening, h.Private):
        return _private(match, happening)
    assert isinstance(happening, h.Operated)
    return _operated(match, happening)


# -- the course of a game


def _play(match: Match, happening: h.Play, reader: str) -> Lines:
    match happening:
        case h.Began(userid):
            return _began(match, userid, reader)
        case h.Moved():
            return ()  # the board shows it
        case h.Passed(userid):
            if match.position.over:
                return (f"{userid} passes too: the game is over.",)
            return (f"{userid} passes. {second_pass(match)}",)
        case h.Swapped(userid):
            swaps = f"{userid} swaps, as the second move may do"
            is_heading = reader != userid and match.to_move == reader  # the heading tells the rest
            return (f"{swaps}." if is_heading else f"{swaps}: {_exchanged(match)}",)
        case h.Resigned(userid, is_lost):
            if not is_lost:
                return (f"{userid} resigns.",)
            return (f"{userid} resigns: nothing could stop {match.opponent(userid)} any more.",)
        case h.Left(userid):
            return (f"{userid} has left the server.",)
        case h.Forfeited(userid, None):
            return (f"{userid} forfeits the game.",)
        case h.Forfeited(userid, waited, stood, why):
            assert waited is not None
            so_long = f"{in_days(waited)}{stood_still(stood, why)}"
            return (f"{userid} has not moved for {so_long} and forfeits the game.",)
        case h.Talked(userid):
            return (f"{userid} writes, without a move; the words are below.",)
        case h.Hinted():
            move = match.position.hint()
            known = f"Hint: play {move}. After that it can still be solved."
            unknown = "No solution is known from here. Reply undo to take moves back."
            return (
                f"{known if move else unknown} A game with hints is not listed among the best.",
            )
        case h.Unlisted():
            return ("You asked for hints in this game, so it is not listed among the best.",)
        case h.AsItWas(move):
            return (f"The board as it was after move {move}.",)
        case _:
            assert_never(happening)


def _began(match: Match, challenger: str, reader: str) -> Lines:
    """Return sentences on a new game: its players, its aim, and an example of a first move.

    A stranger's first move comes before the account, and with it perhaps the answer.
    """
    game, is_first = match.game, not match.has_moved(reader)
    if len(match.seats) == 1:
        begun = f"{game.title} is a puzzle for you alone."
    else:
        begun = _met(match, challenger, reader)
        if reader in match.seats and is_first and not match.terms.contest:
            begun += " You can decline it until your first move."
    begins = is_first and match.to_move == reader
    example = f"A first move could be {choices.example(match)}. " if begins else ""
    return begun, game.brief, f"{example}All rules: {game.word} help"


def _met(match: Match, challenger: str, reader: str) -> str:
    """Name the players of a new game, and the one who begins; one may have swapped since."""
    title = match.game.title
    x, o = match.seats
    if reader not in match.seats:
        return f"A new game of {title} has begun. {x} plays X and moves first, {o} plays O."
    other = match.opponent(reader)
    begun = f"{other} has challenged you to a game of {title}."
    if challenger != other:
        begun = f"Your game of {title} against {other} has begun."
    if match.position.swapped:
        return begun  # the seats are exchanged, which another notice tells
    if reader == x:
        return f"{begun} You play X and move first; {o} plays O."
    return f"{begun} {x} plays X and moves first; you play O."


def second_pass(match: Match) -> str:
    """Return the meaning of a second pass in succession, as a sentence."""
    if not match.game.has_points:
        return "A second pass in succession ends the game as a tie."
    x, o = match.score.points
    meaning = (
        f"A second pass in succession ends the game with the score as the board stands, {x}-{o}."
    )
    if match.bounds.settled:
        return meaning
    ends = [f"{who} could still have {low} to {high}" for who, low, high in match.ends]
    return f"{meaning} The board is not settled: {', '.join(ends)}."


def _exchanged(match: Match) -> str:
    """Name the seats after a swap.

    In a game where stones are placed there is one stone, even if a plan has added more since.
    """
    x, o = (match.players[player] for player in PLAYERS)
    return f"{x} plays X now and owns the {owned_stones(match)}, {o} plays O."


def owned_stones(match: Match) -> str:
    """Return the noun for what a swap hands over: games without placement begin with several stones."""
    return "stone" if isinstance(match.game, Placement) else "stones"


def _proof(match: Match, winner: str) -> str:
    """Return the result that the board proves, with the bounds if the game has points."""
    still = f", with {possible(match)} points still possible" if match.game.has_points else ""
    if winner:
        return f"However it went on, {winner} would win{still}: {winner} gets the point."
    if match.game.has_points and match.bounds.is_certain:
        return f"However it went on, it would be a tie{still}: each gets half a point."
    return f"Both could still win{still}: each gets half a point."


def _operated(match: Match, happening: h.Operated) -> Lines:
    match happening:
        case h.Removed():
            return ("The operator has removed this board.",)
        case h.Reset(due):
            where = "to the empty board" if due == 1 else f"to before move {due}"
            return (f"The operator has put this board back {where}.",)
        case h.Judged(winner, contest):
            return (f"{contest} is over, so this game is judged. {_proof(match, winner)}",)
        case h.Unreachable(userid):
            return (
                f"Mails to {userid} come back, so none are sent for now. {userid} will be asked to "
                "confirm the address at the next mail that comes from there.",
            )
        case _:
            assert_never(happening)


# -- requests between players


def waiting(match: Match) -> str:
    """Return the request that waits for an answer, as a sentence; empty if there is none."""
    request = match.request
    if request is None:
        return ""
    asked = match.opponent(request.userid)
    if request.kind == UNREACHED:
        return (
            f"{request.userid} cannot be reached; {asked} may end the game without result: cancel."
        )
    return f"{_wish(match, request)}; {asked} may accept or decline."


def asked_of(match: Match, reader: str) -> str:
    """Return the opponent's request to that reader, as a sentence; empty if there is none."""
    request = asked(match, reader) if reader in match.seats else None
    if request is None:
        return ""
    who = request.userid
    if request.kind == UNDO:
        # The asker's last move, and the answer to it.
        own, *answer = request.moves
        first = _moves([own], match.turn - sum(move != "swap" for move in request.moves))
        yours = f"{first} and your answer {answer[0]}" if answer else first.rstrip(",")
        return f"{who} would like to take back {yours}."
    if request.kind == CANCEL:
        return f"{who} would like to end the game without result."
    if request.points is None:
        return f"{who} offers a draw."
    ends = zip(match.players.values(), request.points, strict=True)
    return f"{who} proposes to end the game: {', '.join(f'{each} {n}' for each, n in ends)}."


def _wish(match: Match, request: Request) -> str:
    """Return a request in words, its moves with their numbers."""
    verb = "asks" if request.kind in (UNDO, CANCEL) else "proposes"
    return f"{request.userid} {verb} to {_deed(match, request)}"


def _deed(match: Match, request: Request) -> str:
    """Return what a request asks for, as an infinitive."""
    if request.kind == UNDO:
        first = match.turn - sum(move != "swap" for move in request.moves)
        return f"take back {_moves(request.moves, first).rstrip(',')}"
    if request.kind in (CANCEL, UNREACHED):
        return "end the game without result"
    end = "as" if request.kind == DRAW else "with"
    return f"end the game {end} {_offer(request.points)}"


def _moves(moves: Sequence[str], first: int) -> str:
    """Return moves with their numbers: ``move 8, F6, and move 9, G7,``."""
    numbers = itertools.count(first)
    words = ["the swap" if m == "swap" else f"move {next(numbers)}, {m}," for m in moves]
    return " and ".join(words)


def _offer(points: tuple[int, int] | None) -> str:
    """Return the end that is proposed: a score, or a draw."""
    offered = offer(points)
    return offered if points is None else f"the score {offered}, X's points first"


def _asking(match: Match, happening: h.Asking) -> Lines:
    match happening:
        case h.Proposed():
            return (f"{_wish(match, happening.request)}.",)
        case h.Agreed(userid, points):
            return (f"{userid} accepts {_offer(points)}.",)
        case h.Refused(userid, reason, kind, data):
            asked = f" to {_deed(match, Request(kind, '', data, 0.0))}" if kind else ""
            return (f"{userid} declines{asked}{_why(reason)}.",)
        case h.Lapsed(userid, asker):
            if userid == asker:
                return (f"{asker}'s request lapsed when {asker} moved.",)
            return (f"{userid} moved instead of answering, so {asker}'s request has lapsed.",)
        case h.TakenBack(userid, moves):
            return (_taken_back(match, userid, moves),)
        case h.Retracted(userid, move):
            words = _moves([move], match.turn).rstrip(",")
            return (f"{userid} takes back {words}, as undo is free in this game.",)
        case h.Declined(userid, ""):
            return (f"{userid} declines the game; the board is removed.",)
        case h.Declined(userid, reason):
            return (f"{userid} declines the game{_why(reason)}. The board is removed.",)
        case h.Unreached(userid, days):
            return (
                f"{userid} is to move, and for {in_days(days)} no mail has got through to {userid}, "
                "not even the last warning, without which no game is forfeited.",
                "You may end the game without result: cancel. Or wait: if the address works again, "
                "the warning is sent again.",
            )
        case _:
            return _ended(match, happening)


def _ended(match: Match, happening: h.Leading) -> Lines:
    """Tell of a game that a player's word has ended, or that goes on as another one."""
    match happening:
        case h.Cancelled(userid, ""):
            return (f"{userid} agrees to end the game without result.",)
        case h.Cancelled(userid, unreached):
            return (
                f"{userid} ends the game without result, since {unreached} could not be reached.",
            )
        case h.Abandoned(userid, days):
            return (
                f"{userid} ends the game without result: it has no time limit, and nobody has moved "
                f"for {plural(days, 'day')}.",
            )
        case h.Claimed(userid, is_settled):
            if is_settled:
                why = "the game is settled: no stone could change the score any more."
                return (f"{userid} ends the game; {why}",)
            return (
                f"{userid} claims the win: the game was decided, and no move could have changed that.",
            )
        case h.Withdrawn(userid, left):
            did = "has left the server" if left else "has given up all games"
            return (f"{userid} {did}. This game had not begun; the board is removed.",)
        case h.Rematch(_, board, games, won):
            number = _ORDINALS.get(games + 1, f"Game {games + 1}")
            each = zip(match.seats[::-1], won[::-1], strict=True)  # the seats of the game before
            stand = ", ".join(f"{userid} {count}" for userid, count in each)
            return (f"{number} of a series, after board {board}: {stand}.",)
        case h.Countered(userid, board, options):
            return (
                f"{userid} suggests another game: {options}. Board {match.number} replaces board "
                f"{board}. {match.opponent(userid)} accepts it with a first move, or declines it.",
            )
        case _:
            assert_never(happening)


def _why(reason: str) -> str:
    return f": {REASONS[reason]}" if reason else ""


def _taken_back(match: Match, userid: str, moves: Sequence[str]) -> str:
    words = _moves(moves, match.turn)
    if len(match.seats) == 1:
        end = ""
    else:
        end = f" by {userid}" if match.to_move == userid else f", since {userid} agrees"
    were = "were" if len(moves) > 1 else "was"
    return f"{words[0].upper()}{words[1:]} {were} taken back{end}."


# -- plans and notes


def _answered(match: Match, happening: h.Answered, before: Happening | None, reader: str) -> str:
    """Tell of a move by plan; its player is also told the move that it answers."""
    how = {"pass": "with a pass", "swap": "with a swap", RESIGN: "that you resign"}
    userid, move = happening.userid, happening.move
    if userid != reader:
        if move == RESIGN:
            return f"{userid} resigns at once."
        return f"{userid} answers {how.get(move, move)} at once." + _meaning(match, move)
    played = ""
    match before:
        case h.Passed(opponent):
            played = f"{opponent} passes. "
        case h.Moved(opponent, answered):
            played = f"{opponent} plays {answered}. "
    return f"{played}Your plan answers {how.get(move, move)}." + _meaning(match, move)


def _meaning(match: Match, move: str) -> str:
    """Tell of the outcome of a planned pass or swap."""
    if move == "swap":
        return f" {_exchanged(match)}"
    if move == "pass" and match.position.over:
        return " The game is over."
    return f" {second_pass(match)}" if move == "pass" and match.record[-1].move == "pass" else ""


def _private(match: Match, happening: h.Private) -> Lines:
    opponent = match.opponent(happening.userid)
    match happening:
        case h.PlanKept(_, ()):
            return ("You have no plan on this board.", *_how(match, opponent))
        case h.PlanKept(_, lines):
            return (
                f"Your plan is saved. It will be played the moment {opponent} moves, and {opponent} "
                "won't see it before. To cancel it, reply: plan none",
                *(f"  {line}" for line in lines),
            )
        case h.PlanPasses():
            return (f"If {opponent} passes and your plan passes too, the game is over.",)
        case h.PlanDropped():
            return ("Your plan is dropped.",)
        case h.PlanRefused(_, why):
            return (f"Your move is played. {why}",)
        case h.PlanSilent(_, move):
            return (f"Your plan had no answer to {opponent}'s {move}, so it was dropped.",)
        case h.PlanFailed(_, answer, why):
            return (f"Your plan's answer was not played. {answer}: {why} The plan was dropped.",)
        case h.PlanSetAside(_, request):
            return (
                f"{opponent} asks you something ({request}), so your plan was not played. It was "
                "dropped.",
            )
        case h.NoteKept(_, None):
            return ("Your note is kept.",)
        case h.NoteKept(_, most):
            return (f"Your note is kept. At most {most} are, so the oldest one is gone.",)
        case h.NotesGone():
            return ("You have no notes on this board any more.",)
        case h.TakenForWords(_, like):
            went = f"It is {opponent}'s turn, so your mail went to {opponent} as words."
            return (went, _TO_DO[like]) if like in _TO_DO else (went,)
    raise TypeError(happening)


_TO_DO = {
    "resign": "To resign, reply resign.",
    "draw": "To offer a draw, reply draw.",
    "letters": "To get fewer letters, reply letters daily.",
}


def _how(match: Match, opponent: str) -> Lines:
    """Show the form of a plan for the opponent's move, with moves that could be made."""
    if match.to_move != opponent:
        return ()
    move = choices.example(match)
    after = match.position.play(move)
    if after.over:
        return ()
    return (
        f"To make one, reply with your planned answer, for example: if {move} then "
        f"{next(after.moves())}. More: help plans",
    )


# -- the record


def recorded(happening: Happening) -> str:
    """Return the line of the record for a happening that is no move.

    It is empty if the line would say what the lines around it say, or what the opponent is not told.
    """
    match happening:
        case h.Proposed(userid, kind):
            request = happening.request
            if kind == UNDO:
                return f"{userid} asks to take back {' and '.join(request.moves)}"
            if kind == CANCEL:
                return f"{userid} asks to end the game without result"
            return f"{userid} proposes {offer(request.points)}"
        case h.Refused(userid, reason):
            return f"{userid} declines{_why(reason)}"
        case h.TakenBack(_, moves):
            return f"({' and '.join(moves)} taken back)"
        case h.Retracted(_, move):
            return f"({move} taken back)"
        case h.Extended(userid, seconds):
            return f"{userid} gives {length(seconds)} more"
        case h.Hinted(userid):
            return f"{userid} asks for a hint"
        case h.Reset(due):
            return f"the operator puts the board back to before move {due}"
        case h.Unreached(userid):
            return f"no letter gets through to {userid}"
        case h.Countered(userid):
            return f"{userid} suggested this game instead"
        case h.Rematch(_, board):
            return f"follows board {board}"
        case h.Rematched(_, board):
            return f"followed by board {board}"
        case h.OfFeature():
            return happening.line
        case h.Muted() | h.BanksSet():
            return ""
        case other:
            raise TypeError(other)
