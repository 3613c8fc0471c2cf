"""What players ask of each other and how that is answered, in sentences: see ``happenings``."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

from ..match import CANCEL, DRAW, REASONS, UNDO, UNREACHED, Event, Happening, Match, named
from .clocks import length

_ORDINALS = {2: "Second game", 3: "Third game", 4: "Fourth game", 5: "Fifth game"}


def waiting(match: Match) -> str:
    """What one player asks of the other, while that waits for an answer, as a sentence; else empty."""
    request = match.request
    if request is None:
        return ""
    asked = match.opponent(request.userid)
    if request.kind == UNREACHED:
        return (
            f"{request.userid} cannot be reached; {asked} may end the game without result: cancel."
        )
    return f"{_asking(match, request.userid, named(request))}; {asked} may accept or decline."


def _asking(match: Match, userid: str, request: str) -> str:
    """Who asks for what: a request by its name."""
    if request.startswith(UNDO):
        moves = request.removeprefix(f"{UNDO} ").split("; ")
        first = match.turn - sum(move != "swap" for move in moves)
        return f"{userid} asks to take back {_moves(moves, first).rstrip(',')}"
    if request == CANCEL:
        return f"{userid} asks to end the game without result"
    end = "as" if request == DRAW else "with"
    return f"{userid} proposes to end the game {end} {_offer(request)}"


def _moves(moves: Sequence[str], first: int) -> str:
    """Moves with their numbers: ``move 8, F6, and move 9, G7,``."""
    numbers = itertools.count(first)
    words = ["the swap" if m == "swap" else f"move {next(numbers)}, {m}," for m in moves]
    return " and ".join(words)


def offer(text: str) -> str:
    """What was agreed on."""
    return "a draw" if text == DRAW else text.replace(" ", "-")


def _offer(text: str) -> str:
    return offer(text) if text == DRAW else f"the score {offer(text)}, X's points first"


def recorded(event: Event) -> str:
    """What has happened beside the moves, as a line of the record."""
    return _RECORDED[event.kind](event.userid, event.data)


def _wish(userid: str, request: str) -> str:
    if request.startswith(UNDO):
        return f"{userid} asks to take back {_listed(request.removeprefix(f'{UNDO} '))}"
    if request == CANCEL:
        return f"{userid} asks to end the game without result"
    return f"{userid} proposes {offer(request)}"


def _listed(moves: str) -> str:
    return moves.replace("; ", " and ")


_RECORDED: dict[str, Callable[[str, str], str]] = {
    "countered": lambda userid, _: f"{userid} would rather play so than as before",
    "extended": lambda userid, data: f"{userid} gives {length(int(data.split(' ')[0]))} more",
    "follows": lambda _, data: f"follows board {data}",
    "proposed": _wish,
    "refused": lambda userid, data: f"{userid} declines{f': {REASONS[data]}' if data else ''}",
    "rematch": lambda _, data: f"followed by board {data}",
    "reset": lambda _, data: f"the operator puts the board back to before move {data}",
    "retracted": lambda _, data: f"({data} taken back)",
    "undone": lambda _, data: f"({_listed(data)} taken back)",
    "unreached": lambda userid, _: f"no letter gets through to {userid}",
}


def _proposed(match: Match, happening: Happening) -> tuple[str, ...]:
    return (f"{_asking(match, happening.userid, happening.text)}.",)


def _agreed(_: Match, happening: Happening) -> tuple[str, ...]:
    return (f"{happening.userid} accepts {_offer(happening.text)}.",)


def _refused(_: Match, happening: Happening) -> tuple[str, ...]:
    return (f"{happening.userid} declines{_why(happening)}.",)


def _lapsed(_: Match, happening: Happening) -> tuple[str, ...]:
    if happening.userid == happening.text:
        return (f"{happening.userid} has moved, so what {happening.text} asked lapses.",)
    return (
        f"{happening.userid} moves instead of answering, so what {happening.text} asked lapses.",
    )


def _declined(_: Match, happening: Happening) -> tuple[str, ...]:
    if not happening.text:
        return (f"{happening.userid} declines the game; the board is removed.",)
    return (f"{happening.userid} declines the game{_why(happening)}. The board is removed.",)


def _why(happening: Happening) -> str:
    return f": {REASONS[happening.text]}" if happening.text else ""


def _undone(match: Match, happening: Happening) -> tuple[str, ...]:
    moves = happening.text.split("; ")
    words = _moves(moves, match.turn)
    who = happening.userid
    if len(match.seats) == 1:
        end = ""
    else:
        end = f" by {who}" if match.to_move == who else f", since {who} agrees"
    were = "were" if len(moves) > 1 else "was"
    return (f"{words[0].upper()}{words[1:]} {were} taken back{end}.",)


def _retracted(match: Match, happening: Happening) -> tuple[str, ...]:
    words = _moves([happening.text], match.turn).rstrip(",")
    return (f"{happening.userid} takes back {words}, as undo is free in this game.",)


def _abandoned(_: Match, happening: Happening) -> tuple[str, ...]:
    return (
        f"{happening.userid} ends the game without result: it has no time limit, and nobody has moved "
        f"for {happening.text} days.",
    )


def _claimed(match: Match, happening: Happening) -> tuple[str, ...]:
    if happening.text == "settled":
        why = "which is settled: no stone could change the score any more."
    else:
        why = f"which is decided: {match.result} would have won however it went on."
    return (f"{happening.userid} claims the end of the game, {why}",)


def _withdrawn(_: Match, happening: Happening) -> tuple[str, ...]:
    did = "has left the server" if happening.text == "leave" else "has given up all games"
    return (f"{happening.userid} {did}. This game had not begun; the board is removed.",)


def _cancelled(_: Match, happening: Happening) -> tuple[str, ...]:
    if not happening.text:
        return (f"{happening.userid} agrees to end the game without result.",)
    return (
        f"{happening.userid} ends the game without result, since {happening.text} could not be "
        "reached.",
    )


def _rematch(_: Match, happening: Happening) -> tuple[str, ...]:
    board, count, *won = happening.text.split(" ")
    number = _ORDINALS.get(int(count) + 1, f"Game {int(count) + 1}")
    stand = ", ".join(
        f"{userid} {games}" for userid, games in zip(won[::2], won[1::2], strict=True)
    )
    return (f"{number} of a series, after board {board}: {stand}.",)


def _countered(match: Match, happening: Happening) -> tuple[str, ...]:
    board, _, words = happening.text.partition(" ")
    return (
        f"{happening.userid} would rather play: {words}. This is board {match.number} in place of "
        f"{board}.",
    )


NOTICES: dict[str, Callable[[Match, Happening], tuple[str, ...]]] = {
    "abandoned": _abandoned,
    "agreed": _agreed,
    "cancelled": _cancelled,
    "claimed": _claimed,
    "countered": _countered,
    "declined": _declined,
    "lapsed": _lapsed,
    "proposed": _proposed,
    "refused": _refused,
    "rematch": _rematch,
    "retracted": _retracted,
    "undone": _undone,
    "withdrawn": _withdrawn,
}
