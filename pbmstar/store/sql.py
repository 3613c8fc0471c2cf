"""Every statement of the store, built once at import; ``Tx`` runs them by these names."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    Table,
    and_,
    bindparam,
    delete,
    func,
    insert,
    literal_column,
    or_,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import insert as upsert

from . import tables as t
from .rows import Waiting


def p(name: str) -> Any:
    """A parameter of a prebuilt statement."""
    return bindparam(name)


def _values(table: Table, *leave: str) -> dict[str, Any]:
    return {c.name: p(c.name) for c in table.c if c.name not in leave}


_users, _tokens, _boards, _moves, _outbox = t.users.c, t.tokens.c, t.boards.c, t.moves.c, t.outbox.c
# Written out, not bound: a partial index serves only a condition that the planner can read.
_in_play = _boards.to_move != literal_column("''")
_new = _outbox.state == literal_column("'new'")
_playing = or_(_boards.first == p("userid"), _boards.second == p("userid"))

KEYS = select(t.keys.c.id, t.keys.c.key).order_by(t.keys.c.id.desc())
ADD_KEY = insert(t.keys).values(key=p("key"), made=p("made"))

USER = select(t.users).where(_users.userid == p("userid"))
USER_AT = select(t.users).where(_users.address == p("address")).order_by(_users.userid)
USERS = select(t.users).order_by(_users.userid)
ADD_USER = insert(t.users).values(**_values(t.users))
SET_PASSWORD = update(t.users).where(_users.userid == p("who")).values(password=p("password"))
SET_ADDRESS = (
    update(t.users).where(_users.userid == p("who")).values(address=p("address"), state="active")
)
SET_STATE = update(t.users).where(_users.userid == p("who")).values(state=p("state"))
CLOSE = (
    update(t.users).where(_users.userid == p("who")).values(state="closed", address="", password="")
)

TOKEN = select(t.tokens).where(_tokens.hash == p("hash"))
ADD_TOKEN = insert(t.tokens).values(**_values(t.tokens))
DROP_TOKENS = delete(t.tokens).where(_tokens.userid == p("userid"), _tokens.kind == p("kind"))
COUNT_TOKENS = select(func.count()).where(
    _tokens.address == p("address"), _tokens.made > p("after")
)
PRUNE_TOKENS = delete(t.tokens).where(_tokens.made < p("before"))

FAILURE = select(t.failures.c.count, t.failures.c.last, t.failures.c.until).where(
    t.failures.c.userid == p("userid")
)
_new_failure = upsert(t.failures).values(**_values(t.failures))
SET_FAILURE = _new_failure.on_conflict_do_update(
    index_elements=["userid"],
    set_={name: _new_failure.excluded[name] for name in ("count", "last", "until")},
)
DROP_FAILURE = delete(t.failures).where(t.failures.c.userid == p("userid"))
PRUNE_FAILURES = delete(t.failures).where(
    t.failures.c.last < p("before"), t.failures.c.until < p("before")
)

BOARD = select(t.boards).where(_boards.board == p("board")).with_for_update()
ADD_BOARD = insert(t.boards).values(**_values(t.boards, "board")).returning(_boards.board)
SET_TURN = (
    update(t.boards)
    .where(_boards.board == p("number"))
    .values(
        length=p("length"), to_move=p("to_move"), result=p("result"), since=p("since"), offer=""
    )
)
SET_OFFER = update(t.boards).where(_boards.board == p("number")).values(offer=p("offer"))
SET_RESETS = update(t.boards).where(_boards.board == p("number")).values(resets=_boards.resets + 1)
DROP_BOARD = delete(t.boards).where(_boards.board == p("board"))
DROP_MOVES = delete(t.moves).where(_moves.board == p("board"), _moves.seq >= p("seq"))
DROP_REMINDERS = delete(t.reminders).where(t.reminders.c.board == p("board"))
BOARDS = select(t.boards).where(_boards.board > p("after")).order_by(_boards.board).limit(500)
BOARDS_OF = select(t.boards).where(_playing).order_by(_boards.board)
BOARDS_NEXT = (
    select(t.boards).where(_boards.to_move == p("userid"), _playing).order_by(_boards.board)
)
BOARDS_ACTIVE = select(t.boards).where(_playing, _in_play).order_by(_boards.board)
BOARDS_FINISHED = select(t.boards).where(_playing, ~_in_play).order_by(_boards.board)
DUE = (
    select(t.boards)
    .where(
        _in_play,
        _boards.since <= p("before"),
        or_(
            _boards.since > p("since"),
            and_(_boards.since == p("since"), _boards.board > p("board")),
        ),
    )
    .order_by(_boards.since, _boards.board)
    .limit(500)
)

MOVES = select(t.moves).where(_moves.board == p("board")).order_by(_moves.seq)
ADD_MOVE = insert(t.moves).values(**_values(t.moves))

HANDLED = (
    upsert(t.handled)
    .values(**_values(t.handled))
    .on_conflict_do_nothing(index_elements=["digest"])
    .returning(t.handled.c.at)
)
HANDLED_AT = select(t.handled.c.at).where(t.handled.c.digest == p("digest"))
HANDLED_AGAIN = update(t.handled).where(t.handled.c.digest == p("which")).values(at=p("at"))
SET_OUTCOME = update(t.handled).where(t.handled.c.digest == p("which")).values(outcome=p("outcome"))
PRUNE_HANDLED = delete(t.handled).where(t.handled.c.at < p("before"))

ADD_LETTER = insert(t.outbox).values(**_values(t.outbox, "id", "sent")).returning(_outbox.id)
CLAIM = (
    update(t.outbox)
    .where(
        _outbox.id.in_(
            select(_outbox.id)
            .where(_new, _outbox.due <= p("now"))
            .order_by(_outbox.id)
            .limit(p("count"))
            .with_for_update(skip_locked=True)
        )
    )
    .values(due=p("until"), owner=p("claimer"), tries=_outbox.tries + 1)
    .returning(
        _outbox.id,
        _outbox.message_id,
        _outbox.address,
        _outbox.sender,
        _outbox.content,
        _outbox.tries,
    )
)
RELEASE = (
    update(t.outbox).where(_new, _outbox.owner == p("claimer")).values(due=_outbox.made, owner="")
)
SENT = (
    update(t.outbox)
    .where(_outbox.id == p("letter"))
    .values(state="sent", sent=p("at"), content=b"", owner="", trouble="")
)
RETRY = (
    update(t.outbox)
    .where(_outbox.id == p("letter"))
    .values(due=p("due_at"), owner="", trouble=p("why"))
)
DEAD = (
    update(t.outbox)
    .where(_outbox.id == p("letter"))
    .values(state="dead", owner="", trouble=p("why"))
)
WAITING = (
    select(*(_outbox[name] for name in Waiting._fields))
    .where(_outbox.state != "sent")
    .order_by(_outbox.id)
)
REVIVE = (
    update(t.outbox)
    .where(_outbox.state != "sent", _outbox.id == p("letter"))
    .values(state="new", due=p("at"), owner="")
)
LETTER = select(_outbox.state, _outbox.sent).where(_outbox.id == p("letter"))
PRUNE_LETTERS = delete(t.outbox).where(_outbox.state == "sent", _outbox.made < p("before"))

REMINDED = select(t.reminders.c.stage, t.reminders.c.letter, t.reminders.c.at).where(
    t.reminders.c.board == p("board"),
    t.reminders.c.resets == p("resets"),
    t.reminders.c.seq == p("seq"),
)
ADD_REMINDER = insert(t.reminders).values(**_values(t.reminders))

ADD_AUDIT = insert(t.audit).values(**_values(t.audit, "id"))
AUDIT = select(t.audit).order_by(t.audit.c.id)
