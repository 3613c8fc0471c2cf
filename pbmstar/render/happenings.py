"""What has happened to a board, in sentences: the notices above it in a letter.

``Happening.userid`` and ``Happening.text`` mean:

| kind                | userid            | text                                                  |
|---------------------|-------------------|-------------------------------------------------------|
| ``began``           | who challenged    |                                                       |
| ``moved``           | who moved         | the move; no notice, the board shows it               |
| ``passed``          | who passed        | the move                                              |
| ``swapped``         | who swapped       | the move                                              |
| ``resigned``        | who resigned      | ``lost`` if that is proved                            |
| ``left``            | who left          | in place of ``resigned``: the account was closed      |
| ``forfeited``       | who forfeited     | days that the move was awaited, ``21.3``; may be empty |
| ``proposed``        | who asks          | the points of X and O, ``11 10``; ``draw``;           |
|                     |                   | ``cancel``; ``undo F6; G7``                           |
| ``agreed``          | who accepted      | the points, or ``draw``                               |
| ``refused``         | who says no to that | why, a key of ``match.REASONS``, or empty           |
| ``lapsed``          | whose move made a request lapse | who asked                              |
| ``undone``          | who agreed, or whose puzzle it is | the moves that were taken back, ``F6; G7`` |
| ``retracted``       | who took it back where undo is free | the move              |
| ``hinted``          | whose puzzle it is | ; a next move, if the game knows one                 |
| ``declined``        | who declined      | why, a key of ``match.REASONS``, or empty; the board  |
|                     |                   | is removed                                            |
| ``unreached``       | who is late       | days since no letter gets through, ``14``             |
| ``cancelled``       | who ended it, or agreed | who could not be reached, or empty              |
| ``abandoned``       | who ended it, alone | days without a move                   |
| ``claimed``         | who claimed       | ``decided`` or ``settled``                            |
| ``withdrawn``       | who gave all up before a first move | ``leave`` or ``resign``; the board  |
|                     |                   | is removed                                            |
| ``rematch``         | who wanted it     | the board that was over, games so far, and what each  |
|                     |                   | has won: ``17 2 alice 1 bob 0``                       |
| ``countered``       | who wanted it     | the board that was removed, what is different:        |
|                     |                   | ``17 -size=8``                                        |
| ``removed``         |                   | ; by the operator                                     |
| ``said``            | who writes to the other | ; the words stand below, as a comment            |
| ``bot-played``, ``bot-waits`` | a bot   | see ``bots``                                          |
| ``reset``           |                   | the number of the move that is due now, ``9``         |
| ``as-it-was``       |                   | the number of the last move that is shown, ``20``     |
| ``unreachable``     | whose mails fail  |                                                       |
| ``overdue``         | who is to move    | days awaited, days until the end: ``8 12``; only the  |
|                     |                   | former where there is none; with `` first`` nobody    |
|                     |                   | loses, since not everybody has moved                  |
| ``warning``         | who is to move    | the same; the last warning; with `` absent`` too: a   |
|                     |                   | program answers for that player                       |
| ``ends``            | who is to move    | when that player's time ends, in seconds since 1970   |
| ``extended``        | who gives time    | seconds that the other player gets, how many more     |
|                     |                   | than before the player has by that, and how long the  |
|                     |                   | record is                                             |
| ``unbegun``         | who did not move  | days awaited; the board is removed                    |
| ``away``            | who is on leave   | until when, in seconds since 1970; in a new game      |
| ``leave-used``      | whose time is up  | days of leave that are left, and when the one ends    |
|                     |                   | that was taken; told to that player                   |
| ``on-leave``        | whose time is up  | the same, told to the other player                    |

Those of plans and notes stand in ``planned``.

``began`` puts ``New`` before the Subject, ``overdue`` and ``warning`` put ``Nag:``. A board with
``as-it-was`` is shown as it was: nobody is to move on it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable

from ..games.base import PLAYERS
from ..match import Happening, Match
from ..match.zones import HERE
from . import asking, bots, choices, late, planned
from .late import days
from .turns import exchanged, second_pass

PREFIXES = {"began": "New ", "overdue": "Nag: ", "warning": "Nag: "}
PAST = "as-it-was"


def notices(
    match: Match, happenings: Iterable[Happening], reader: str = "", zone: str = HERE
) -> tuple[str, ...]:
    """The notices on what happened, for that reader; ``match`` is the board after it, ``zone`` the one by
    which times are named. KeyError for an unknown kind.
    """
    lines: list[str] = []
    happenings = tuple(happenings)
    is_answered = any(each.kind == "answered" for each in happenings)
    for before, each in itertools.pairwise((None, *happenings)):
        assert each is not None
        if each.kind == "answered":
            lines.append(planned.answered(match, each, before, reader))
        elif each.kind in late.TIMED:
            lines += late.TIMED[each.kind](each, zone)
        elif each.kind != "passed" or not is_answered:  # else it is told with the answer
            lines += filter(None, _NOTICES[each.kind](match, each))
    return tuple(lines)


def _began(match: Match, _: Happening) -> tuple[str, ...]:
    game = match.game
    if len(match.seats) == 1:
        begun = f"{game.title} is a puzzle for you alone."
    else:
        x, o = (match.players[player] for player in PLAYERS)
        begun = (
            f"A new game of {game.title} has begun. {x} plays X and moves first, {o} plays O. "
            "Until your own first move you may decline it."
        )
    example = choices.example(match)
    return begun, game.brief, f"A first move could be {example}. All rules: {game.word} help"


def _passed(match: Match, happening: Happening) -> tuple[str, ...]:
    if match.position.over:
        return (f"{happening.userid} passes too: the game is over.",)
    return (f"{happening.userid} passes. {second_pass(match)}",)


def _swapped(match: Match, happening: Happening) -> tuple[str, ...]:
    return (f"{happening.userid} swaps: {exchanged(match)}",)


def _forfeited(_: Match, happening: Happening) -> tuple[str, ...]:
    who = happening.userid
    if not happening.text:
        return (f"{who} forfeits the game.",)
    return (f"{who} has not moved for {days(float(happening.text))} and forfeits the game.",)


def _hinted(match: Match, _: Happening) -> tuple[str, ...]:
    move = match.position.hint()
    if move is None:
        return ("No way to solve it is known from here; with undo you can take moves back.",)
    return (f"A hint: after {move} it can still be solved.",)


def _reset(_: Match, happening: Happening) -> tuple[str, ...]:
    due = happening.text
    where = "to the empty board" if due == "1" else f"to before move {due}"
    return (f"The operator has put this board back {where}.",)


def _unreachable(_: Match, happening: Happening) -> tuple[str, ...]:
    return (
        f"Mails to {happening.userid} come back, so none are sent for now. {happening.userid} will "
        "be asked to confirm the address at the next mail that comes from there.",
    )


def _unreached(_: Match, happening: Happening) -> tuple[str, ...]:
    who = happening.userid
    return (
        f"{who} is to move, and for {days(float(happening.text))} no mail has got through to "
        f"{who}, not even the last warning, without which no game is forfeited.",
        "You may end the game without result: cancel. Or wait: if the address works again, the "
        "warning is sent again.",
    )


_NOTICES: dict[str, Callable[[Match, Happening], tuple[str, ...]]] = {
    **asking.NOTICES,
    "began": _began,
    "moved": lambda _, __: (),
    "passed": _passed,
    "swapped": _swapped,
    **bots.NOTICES,
    "left": lambda _, happening: (f"{happening.userid} has left the server.",),
    "forfeited": _forfeited,
    "said": lambda _, happening: (
        f"{happening.userid} sends words without a move; they stand below.",
    ),
    "removed": lambda _, __: ("The operator has removed this board.",),
    "hinted": _hinted,
    "reset": _reset,
    PAST: lambda _, happening: (f"The board as it was after move {happening.text}.",),
    "unreachable": _unreachable,
    "unreached": _unreached,
    **planned.NOTICES,
    **late.NOTICES,
}
