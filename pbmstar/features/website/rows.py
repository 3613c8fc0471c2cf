"""Boards that everybody may see: those of public players, for the pages of the site."""

from __future__ import annotations

from typing import Any, NamedTuple

from sqlalchemy import Integer, Text, case, cast, func, select

from ...store import schema as t
from ...store.statements import Subject, quoted

_boards = t.boards.c
_first, _second = t.seats.alias("first"), t.seats.alias("second")
_opens, _answers = t.users.alias("opens"), t.users.alias("answers")
_tab: Any = quoted("\t")


def _text(value: Any) -> Any:
    return cast(value, Text)


def _name(seat: Any, user: Any) -> Any:
    """Return a player's userid, marked if the account is closed, because then it has no page."""
    closed = user.c.state == quoted("closed")
    mark = case((closed, quoted("~")), else_=quoted(""))
    return seat.c.userid + mark


def _rating(user: Any) -> Any:
    """Return a player's rating before the game, rounded; empty if the game is not rated."""
    played = (t.rating_steps.c.board == _boards.board, t.rating_steps.c.userid == user.c.userid)
    before = select(cast(t.rating_steps.c.before, Integer)).where(*played).limit(1)
    return func.coalesce(_text(before.scalar_subquery()), quoted(""))


_line = _text(_boards.length)
for _part in (
    _text(_boards.resets),
    _boards.game,
    _boards.options,
    _text(cast(_boards.made, Integer)),
    _text(cast(_boards.since, Integer)),
    case(
        (_boards.to_move == quoted(""), quoted("over")),
        else_=quoted(""),
    ),
    _boards.result,
    _name(_first, _opens),
    func.coalesce(_name(_second, _answers), quoted("")),
    _rating(_opens),
    _rating(_answers),
):
    _line = _line + _tab + _part
_SHOWN = (
    select(_boards.board, _line)
    .join(_first, (_first.c.board == _boards.board) & (_first.c.seat == 0))
    .join(_opens, _opens.c.userid == _first.c.userid)
    .outerjoin(_second, (_second.c.board == _boards.board) & (_second.c.seat == 1))
    .outerjoin(_answers, _answers.c.userid == _second.c.userid)
    .where(
        _boards.length > 0,
        _boards.terms.not_like(quoted('%"private":true%')),
        _opens.c.public == 1,
        func.coalesce(_answers.c.public, 1) == 1,
    )
    .order_by(_boards.board)
)
_PEOPLE = select(t.users.c.userid).where(t.users.c.public == 1, t.users.c.state != quoted("closed"))
_KINDS = select(_boards.game, _boards.options).distinct()


class Shown(NamedTuple):
    """A board that everybody may see, read from its line; times are in whole seconds.

    seats    the players' userids, in the order of the seats; a ``~`` follows that of a closed account
    ratings  of the same players before the game, if it is rated
    """

    length: int
    resets: int
    game: str
    options: str
    made: int
    since: int
    over: bool
    result: str
    seats: tuple[str, ...]
    ratings: tuple[str, ...]

    @classmethod
    def of(cls, line: str) -> Shown:
        """Return the board that a line describes."""
        length, resets, game, options, made, since, over, result, *seats = line.split("\t")
        players = tuple(filter(None, seats[:2]))
        ended = over == "over"
        return cls(
            int(length), int(resets), game, options, int(made), int(since), ended, result, players,
            tuple(seats[2 : 2 + len(players)]),
        )  # fmt: skip


class Showcase(Subject):
    """The boards that everybody may see, and their players."""

    def lines(self) -> dict[int, str]:
        """Return a line for each of these boards; it changes when the board's page does; see ``Shown``."""
        return dict(self._db.rows(_SHOWN))

    def people(self) -> set[str]:
        """Return the public players, except closed accounts."""
        return set(self._db.column(_PEOPLE))

    def kinds(self) -> list[tuple[str, str]]:
        """Return the games, with their options, of all boards, public or not."""
        return [(game, options) for game, options in self._db.rows(_KINDS)]
