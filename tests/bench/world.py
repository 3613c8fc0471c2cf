"""Stores filled for the benchmark, and the mails that play on their boards."""

from __future__ import annotations

import json
import random
import time
from pathlib import Path

import sqlalchemy as sa

from pbmstar import games, identity
from pbmstar.grammar.literals import Secret
from pbmstar.match.terms import USUAL, dump
from pbmstar.store import Store, schema

ADDRESS = "star@bench.example"
PASSWORD = "s3cret"
BANK = 21 * 86_400  # seconds that each player has
CELLS = 40  # moves that are played on one board: about a whole game of size 6, which has 75 cells


def fill(store: Store, boards: int, word: str = "star", players: int = 100) -> None:
    """Accounts p0, p1 ... and so many boards between p2k and p2k+1, each without a move."""
    now = time.time()
    hashed = identity.hash_password(Secret(PASSWORD))
    blank = {"reminders": 1, "most": None, "refuses": "", "bounces": 0.0, "state": "active",
             "password": hashed, "made": now}  # fmt: skip
    users = [{**blank, "userid": f"p{i}", "address": f"p{i}@bench.example"} for i in range(players)]
    with store.engine.begin() as connection:
        connection.execute(sa.insert(schema.users), users)
        for start in range(0, boards, 10_000):
            numbers = range(start, min(start + 10_000, boards))
            connection.execute(
                sa.insert(schema.boards), [_board(i, word, players, now) for i in numbers]
            )
            connection.execute(
                sa.insert(schema.seats),
                [
                    {"board": i + 1, "seat": seat, "userid": userid, "bank": BANK}
                    for i in numbers
                    for seat, userid in enumerate(_pair(i, players))
                ],
            )


def _pair(number: int, players: int) -> tuple[str, str]:
    pair = number % (players // 2)
    return f"p{2 * pair}", f"p{2 * pair + 1}"


def _board(number: int, word: str, players: int, now: float) -> dict[str, object]:
    return {
        "game": word, "options": json.dumps({}), "made": now, "resets": 0, "length": 0,
        "to_move": _pair(number, players)[0], "result": "", "since": now, "due": now,
        "terms": dump(USUAL), "clock_from": now,
    }  # fmt: skip


def mails(board: int, pair: int, count: int, word: str = "star") -> list[bytes]:
    """``count`` moves in turn on a board of a pair of players, each a mail of about 1 kB.

    Each board has a game of its own: pictures of equal ones would cost less than they do.
    """
    names = list(games.make(word, {}).grid.names)
    random.Random(board).shuffle(names)
    return [mail(board, f"p{2 * pair + i % 2}", names[i], i + 1, word) for i in range(count)]


def mail(
    board: int, userid: str, move: str, number: int, word: str = "star", password: str = PASSWORD
) -> bytes:
    """One move as a player's mail program sends it."""
    talk = "\r\n".join(f"{n}: a line of talk about the game, as people write." for n in range(8))
    return (
        f"Received: from mail.bench.example by mx.bench.example with ESMTPS id {board}.{number};\r\n"
        f"        Sat, 21 Nov 2026 10:00:00 +0000\r\n"
        f"From: {userid} <{userid}@bench.example>\r\nTo: <{ADDRESS}>\r\n"
        f"Subject: {word} move {board} {userid} {password} {move}#{number}\r\n"
        f"Message-ID: <{board}.{number}.{userid}@mail.bench.example>\r\n"
        "Date: Sat, 21 Nov 2026 10:00:00 +0000\r\nMIME-Version: 1.0\r\n"
        "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 7bit\r\n"
        f"\r\n{talk}\r\n"
    ).encode()


def challenge(number: int, words: str) -> bytes:
    """A challenge by p0, the ``number``-th."""
    return (
        f"From: p0@bench.example\r\nTo: <{ADDRESS}>\r\nSubject: {words}\r\n"
        f"Message-ID: <challenge.{number}@mail.bench.example>\r\n\r\n\r\n"
    ).encode()


def open_spool(folder: Path, boards: int, word: str = "star", url: str = "") -> Store:
    """A new spool with so many boards; its store, open. By default that is a file in the spool."""
    folder.mkdir(parents=True)
    store = Store(url or f"sqlite:///{folder}/pbmstar.db")
    fill(store, boards, word)
    return store
