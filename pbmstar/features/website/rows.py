"""Boards of public players, which everybody may see on the pages of the site."""

from __future__ import annotations

from typing import NamedTuple

from ...store.schema import marked
from ...store.statements import Repository


def _name(seat: str, user: str) -> str:
    """Return a player's userid, marked if the account is closed, because then it has no page."""
    return f"{seat}.userid || CASE WHEN {user}.state = 'closed' THEN '~' ELSE '' END"


def _number(user: str) -> str:
    """Return the number, rounded, that a feature shows beside a player of a board; empty if none does."""
    found = [
        f"""CAST((
            SELECT CAST({table.info["shown"]} AS INTEGER) FROM {table.name} AS shown
            WHERE shown.board = boards.board AND shown.userid = {user}.userid LIMIT 1
        ) AS TEXT)"""
        for table in marked("shown")
    ]
    return f"coalesce({', '.join(found)}, '', '')" if found else "''"


# The fields of ``Shown``.
_LINE = " || '\t' || ".join(
    (
        "CAST(length AS TEXT)",
        "CAST(resets AS TEXT)",
        "game",
        "options",
        "CAST(CAST(boards.made AS INTEGER) AS TEXT)",
        "CAST(CAST(since AS INTEGER) AS TEXT)",
        "CASE WHEN to_move = '' THEN 'over' ELSE '' END",
        "result",
        _name("first", "opens"),
        f"coalesce({_name('second', 'answers')}, '')",
        _number("opens"),
        _number("answers"),
    )
)


class Shown(NamedTuple):
    """A board that everybody may see, read from its line; times are in whole seconds.

    seats    the players' userids, in the order of the seats; a ``~`` follows if the account is closed
    numbers  what a feature shows beside each of them; empty if it shows nothing
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
    numbers: tuple[str, ...]

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


class NextBoards(Repository):
    """The boards that wait for the same player."""

    def oldest(self, userid: str, but: int) -> tuple[int, str, str] | None:
        """Return the board that has waited longest for a player, except one, if any other waits.

        Its number, the word of its game, the opponent.
        """
        found = self._db.rows(
            """
            SELECT boards.board, game, other.userid
            FROM boards JOIN seats AS other ON other.board = boards.board AND other.userid != :userid
            WHERE to_move = :userid AND to_move != '' AND boards.board != :but
            ORDER BY since, boards.board LIMIT 1
            """,
            userid=userid,
            but=but,
        )
        return next(iter(found), None)


class PublicBoards(Repository):
    """The boards that everybody may see, and their players."""

    def lines(self) -> dict[int, str]:
        """Return a line for each of these boards; it changes when the board's page does; see ``Shown``."""
        rows = self._db.rows(
            f"""
            SELECT boards.board, {_LINE}
            FROM boards
                JOIN seats AS first ON first.board = boards.board AND first.seat = 0
                JOIN users AS opens ON opens.userid = first.userid
                LEFT JOIN seats AS second ON second.board = boards.board AND second.seat = 1
                LEFT JOIN users AS answers ON answers.userid = second.userid
            WHERE length > 0 AND terms NOT LIKE '%"private":true%'
                AND opens.public = 1 AND coalesce(answers.public, 1) = 1
            ORDER BY boards.board
            """
        )
        return dict(rows)

    def people(self) -> set[str]:
        """Return the public players, except closed accounts."""
        return set(
            self._db.column("SELECT userid FROM users WHERE public = 1 AND state != 'closed'")
        )

    def kinds(self) -> list[tuple[str, str]]:
        """Return the games, with their options, of all boards, public or not."""
        rows = self._db.rows("SELECT DISTINCT game, options FROM boards")
        return [(game, options) for game, options in rows]
