"""Happenings and requests in sentences: the notices above a board, and the lines of its record."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import assert_never

from ...errors import NOTHING, Sentence, say, together
from ...games.base import PLAYERS, game_over
from ...games.placement import Placement
from ...match import (
    CANCEL,
    DRAW,
    REASONS,
    RESIGN,
    SCORE,
    UNDO,
    UNREACHED,
    Match,
    Request,
    asked,
)  # fmt: skip
from ...match import happenings as h
from ...match.acts import possible
from ...match.bots import BotPlayed
from ...match.dates import HERE
from ...match.happenings import Happening
from ...match.terms import USUAL, unrated
from . import choices
from .clock_face import in_days, length, of_time, so_long
from .transcript import offer, played_by

Lines = tuple[Sentence, ...]
_SERIES = {
    2: say(
        "This is the second game of a series (the previous one was board {board}). "
        "The score so far: {score}."
    ),
    3: say(
        "This is the third game of a series (the previous one was board {board}). The"
        " score so far: {score}."
    ),
    4: say(
        "This is the fourth game of a series (the previous one was board {board}). "
        "The score so far: {score}."
    ),
    5: say(
        "This is the fifth game of a series (the previous one was board {board}). The"
        " score so far: {score}."
    ),
}
_FURTHER = say(
    "This is game {number} of a series (the previous one was board {board}). The "
    "score so far: {score}."
)


def notices(
    match: Match, happenings: Iterable[Happening], reader: str = "", zone: str = HERE
) -> Lines:
    """Return the notices that tell a reader of the happenings, each of one or more sentences.

    ``match`` is the board after them; times are given in ``zone``.
    """
    lines: list[Sentence] = []
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
        elif isinstance(each, BotPlayed):
            if played := [played_by(entry) for entry in each.told(match)]:
                lines.append(together(*played))
        elif (own := _own(match, each, reader)) is not None:
            lines += filter(None, (own,))
        elif isinstance(each, h.Itself):
            lines += each.sentences(match, zone, reader)
        else:
            lines += _sentences(match, each, reader)
    return tuple(lines)


def _own(match: Match, happening: Happening, reader: str) -> Sentence | None:
    """Tell a reader of what they did themselves; None if it's told as to everyone."""
    match happening:
        case h.Lapsed(userid, asker) if reader == asker != userid:
            return say(
                "{userid} moved instead of answering, so your request no longer counts.",
                userid=userid,
            )
        case h.ByPlayer(userid) if userid != reader:
            return None
        case h.Swapped():
            return NOTHING  # the heading tells it
        case h.Resigned(_, False):
            return say("You resigned.")
        case h.Resigned():
            return say("You resigned: {winner} was certain to win.", winner=match.opponent(reader))
        case h.Forfeited(_, None):
            return say("You lost on time.")
        case h.Forfeited(_, waited, stood, why):
            assert waited is not None
            return say(
                "You haven't moved in {days}, so you lost on time.",
                days=so_long(waited, stood, why),
            )
        case h.Agreed(_, points):
            return say("You accepted {offer}.", offer=_offer(points))
        case h.Refused(_, reason):
            other = match.opponent(reader)
            return _with_reason(say("You declined {userid}'s request", userid=other), reason)
        case h.Lapsed(_, asker) if reader == asker:
            return say("You've moved, so your request no longer counts.")
        case h.Lapsed(_, asker):
            return say(
                "You moved instead of answering, so {asker}'s request no longer counts.",
                asker=asker,
            )
        case h.Retracted(_, move):
            return say("You took back {move}.", move=_numbered([move], match.turn))
        case h.TakenBack(_, moves) if len(match.seats) > 1 and match.to_move != reader:
            return say("You agreed to take back {moves}.", moves=_numbered(moves, match.turn))
        case h.Declined(_, reason):
            declined = _with_reason(say("You declined the game"), reason)
            return together(declined, say("We've removed the board."))
        case h.Cancelled(_, ""):
            return say("You agreed to end the game without a result.")
        case h.Cancelled(_, unreached):
            return say(
                "You ended the game without a result, because we couldn't reach {unreached}.",
                unreached=unreached,
            )
        case h.Abandoned(_, days):
            return say(
                "You ended the game without a result. It had no time limit, and nobody had moved "
                "for {days}.",
                days=in_days(days),
            )
        case h.Claimed(_, True):
            return say("You ended the game because no move could change the score anymore.")
        case h.Claimed():
            return say("You claimed the win. No move could have changed the result.")
        case _:
            return None


def _sentences(match: Match, happening: Happening, reader: str) -> Lines:
    """Return the sentences that do not depend on a zone."""
    if isinstance(happening, h.Play):
        return _play(match, happening, reader)
    if isinstance(happening, h.Asking):
        return _asking(match, happening, reader)
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
            if match.position.over and reader == userid:
                return (say("You passed too, so the game is over."),)
            if match.position.over:
                return (say("{userid} passed too, so the game is over.", userid=userid),)
            return (together(say("{userid} passes.", userid=userid), second_pass(match)),)
        case h.Swapped(userid):
            swaps = say("{userid} swaps instead of making the second move:", userid=userid)
            return (together(swaps, _exchanged(match)),)
        case h.Resigned(userid, is_lost):
            if not is_lost:
                return (say("{userid} resigns.", userid=userid),)
            return (
                say(
                    "{userid} resigns: {winner} was certain to win.",
                    userid=userid,
                    winner=match.opponent(userid),
                ),
            )
        case h.Left(userid):
            return (say("{userid} has left the server.", userid=userid),)
        case h.Forfeited(userid, None):
            return (say("{userid} loses on time.", userid=userid),)
        case h.Forfeited(userid, waited, stood, why):
            assert waited is not None
            return (
                say(
                    "{userid} hasn't moved in {days} and loses on time.",
                    userid=userid,
                    days=so_long(waited, stood, why),
                ),
            )
        case h.Talked(userid):
            return (
                say(
                    "{userid} has sent a message without a move. You can read it below.",
                    userid=userid,
                ),
            )
        case h.Hinted():
            counts = say("Games with hints don't count toward the best results.")
            if move := match.position.hint():
                return (together(match.game.hinted.given(move=move), counts),)
            return (together(match.game.unhinted, counts, say("To take back a move, reply: undo")),)
        case h.Unlisted():
            return (
                say(
                    "You asked for hints in this game, so it doesn't count toward the best results."
                ),
            )
        case h.AsItWas(move):
            return (say("This is the board after move {move}.", move=move),)
        case _:
            assert_never(happening)


def _began(match: Match, challenger: str, reader: str) -> Lines:
    """Return sentences on a new game: its players, its aim, and an example of a first move.

    A stranger's first move comes before the account, and with it perhaps the answer. Who has joined a contest
    knows its game, so there the rules in brief are left out.
    """
    game, is_first = match.game, not match.has_moved(reader)
    if len(match.seats) == 1:
        begun = say("{game} is a puzzle, so you play alone.", game=game.title)
    else:
        begun = _met(match, challenger, reader)
        if reader in match.seats and is_first and not match.terms.contest:
            begun = together(begun, say("You can decline the game until you make your first move."))
    rules = say("For all the rules: {command}", command=f"{game.word} help")
    if is_first and match.to_move == reader:
        form = say("Your first move could be {move}.")
        if match.terms.setup:
            form = say("Your next move could be {move}.")
        first = form.given(move=choices.example(match))
        rules = together(first, rules)
    brief = NOTHING if match.terms.contest else game.brief
    return tuple(filter(None, (begun, brief, _terms(match), rules)))


_TERMS = {  # those that are not usual, in their order
    ("undo", "no"): say("You can't take back moves."),
    ("undo", "free"): say("You can take back your last move without asking."),
    ("leave", False): say("The clocks don't stop while a player is on leave."),
    ("claim", False): say("The game continues to the end, even after the winner is certain."),
    ("private", True): say("Only the two of you can see this game."),
}


def _terms(match: Match) -> Sentence:
    """Return the terms of a game for two that are not usual, as sentences."""
    terms, pace = match.terms, match.terms.pace
    told = []
    if len(match.seats) > 1 and pace is None and not terms.contest:  # a contest says when it ends
        told.append(say("There's no time limit."))
    elif pace is not None and pace.increment is not None:
        bank, more = length(pace.bank), length(pace.increment)
        told.append(
            say(
                "You each start with {time} and get {more} more after each move.",
                time=bank,
                more=more,
            )
        )
    elif pace is not None and terms.time != USUAL.time:
        told.append(say("You each have {time} per move.", time=length(pace.bank)))
    if terms.weekends:
        told.append(say("The clocks stop on weekends."))
    told += [
        said
        for (name, value), said in _TERMS.items()
        if getattr(terms, name) == value and not (name == "private" and unrated(terms.contest))
    ]
    return together(*told)


def _met(match: Match, challenger: str, reader: str) -> Sentence:
    """Name the players of a new game, and the one who begins; one may have swapped since."""
    title = match.game.title
    x, o = match.seats
    if reader not in match.seats:
        seats = say("{x} plays X and moves first. {o} plays O.", x=x, o=o)
        return together(
            say("A new game of {game} has started.", game=title),
            _taken_up(match) if match.terms.setup else seats,
        )
    other = match.opponent(reader)
    if challenger == other:
        begun = say("{other} has challenged you to a game of {game}.", other=other, game=title)
    else:
        begun = say("Your game of {game} against {other} has started.", game=title, other=other)
    if match.terms.setup:
        return together(begun, _taken_up(match))
    if match.position.swapped:
        return begun  # the seats are exchanged, which another notice tells
    if reader == x:
        return together(begun, say("You play X and move first. {o} plays O.", o=o))
    return together(begun, say("{x} plays X and moves first. You play O.", x=x))


def _taken_up(match: Match) -> Sentence:
    """Name the seats of a game that goes on from a position; the first line says who is to move."""
    x, o = (match.players[player] for player in PLAYERS)
    return say("{x} plays X, and {o} plays O.", x=x, o=o)


def second_pass(match: Match) -> Sentence:
    """Return the meaning of a second pass in succession, as a sentence."""
    if not match.game.has_points:
        return say("If the next player passes too, the game ends in a tie.")
    x, o = match.score.points
    meaning = say(
        "If the next player passes too, the game ends with the current score, {score}.",
        score=f"{x}-{o}",
    )
    if match.bounds.settled:
        return meaning
    ends = [
        say("{who} could end up with {low} to {high}", who=who, low=low, high=high)
        for who, low, high in match.ends
    ]
    still = say("That score could still change: {scores}.", scores=together(*ends, by=", "))
    return together(meaning, still)


def _exchanged(match: Match) -> Sentence:
    """Name the seats after a swap."""
    x, o = (match.players[player] for player in PLAYERS)
    if has_one_stone(match):
        return say("{x} takes over the stone and plays X, and {o} plays O.", x=x, o=o)
    return say("{x} takes over the stones and plays X, and {o} plays O.", x=x, o=o)


def has_one_stone(match: Match) -> bool:
    """Tell if a swap hands over one stone: games without placement begin with several stones.

    In a game where stones are placed there is one stone, even if a plan has added more since.
    """
    return isinstance(match.game, Placement)


def _proof(match: Match, winner: str) -> Sentence:
    """Return the result that the board proves, with the bounds if the game has points."""
    if not match.game.has_points:
        if not winner:
            return say("Either player could still have won, so each of them gets half a point.")
        return say("{winner} was certain to win, so {winner} gets the point.", winner=winner)
    scores = possible(match)
    if winner:
        return say(
            "{winner} was certain to win ({scores}), so {winner} gets the point.",
            winner=winner,
            scores=scores,
        )
    if match.bounds.is_certain:
        return say(
            "A tie was certain ({scores}), so each player gets half a point.",
            scores=scores,
        )
    return say(
        "Either player could still have won ({scores}), so each of them gets half a point.",
        scores=scores,
    )


def _operated(match: Match, happening: h.Operated) -> Lines:
    match happening:
        case h.Removed():
            return (say("The operator has removed this board."),)
        case h.Reset(1):
            return (say("The operator has taken this board back to the start."),)
        case h.Reset(due):
            return (
                say(
                    "The operator has taken this board back to where it was before move {move}.",
                    move=due,
                ),
            )
        case h.Judged(winner, contest):
            judged = say(
                "{contest} is over, so we've decided the result of this game.", contest=contest
            )
            return (together(judged, _proof(match, winner)),)
        case h.Unreachable(userid):
            return (
                say(
                    "Our letters to {userid} keep coming back, so we've stopped "
                    "sending them. When {userid} writes again, we'll check the "
                    "address first.",
                    userid=userid,
                ),
            )
        case _:
            assert_never(happening)


# -- requests between players


def waiting(match: Match, reader: str) -> Sentence:
    """Return the request that waits for an answer, as a sentence; empty if there is none."""
    request = match.request
    if request is None:
        return NOTHING
    other = match.opponent(request.userid)
    if request.kind != UNREACHED:
        wish = _wish(match, request, reader)
        return say("{wish}. {other} hasn't answered yet.", wish=wish, other=other)
    if reader == other:
        return say(
            "We can't reach {userid}. To end the game without a result, reply: cancel",
            userid=request.userid,
        )
    return say(
        "We can't reach {userid}, so {other} can end the game without a result.",
        userid=request.userid,
        other=other,
    )


def asked_of(match: Match, reader: str) -> Sentence:
    """Return the opponent's request to that reader, as a sentence; empty if there is none."""
    request = asked(match, reader) if reader in match.seats else None
    if request is None:
        return NOTHING
    who = request.userid
    if request.kind == UNDO:
        # The asker's last move, and the answer to it.
        own, *answer = request.moves
        number = _number(match, request)
        moves = _named(own, number, _LAST)
        if answer:
            yours = say("your answer {move}", move=answer[0])
            moves = say("{first} and {last}", first=_named(own, number, _INNER), last=yours)
        return say("{who} would like to take back {moves}.", who=who, moves=moves)
    if request.kind == CANCEL:
        return say("{who} would like to end the game without a result.", who=who)
    if request.points is None:
        return say("{who} offers a draw.", who=who)
    ends = zip(match.players.values(), request.points, strict=True)
    score = ", ".join(f"{each} {n}" for each, n in ends)
    return say("{who} proposes to end the game with this score: {score}.", who=who, score=score)


def _wish(match: Match, request: Request, reader: str) -> Sentence:
    """Return a request, its moves with their numbers, as a sentence without its end."""
    form = _WISHES[request.kind][request.userid == reader]
    if request.kind == UNDO:
        return form.given(userid=request.userid, moves=_asked_back(match, request))
    return form.given(userid=request.userid, score=_offer(request.points))


# By the kind of the request, and whether the reader has made it.
_WISHES = {
    UNDO: (
        say("{userid} asks to take back {moves}"),
        say("You've asked to take back {moves}"),
    ),
    CANCEL: (
        say("{userid} asks to end the game without a result"),
        say("You've asked to end the game without a result"),
    ),
    DRAW: (say("{userid} offers a draw"), say("You've offered a draw")),
    SCORE: (
        say("{userid} proposes to end the game with {score}"),
        say("You've proposed to end the game with {score}"),
    ),
}


def _refused(match: Match, userid: str, request: Request) -> Sentence:
    """Return the same for a request that ``userid`` has declined."""
    if request.kind == UNDO:
        moves = _asked_back(match, request)
        return say("{userid} doesn't want to take back {moves}", userid=userid, moves=moves)
    if request.kind in (CANCEL, UNREACHED):
        return say("{userid} doesn't want to end the game without a result", userid=userid)
    if request.kind == DRAW:
        return say("{userid} declines the draw", userid=userid)
    score = _offer(request.points)
    return say("{userid} doesn't want to end the game with {score}", userid=userid, score=score)


# A move at the end of a clause, and before the rest of one.
_LAST, _INNER = say("move {number}, {move}"), say("move {number}, {move},")


def _asked_back(match: Match, request: Request) -> Sentence:
    """Return the moves that an undo asks for."""
    return _numbered(request.moves, _number(match, request))


def _number(match: Match, request: Request) -> int:
    """Return the number of the first move that an undo asks for."""
    return match.turn - sum(move != "swap" for move in request.moves)


def _numbered(moves: Sequence[str], number: int) -> Sentence:
    """Return one or two moves with their numbers: ``move 8, F6, and move 9, G7``."""
    own, *answer = moves
    if not answer:
        return _named(own, number, _LAST)
    first, last = _named(own, number, _INNER), _named(answer[0], number + (own != "swap"), _LAST)
    return say("{first} and {last}", first=first, last=last)


def _named(move: str, number: int, form: Sentence) -> Sentence:
    if move == "swap":
        return say("the swap")
    return form.given(number=number, move=move)


def _offer(points: tuple[int, int] | None) -> Sentence:
    """Return the end that is proposed: a score, or a draw."""
    offered = offer(points)
    return (
        offered if points is None else say("a score of {score} (X's points first)", score=offered)
    )


def _asking(match: Match, happening: h.Asking, reader: str) -> Lines:
    match happening:
        case h.Proposed():
            return (say("{sentence}.", sentence=_wish(match, happening.request, reader)),)
        case h.Agreed(userid, points):
            return (say("{userid} accepts {offer}.", userid=userid, offer=_offer(points)),)
        case h.Refused(userid, reason, kind, data):
            if not kind:
                return (_with_reason(say("{userid} declines", userid=userid), reason),)
            return (_with_reason(_refused(match, userid, Request(kind, "", data, 0.0)), reason),)
        case h.Lapsed(userid, asker):
            if userid == asker:
                return (
                    say("{asker} has moved, so {asker}'s request no longer counts.", asker=asker),
                )
            return (
                say(
                    "{userid} moved instead of answering, so {asker}'s request no longer counts.",
                    userid=userid,
                    asker=asker,
                ),
            )
        case h.TakenBack(userid, moves):
            return (_taken_back(match, userid, moves),)
        case h.Retracted(userid, move):
            return (
                say(
                    "{userid} takes back {move}. In this game you can do that without asking.",
                    userid=userid,
                    move=_numbered([move], match.turn),
                ),
            )
        case h.Declined(userid, ""):
            return (say("{userid} declines the game, so we've removed the board.", userid=userid),)
        case h.Declined(userid, reason):
            declined = _with_reason(say("{userid} declines the game", userid=userid), reason)
            return (together(declined, say("We've removed the board.")),)
        case h.Unreached(userid, days):
            return (
                say(
                    "It's {userid}'s turn, but none of our letters have reached "
                    "{userid} in {days}, not even the last warning. Nobody loses on "
                    "time without getting that warning.",
                    userid=userid,
                    days=in_days(days),
                ),
                say(
                    "You can wait: once the address works again, we'll send the warning again. "
                    "Or you can end the game without a result. To do that, reply: cancel"
                ),
            )
        case _:
            return _ended(match, happening, reader)


def _ended(match: Match, happening: h.Leading, reader: str) -> Lines:
    """Tell of a game that a player's word has ended, or that goes on as another one."""
    match happening:
        case h.Cancelled(userid, ""):
            return (say("{userid} agrees to end the game without a result.", userid=userid),)
        case h.Cancelled(userid, unreached):
            return (
                say(
                    "{userid} ends the game without a result, because we couldn't reach "
                    "{unreached}.",
                    userid=userid,
                    unreached=unreached,
                ),
            )
        case h.Abandoned(userid, days):
            return (
                say(
                    "{userid} ends the game without a result. It had no time limit, and nobody "
                    "had moved for {days}.",
                    userid=userid,
                    days=in_days(days),
                ),
            )
        case h.Claimed(userid, True):
            return (
                say(
                    "{userid} ends the game because no move could change the score anymore.",
                    userid=userid,
                ),
            )
        case h.Claimed(userid):
            return (
                say(
                    "{userid} claims the win. It was certain, and no move could have changed that.",
                    userid=userid,
                ),
            )
        case h.Withdrawn(userid, left):
            if left:
                did = say("{userid} has left the server.", userid=userid)
            else:
                did = say("{userid} has given up all of their games.", userid=userid)
            return (
                together(
                    did, say("This game hadn't really started yet, so we've removed the board.")
                ),
            )
        case h.Rematch(_, board, games, won):
            each = zip(match.seats[::-1], won[::-1], strict=True)  # the seats of the game before
            score = ", ".join(f"{userid} {points:g}" for userid, points in each)
            series = _SERIES.get(games + 1, _FURTHER)
            return (series.given(number=games + 1, board=board, score=score),)
        case h.Countered(userid, board, options):
            other = match.opponent(userid)
            suggests = say(
                "{userid} suggests another game instead: {options}. Board {number} replaces board "
                "{board}.",
                userid=userid,
                options=options,
                number=match.number,
                board=board,
            )
            if reader == other:
                how = say("To accept it, just make your first move. To decline it, reply: decline")
            else:
                how = say("{other} can accept it by making a first move.", other=other)
            return (together(suggests, how),)
        case _:
            assert_never(happening)


def _with_reason(said: Sentence, reason: str) -> Sentence:
    """Return a whole sentence, with the reason if one is given."""
    if not reason:
        return say("{sentence}.", sentence=said)
    return say("{sentence}: {reason}.", sentence=said, reason=REASONS[reason])


def _taken_back(match: Match, userid: str, taken: Sequence[str]) -> Sentence:
    moves = _numbered(taken, match.turn)
    if len(match.seats) == 1:
        return say("Taken back: {moves}.", moves=moves)
    if match.to_move == userid:
        return say("{userid} has taken back {moves}.", userid=userid, moves=moves)
    return say("{userid} agreed to take back {moves}.", userid=userid, moves=moves)


# -- plans and notes

_AT_ONCE = {
    "pass": say("{userid} answers right away with a pass."),
    "swap": say("{userid} answers right away with a swap."),
    RESIGN: say("{userid} resigns right away."),
    "move": say("{userid} answers right away with {move}."),
}
_BY_PLAN = {
    "pass": say("Your plan answered with a pass."),
    "swap": say("Your plan answered with a swap."),
    RESIGN: say("Your plan resigned for you."),
    "move": say("Your plan answered with {move}."),
}


def _answered(
    match: Match, happening: h.Answered, before: Happening | None, reader: str
) -> Sentence:
    """Tell of a move by plan; its player is also told the move that it answers."""
    userid, move = happening.userid, happening.move
    kind = move if move in _AT_ONCE else "move"
    if userid != reader:
        meaning = "" if move == RESIGN else _meaning(match, move)
        return together(_AT_ONCE[kind].given(userid=userid, move=move), meaning)
    played: Sentence = NOTHING
    match before:
        case h.Passed(opponent):
            played = say("{userid} passes.", userid=opponent)
        case h.Moved(opponent, answered):
            played = say("{userid} plays {move}.", userid=opponent, move=answered)
    return together(played, _BY_PLAN[kind].given(move=move), _meaning(match, move))


def _meaning(match: Match, move: str) -> Sentence:
    """Tell of the outcome of a planned pass; empty for another move."""
    if move == "pass" and match.position.over:
        return game_over().told
    if move == "pass" and match.record[-1].move == "pass":
        return second_pass(match)
    return NOTHING


def _private(match: Match, happening: h.Private) -> Lines:
    opponent = match.opponent(happening.userid)
    match happening:
        case h.PlanKept(_, ()):
            return (say("You don't have a plan on this board."), *_how(match, opponent))
        case h.PlanKept(_, lines):
            return (
                say(
                    "Your plan is saved. We'll play it the moment {opponent} moves, and "
                    "{opponent} won't see it before then. To cancel it, reply: plan none",
                    opponent=opponent,
                ),
                *(Sentence("  {line}", {"line": line}) for line in lines),
            )
        case h.PlanPasses():
            return (
                say(
                    "If {opponent} passes and your plan passes too, the game will be over.",
                    opponent=opponent,
                ),
            )
        case h.PlanDropped():
            return (say("We've dropped your plan."),)
        case h.PlanRefused(_, why):
            return (together(say("We've played your move."), why),)
        case h.PlanSilent(_, move):
            return (
                say(
                    "Your plan had no answer to {opponent}'s {move}, so we dropped the plan.",
                    opponent=opponent,
                    move=move,
                ),
            )
        case h.PlanFailed(_, answer, why):
            return (
                say(
                    "We couldn't play the move from your plan, so we dropped the plan. "
                    "{answer}: {why}",
                    answer=answer,
                    why=why,
                ),
            )
        case h.PlanSetAside(_, request):
            return (
                say(
                    "{opponent} has asked you for something ({request}), so we dropped your plan.",
                    opponent=opponent,
                    request=request,
                ),
            )
        case h.NoteKept(_, None):
            return (say("We've saved your note."),)
        case h.NoteKept(_, int(most)):
            kept = say(
                "We've saved your note. You can keep at most {most} notes, so we deleted "
                "the oldest one.",
                most=most,
            )
            return (kept,)
        case h.NotesGone():
            return (say("You no longer have any notes on this board."),)
        case h.TakenForWords(_, like):
            went = say(
                "It's {opponent}'s turn, so we took your reply as a message and sent "
                "it to {opponent}.",
                opponent=opponent,
            )
            return (went, _TO_DO[like]) if like in _TO_DO else (went,)
    raise TypeError(happening)


_TO_DO = {
    "resign": say("To resign, reply: resign"),
    "draw": say("To offer a draw, reply: draw"),
    "letters": say("To get fewer letters, reply: letters daily"),
    "signoff": say("To close your account, reply: signoff"),
}


def _how(match: Match, opponent: str) -> Lines:
    """Show the form of a plan for the opponent's move, with moves that could be made."""
    if match.to_move != opponent:
        return ()
    move = choices.example(match)
    after = match.position.play(move)
    if after.over:
        return ()
    plan = f"if {move} then {next(after.moves())}"
    return (
        say(
            "To make one, reply with your planned answer, for example: {plan}. To "
            "learn more, reply: help plans",
            plan=plan,
        ),
    )


# -- the record


def recorded(happening: Happening) -> Sentence:
    """Return the line of the record for a happening that is not a move.

    It is empty if the line would say what the lines around it say, or what the opponent is not told.
    """
    match happening:
        case h.Proposed(userid, kind):
            request = happening.request
            if kind == UNDO:
                return say("{userid} asks to take back {moves}", userid=userid, moves=request.moves)
            if kind == CANCEL:
                return say("{userid} asks to end the game without a result", userid=userid)
            return say("{userid} proposes {offer}", userid=userid, offer=offer(request.points))
        case h.Refused(userid, ""):
            return say("{userid} declines", userid=userid)
        case h.Refused(userid, reason):
            return say("{userid} declines: {reason}", userid=userid, reason=REASONS[reason])
        case h.TakenBack(_, moves):
            return say("({moves} taken back)", moves=moves)
        case h.Retracted(_, move):
            return say("({moves} taken back)", moves=move)
        case h.Extended(userid, seconds):
            return say("{userid} gives an extra {time}", userid=userid, time=length(seconds))
        case h.Hinted(userid):
            return say("{userid} asks for a hint", userid=userid)
        case h.Reset(due):
            return say(
                "the operator takes the board back to where it was before move {move}", move=due
            )
        case h.Unreached(userid):
            return say("our letters aren't reaching {userid}", userid=userid)
        case h.Countered(userid):
            return say("{userid} suggested this game instead", userid=userid)
        case h.Rematch(_, board):
            return say("follows board {board}", board=board)
        case h.Rematched(_, board):
            return say("followed by board {board}", board=board)
        case h.Itself():
            return happening.line
        case h.Muted() | h.BanksSet():
            return NOTHING
        case other:
            raise TypeError(other)
