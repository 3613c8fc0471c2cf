"""Bots: their accounts, and the boards that wait for one of them, which are the queue."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import and_, literal_column, select, update

from . import tables as t
from .accounts import Accounts
from .outbox import Outbox
from .rows import User
from .statements import p

_boards, _seats, _users = t.boards.c, t.seats.c, t.users.c
# Written out, not bound: a partial index serves only a condition that the planner can read.
_waits = _boards.to_move.in_([literal_column(f"'{bot}'") for bot in t.BOTS])
_TURNS = (
    select(_boards.board, _boards.to_move, _seats.userid, _boards.since)
    .join(t.seats, and_(_seats.board == _boards.board, _seats.userid != _boards.to_move))
    .join(t.users, and_(_users.userid == _boards.to_move, _users.state == "bot"))
    .where(_waits)
    .order_by(_boards.since, _boards.board)
    .limit(p("count"))
)
_outbox, _contents = t.outbox.c, t.contents.c
# Never begun to be sent: one that a killed process gave back is due since it was made, and may have
# arrived, so that it must stay as it is.
_unclaimed = and_(
    _outbox.state == literal_column("'new'"),
    _outbox.owner == "",
    _outbox.tries == 0,
    _outbox.due > _outbox.made,
)
_UNCLAIMED = (
    select(_outbox.id, _contents.content)
    .join(t.contents, _contents.letter == _outbox.id)
    .where(_unclaimed, _outbox.userid == p("userid"))
    .order_by(_outbox.id.desc())
    .with_for_update(skip_locked=True, of=t.outbox)
)
_SET_DUE = update(t.outbox).where(_outbox.id == p("letter")).values(due=p("when"))
_SET_CONTENT = update(t.contents).where(_contents.letter == p("which")).values(content=p("content"))
_BOTS = select(t.users).where(_users.state == "bot").order_by(_users.userid)


class BotTurn(NamedTuple):
    """A board on which a bot is to move: against whom, and since when."""

    board: int
    bot: str
    person: str
    since: float


class Bots(Accounts, Outbox):
    """The part of a transaction that knows bots."""

    def bots(self) -> list[User]:
        """The accounts that are bots."""
        return [User(*row) for row in self._run(_BOTS)]

    def add_bot(self, userid: str) -> None:
        """Make an account of a bot."""
        bot = User(userid, "", "", "bot", 0.0)
        self.add_user(bot._replace(reminders=0, news=0, html=0, pictures=0, listed=0))

    def bot_turns(self, count: int) -> list[BotTurn]:
        """At most so many boards on which a bot is to move, the oldest turn first."""
        return [BotTurn(*row) for row in self._run(_TURNS, count=count)]

    def delay_letter(self, letter: int, due: float) -> None:
        """Send a letter that nobody has claimed not before then."""
        self.write_letters()
        self._do(_SET_DUE, letter=letter, when=due)

    def unclaimed(self, userid: str) -> list[tuple[int, bytes]]:
        """The letters to an account that are held back and that nobody has begun to send, the newest first.

        Of each its number and what it says. Nobody can claim them before this transaction ends.
        """
        self.write_letters()
        return [
            (number, bytes(content)) for number, content in self._run(_UNCLAIMED, userid=userid)
        ]

    def replace_letter(self, letter: int, content: bytes, due: float) -> None:
        """Let an unclaimed letter say something else, and go out then."""
        self._do(_SET_CONTENT, which=letter, content=content)
        self._do(_SET_DUE, letter=letter, when=due)
