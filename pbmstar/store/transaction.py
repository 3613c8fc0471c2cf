"""The questions and changes that the service asks of the store, inside one transaction.

``Tx`` runs prebuilt statements on the driver's connection. No rule of a game or of mail is here.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ..errors import Passing
from . import sql
from .rows import Board, Letter, Move, Token, User, Waiting

if TYPE_CHECKING:
    from .database import Statements


class Tx:
    """One open transaction. Nothing here commits. Raises Passing for a trouble of the database."""

    def __init__(
        self, connection: Any, statements: Statements, operational: type[Exception]
    ) -> None:
        self._connection = connection
        self._compiled = statements.compiled
        self._operational = operational

    def _run(self, statement: Any, **values: Any) -> Any:
        text, constants = self._compiled(statement)
        cursor = self._connection.cursor()
        try:
            cursor.execute(text, {**constants, **values} if constants else values)
        except self._operational as error:
            raise Passing(f"database: {error}") from error
        return cursor

    def _row(self, statement: Any, **values: Any) -> Any:
        return self._run(statement, **values).fetchone()

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """What happens in the block happens whole or, if it raises, not at all."""
        self._connection.cursor().execute("SAVEPOINT job")
        try:
            yield
        except BaseException:
            cursor = self._connection.cursor()
            cursor.execute("ROLLBACK TO SAVEPOINT job")
            cursor.execute("RELEASE SAVEPOINT job")
            raise
        self._connection.cursor().execute("RELEASE SAVEPOINT job")

    # -- keys

    def keys(self) -> list[tuple[int, bytes]]:
        """The server's keys, newest first."""
        return [(number, bytes(key)) for number, key in self._run(sql.KEYS)]

    def add_key(self, key: bytes, at: float) -> None:
        """Keep a new key; it signs from now on."""
        self._run(sql.ADD_KEY, key=key, made=at)

    # -- users and tokens

    def user(self, userid: str) -> User | None:
        """The account called ``userid``, closed ones too."""
        row = self._row(sql.USER, userid=userid)
        return User(*row) if row else None

    def users_at(self, address: str) -> list[User]:
        """The accounts of a mail address."""
        return [User(*row) for row in self._run(sql.USER_AT, address=address)]

    def users(self) -> list[User]:
        """All accounts."""
        return [User(*row) for row in self._run(sql.USERS)]

    def add_user(self, user: User) -> None:
        """Open an account."""
        self._run(sql.ADD_USER, **user._asdict())

    def set_password(self, userid: str, password: str) -> None:
        """Keep another password hash."""
        self._run(sql.SET_PASSWORD, who=userid, password=password)

    def set_address(self, userid: str, address: str) -> None:
        """Move an account to another, confirmed address; it is active again."""
        self._run(sql.SET_ADDRESS, who=userid, address=address)

    def close_user(self, userid: str) -> None:
        """Close an account for good: address and password are forgotten, the userid stays taken."""
        self._run(sql.CLOSE, who=userid)

    def token(self, hashed: str) -> Token | None:
        """What the token of that hash confirms."""
        row = self._row(sql.TOKEN, hash=hashed)
        return Token(*row) if row else None

    def add_token(self, token: Token) -> None:
        """Keep a token."""
        self._run(sql.ADD_TOKEN, **token._asdict())

    def drop_tokens(self, userid: str, kind: str) -> None:
        """Forget the tokens of that kind."""
        self._run(sql.DROP_TOKENS, userid=userid, kind=kind)

    def count_tokens(self, address: str, after: float) -> int:
        """How many tokens were mailed to ``address`` since then."""
        return int(self._row(sql.COUNT_TOKENS, address=address, after=after)[0])

    # -- wrong passwords

    def failure(self, userid: str) -> tuple[int, float, float]:
        """How often, when last, and until when locked: wrong passwords for ``userid``."""
        return self._row(sql.FAILURE, userid=userid) or (0, 0.0, 0.0)

    def set_failure(self, userid: str, count: int, last: float, until: float) -> None:
        """Keep that."""
        self._run(sql.SET_FAILURE, userid=userid, count=count, last=last, until=until)

    def drop_failure(self, userid: str) -> None:
        """The right password came."""
        self._run(sql.DROP_FAILURE, userid=userid)

    # -- boards and records

    def board(self, number: int) -> Board | None:
        """The board of that number, locked till the end of the transaction."""
        row = self._row(sql.BOARD, board=number)
        return Board(*row) if row else None

    def add_board(self, board: Board) -> int:
        """Keep a new board; returns the number that it gets."""
        values = board._asdict()
        del values["board"]
        return int(self._row(sql.ADD_BOARD, **values)[0])

    def set_turn(self, board: int, length: int, to_move: str, result: str, since: float) -> None:
        """Keep what follows from a changed record; an open offer is void."""
        self._run(
            sql.SET_TURN, number=board, length=length, to_move=to_move, result=result, since=since
        )

    def set_offer(self, board: int, offer: str) -> None:
        """Keep a proposed score."""
        self._run(sql.SET_OFFER, number=board, offer=offer)

    def drop_board(self, board: int) -> None:
        """Delete a board with all that belongs to it."""
        self.cut_record(board, 0)
        self._run(sql.DROP_BOARD, board=board)

    def cut_record(self, board: int, seq: int) -> None:
        """Delete the record from ``seq`` on, and the reminders; earlier reply tokens are void."""
        self._run(sql.DROP_MOVES, board=board, seq=seq)
        self._run(sql.DROP_REMINDERS, board=board)
        self._run(sql.SET_RESETS, number=board)

    def boards(self, after: int = 0) -> list[Board]:
        """All boards with a number above ``after``, in order, at most 500."""
        return [Board(*row) for row in self._run(sql.BOARDS, after=after)]

    def boards_of(self, userid: str, state: str | None) -> list[Board]:
        """The boards of a player: all, or those that are next (his turn), active or finished."""
        statement = {
            "next": sql.BOARDS_NEXT,
            "active": sql.BOARDS_ACTIVE,
            "finished": sql.BOARDS_FINISHED,
        }.get(state or "", sql.BOARDS_OF)
        return [Board(*row) for row in self._run(statement, userid=userid)]

    def boards_due(self, before: float, after: tuple[float, int]) -> list[Board]:
        """Running boards whose turn began before then; pages of 500 after (since, board)."""
        rows = self._run(sql.DUE, before=before, since=after[0], board=after[1])
        return [Board(*row) for row in rows]

    def record(self, board: int) -> list[Move]:
        """The record of a board, in order."""
        return [Move(*row) for row in self._run(sql.MOVES, board=board)]

    def add_move(self, move: Move) -> None:
        """Add a row to a record."""
        self._run(sql.ADD_MOVE, **move._asdict())

    # -- mails that came in

    def handle(self, digest: bytes, at: float, again_after: float | None) -> bool:
        """Mark a mail as handled. False if it was before; with ``again_after`` an older mark is none."""
        if self._row(sql.HANDLED, digest=digest, at=at, outcome=""):
            return True
        if again_after is not None and self._row(sql.HANDLED_AT, digest=digest)[0] < again_after:
            self._run(sql.HANDLED_AGAIN, which=digest, at=at)
            return True
        return False

    def set_outcome(self, digest: bytes, outcome: str) -> None:
        """Note what became of a mail."""
        self._run(sql.SET_OUTCOME, which=digest, outcome=outcome)

    # -- letters that go out

    def add_letter(
        self, message_id: str, userid: str, address: str, sender: str, content: bytes, at: float
    ) -> int:
        """Put a letter into the outbox; returns its number."""
        values = {
            "message_id": message_id,
            "userid": userid,
            "address": address,
            "sender": sender,
            "content": content,
            "state": "new",
            "due": at,
            "owner": "",
            "tries": 0,
            "made": at,
            "trouble": "",
        }
        return int(self._row(sql.ADD_LETTER, **values)[0])

    def claim(self, owner: str, now: float, until: float, count: int) -> list[Letter]:
        """At most ``count`` due letters, in order; no one else gets them before ``until``."""
        rows = self._run(sql.CLAIM, now=now, until=until, claimer=owner, count=count)
        return sorted(Letter(*row) for row in rows.fetchall())

    def release(self, owner: str) -> None:
        """Give back what an earlier process of this owner had claimed and not sent."""
        self._run(sql.RELEASE, claimer=owner)

    def sent(self, letter: int, at: float) -> None:
        """The relay has taken the letter; its text is no longer kept."""
        self._run(sql.SENT, letter=letter, at=at)

    def retry(self, letter: int, due: float, why: str) -> None:
        """Try the letter again at ``due``."""
        self._run(sql.RETRY, letter=letter, due_at=due, why=why)

    def dead(self, letter: int, why: str) -> None:
        """The letter was refused for good."""
        self._run(sql.DEAD, letter=letter, why=why)

    def letters(self) -> list[Waiting]:
        """The letters that have not been sent."""
        return [Waiting(*row) for row in self._run(sql.WAITING)]

    def revive(self, letter: int, at: float) -> bool:
        """Make a waiting or dead letter due at once. False if there is none of that number."""
        return bool(self._run(sql.REVIVE, letter=letter, at=at).rowcount)

    def letter_sent(self, letter: int) -> float | None:
        """When a letter was sent; 0 if it is so long ago that it is forgotten; None if it was not."""
        row = self._row(sql.LETTER, letter=letter)
        return 0.0 if row is None else row[1] if row[0] == "sent" else None

    # -- reminders, audit, housekeeping

    def reminded(self, board: int, resets: int, seq: int) -> list[tuple[str, int, float]]:
        """(stage, letter, at) of the reminders sent for that turn."""
        return list(self._run(sql.REMINDED, board=board, resets=resets, seq=seq))

    def add_reminder(
        self, board: int, resets: int, seq: int, stage: str, letter: int, at: float
    ) -> None:
        """Note a reminder. The primary key refuses a second of the same stage."""
        self._run(
            sql.ADD_REMINDER, board=board, resets=resets, seq=seq, stage=stage, letter=letter, at=at
        )

    def add_audit(self, at: float, actor: str, act: str) -> None:
        """Note who did what by hand."""
        self._run(sql.ADD_AUDIT, at=at, actor=actor, act=act)

    def audit(self) -> list[tuple[int, float, str, str]]:
        """All that was noted."""
        return list(self._run(sql.AUDIT))

    def prune(self, now: float) -> None:
        """Forget marks of mails after 30 days, sent letters likewise, tokens and failures after 7."""
        month, week = now - 30 * 86400, now - 7 * 86400
        self._run(sql.PRUNE_HANDLED, before=month)
        self._run(sql.PRUNE_LETTERS, before=month)
        self._run(sql.PRUNE_TOKENS, before=month)
        self._run(sql.PRUNE_FAILURES, before=week)
