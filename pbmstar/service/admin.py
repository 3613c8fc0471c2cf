"""What the operator may do: the same functions as by mail, told to the players, noted for audit."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from .. import identity
from ..command import RESERVED, Secret
from ..errors import BadInput, IllegalMove
from ..match import Match, replay
from ..store import Board, Tx, User, Waiting
from . import accounts, checking, play
from .desk import Desk


def add_user(desk: Desk, userid: str, address: str, password: Secret) -> None:
    """Open an account without confirmation by mail. Raises BadInput."""
    if userid in RESERVED or desk.tx.user(userid):
        raise BadInput(f"The userid {userid} is not free.")
    hashed = identity.hash_password(password)
    desk.tx.add_user(User(userid, address.lower(), hashed, "active", desk.now))
    note(desk, f"user add {userid}")


def user(tx: Tx, userid: str) -> User:
    """The account of that userid. Raises BadInput if there is none."""
    found = tx.user(userid)
    if found is None:
        raise BadInput(f"There is no user {userid}.")
    return found


def _open(desk: Desk, userid: str) -> User:
    """The account of that userid. Raises BadInput if there is none, or if it is closed."""
    found = user(desk.tx, userid)
    if found.state == "closed":
        raise BadInput(f"The account {userid} is closed.")
    return found


def remove_user(desk: Desk, userid: str) -> None:
    """Close an account; its running games are resigned."""
    accounts.close_account(desk, _open(desk, userid))
    note(desk, f"user remove {userid}")


def set_password(desk: Desk, userid: str, password: Secret) -> None:
    """Give an account another password."""
    accounts.set_password(desk, _open(desk, userid), password)
    note(desk, f"user password {userid}")


def set_address(desk: Desk, userid: str, address: str) -> None:
    """Give an account another address without confirmation; both addresses are told."""
    accounts.move_account(desk, _open(desk, userid).userid, address.lower())
    note(desk, f"user address {userid}")


def suppress(desk: Desk, address: str, lift: bool = False) -> None:
    """Write to an address no more unless an account has it; or lift that. Raises BadInput."""
    mark = identity.address_mark(accounts.usable_address(desk, address))
    if not lift:
        desk.tx.suppress(mark, desk.now)
    elif not desk.tx.lift(mark):
        raise BadInput("That address is not suppressed.")
    note(desk, f"suppress{' --lift' if lift else ''} {mark}")


def _match(desk: Desk, number: int) -> Match:
    """The match of a board; of a corrupt record the part that can be replayed. Raises BadInput."""
    try:
        return play.load(desk, number)
    except IllegalMove:
        row = desk.tx.board(number)
        assert row is not None
        record = [move for seq, move in enumerate(desk.tx.record(number)) if move.seq == seq]
        match = replay(row, ())
        for length in range(1, len(record) + 1):
            try:
                match = replay(row, record[:length])
            except IllegalMove:
                break
        return match


def remove_board(desk: Desk, number: int) -> None:
    """Delete a board; both players are told."""
    match = _match(desk, number)
    play.remove(desk, match, "The operator has removed this board.")
    note(desk, f"board remove {number}: {record_text(match)}")


def reset_board(desk: Desk, number: int, before: int) -> Match:
    """Put a board back to before move ``before``; both players are told. Raises BadInput.

    A swap made before that move stands; an end by resignation, forfeit or agreement does not. What
    is wrong with the board, so that ``check`` reports it, is put right by this as well.
    """
    match = _match(desk, number)
    if not 1 <= before <= match.turn:
        raise BadInput(
            f"Board {number} has had {match.position.played} moves; 1 to {match.turn} will do."
        )
    keep = 0
    for entry in match.record:
        if entry.number is not None and entry.number >= before:
            break
        if entry.number is None and entry.move != "swap":
            break
        keep += 1
    if keep == match.row.length and not any(checking.differences(desk.tx, match.row)):
        raise BadInput(f"Board {number} stands before move {before} already.")
    desk.tx.cut_record(number, keep)
    row = match.row._replace(resets=match.row.resets + 1, offer="")
    after = replay(row, match.record[:keep])
    desk.tx.set_turn(number, keep, after.to_move, after.result, desk.now)
    after = Match(
        row._replace(length=keep, to_move=after.to_move, result=after.result, since=desk.now),
        after.record,
        after.position,
    )
    where = "to the empty board" if before == 1 else f"to before move {before}"
    desk.post_board(after, notices=(f"The operator has put this board back {where}.",))
    note(desk, f"board reset {number} --to-move {before}: {record_text(match)}")
    return after


def rotate_keys(desk: Desk, void: bool) -> int:
    """Make a new key, which signs reply addresses from now on; returns its number.

    With ``void`` all older ones are forgotten, and the addresses in letters sent before are void.
    """
    desk.tx.add_key(desk.context.random(32), desk.now)
    newest = desk.tx.keys()[0][0]
    if void:
        desk.tx.drop_keys(newest)
    note(desk, f"key rotate{' --void' if void else ''}")
    return newest


def status(desk: Desk, quarantined: int) -> dict[str, Any]:
    """How the server is: counts for a person or a monitoring program."""
    boards = list(all_boards(desk.tx))
    letters = desk.tx.letters()
    waiting = [letter for letter in letters if letter.state == "new"]
    return {
        "users": sum(user.state == "active" for user in desk.tx.users()),
        "suspended": sum(user.state == "suspended" for user in desk.tx.users()),
        "boards": len(boards),
        "running": sum(bool(row.to_move) for row in boards),
        "letters_waiting": len(waiting),
        "oldest_letter_seconds": int(max((desk.now - each.made for each in waiting), default=0)),
        "letters_refused": len(letters) - len(waiting),
        "quarantined": quarantined,
    }


def note(desk: Desk, act: str) -> None:
    """Write an audit line."""
    desk.tx.add_audit(desk.now, "operator", act)


# -- listings, for people and programs


def when(at: float) -> str:
    """A time as ISO 8601 in UTC, to the second."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def record_text(match: Match) -> str:
    """The record in one line."""
    return " ".join(entry.move.replace(" ", ",") for entry in match.record)


def played_text(match: Match) -> str:
    """The moves in one line, as ``analyse`` reads them, without an end that the board does not show."""
    record = (m.move for m in match.record if m.number is not None or m.move == "swap")
    return " ".join(move.replace(" ", ",") for move in record)


def board_facts(match: Match) -> dict[str, Any]:
    """One board as the JSON object that is promised."""
    return {
        "board": match.number,
        "game": match.game.word,
        "options": _options(match),
        "players": match.players,
        "moves": [
            {"number": m.number, "userid": m.userid, "move": m.move, "at": when(m.at)}
            for m in match.record
        ],
        "to_move": match.to_move or None,
        "over": match.position.over,
        "result": match.result or None,
    }


def board_line(row: Board) -> dict[str, Any]:
    """One board in a listing."""
    return {
        "board": row.board,
        "game": row.game,
        "options": json.loads(row.options),
        "first": row.first,
        "second": row.second,
        "to_move": row.to_move or None,
        "over": not row.to_move,
        "result": row.result or None,
        "since": when(row.since),
    }


def export(match: Match) -> str:
    """One board as text: facts, then the moves as ``pbmstar analyse`` takes them, and the drawing."""
    words = [match.game.word, match.game.described(), played_text(match)]
    lines = [
        f"Board {match.number}: {match.game.title}, {match.row.first} against {match.row.second}",
        f"Begun {when(match.row.made)}; {_state(match)}",
        "pbmstar analyse " + " ".join(_quoted(word) for word in " ".join(words).split()),
    ]
    for entry in match.record:
        number = "-" if entry.number is None else str(entry.number)
        lines.append(f"{number:>5} {when(entry.at)} {entry.userid:<16} {entry.move}")
    return "\n".join(lines) + "\n" + match.game.draw(match.position.stones)


def _quoted(word: str) -> str:
    return f"'{word}'" if "*" in word else word


def _state(match: Match) -> str:
    return f"over, result {match.result}" if match.position.over else f"{match.to_move} is to move"


def _options(match: Match) -> dict[str, Any]:
    return {
        option.name: match.game.value(option.name)
        if option.range
        else bool(match.game.value(option.name))
        for option in match.game.options
    }


# -- checking


def check(tx: Tx) -> list[str]:
    """Replay every record and compare what is cached with what follows from it; the differences."""
    found = [problem for row in all_boards(tx) for problem in checking.differences(tx, row)]
    return found + [f"board {number}: moves without a board" for number in tx.stray_records()]


def user_line(found: User) -> dict[str, Any]:
    """One account in a listing."""
    return {
        "userid": found.userid,
        "address": found.address,
        "state": found.state,
        "since": when(found.made),
    }


def letter_line(letter: Waiting) -> dict[str, Any]:
    """One letter in a listing."""
    return {
        "letter": letter.id,
        "state": letter.state,
        "userid": letter.userid,
        "message_id": letter.message_id,
        "tries": letter.tries,
        "due": when(letter.due),
        "made": when(letter.made),
        "trouble": letter.trouble,
    }


def audit_line(number: int, at: float, actor: str, act: str) -> dict[str, Any]:
    """One act in a listing."""
    return {"id": number, "at": when(at), "actor": actor, "act": act}


def all_boards(tx: Tx) -> Iterator[Board]:
    """Every board, in order."""
    after = 0
    while page := tx.boards(after):
        yield from page
        after = page[-1].board


def all_matches(tx: Tx) -> Iterator[Match]:
    """Every board with its record, in order."""
    for row in all_boards(tx):
        yield replay(row, tx.record(row.board))
