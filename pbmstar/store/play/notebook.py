"""The notebook of the players: previews, notes, comments, and best results of puzzles."""

from __future__ import annotations

from typing import NamedTuple

from ...machine.times import Epoch
from ...match import Noted
from .. import schema as t
from ..statements import Repository, add_next, columns


class Draft(NamedTuple):
    """Moves on a position; see ``drafts``."""

    resets: int
    length: int
    moves: str


class Note(NamedTuple):
    """A note; see ``notes``."""

    n: int
    at: Epoch
    move: int
    text: str


class Comment(NamedTuple):
    """A comment of a player to the opponent; see ``comments``."""

    length: int
    userid: str
    at: Epoch
    text: str


class Best(NamedTuple):
    """A player's best result in a puzzle; see schema.bests."""

    game: str
    options: str
    userid: str
    rank: int
    turns: int
    at: Epoch
    board: int
    note: str


class Notebook(Repository):
    """Texts and results that players keep besides the record of a board."""

    def draft(self, board: int, userid: str) -> Draft | None:
        """Return the last preview of a player on a board; None if there is none."""
        return self._db.find(Draft, t.drafts, board=board, userid=userid)

    def set_draft(self, board: int, userid: str, draft: Draft) -> None:
        """Keep a player's preview, in place of the one before."""
        self._db.keep(t.drafts, board=board, userid=userid, **draft._asdict())

    def notes(self, board: int, userid: str) -> list[Note]:
        """Return a player's notes on a board, the oldest first."""
        return self._db.ordered(Note, t.notes, "n", board=board, userid=userid)

    def last_notes(self, board: int) -> tuple[Noted, ...]:
        """Return the last note of each player on a board."""
        notes = self._db.all(
            Noted,
            f"""
            SELECT {columns(Noted)} FROM notes
            WHERE board = :board AND n = (
                SELECT max(n) FROM notes AS own
                WHERE own.board = notes.board AND own.userid = notes.userid
            )
            ORDER BY userid
            """,
            board=board,
        )
        return tuple(notes)

    def add_note(self, board: int, userid: str, at: Epoch, move: int, text: str) -> None:
        """Keep a note."""
        self._db.forget("board", board)
        self._db.add_next(t.notes, board=board, userid=userid, at=at, move=move, text=text)

    def drop_notes(self, board: int, userid: str, last: int) -> None:
        """Forget a player's notes on a board up to that number."""
        self._db.forget("board", board)
        self._db.do(
            "DELETE FROM notes WHERE board = :board AND userid = :userid AND n <= :last",
            board=board,
            userid=userid,
            last=last,
        )

    def add_comment(self, board: int, length: int, userid: str, at: Epoch, text: str) -> None:
        """Keep a player's comment to the opponent."""
        row = {"board": board, "length": length, "userid": userid, "at": at, "text": text}
        self._db.later(t.comments, object(), row, add_next)

    def comments(self, board: int) -> list[Comment]:
        """Return the comments of the players of a board, in order."""
        return self._db.ordered(Comment, t.comments, "n", board=board)

    def keep_best(self, best: Best) -> None:
        """Keep a player's result in a puzzle, if it is better than the one before."""
        self._db.do(
            """
            INSERT INTO bests (game, options, userid, rank, turns, at, board, note)
            VALUES (:game, :options, :userid, :rank, :turns, :at, :board, :note)
            ON CONFLICT (game, options, userid) DO UPDATE SET rank = excluded.rank,
                turns = excluded.turns, at = excluded.at, board = excluded.board, note = excluded.note
                WHERE (excluded.rank, excluded.turns) < (bests.rank, bests.turns)
            """,
            **best._asdict(),
        )

    def best(self, game: str, options: str, userid: str) -> Best | None:
        """Return a player's best result in a puzzle; None if there is none."""
        return self._db.find(Best, t.bests, game=game, options=options, userid=userid)

    def bests(self, game: str, options: str, count: int) -> list[Best]:
        """Return the best results of at most ``count`` players, the best first, equal ones by time."""
        return self._db.all(
            Best,
            f"SELECT {columns(Best)} FROM bests WHERE game = :game AND options = :options"
            " ORDER BY rank, turns, at LIMIT :count",
            game=game,
            options=options,
            count=count,
        )
