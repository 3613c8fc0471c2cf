"""Bots and crashes: each turn of a bot is answered exactly once, and always with the same move."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from itertools import count
from pathlib import Path

import pytest
from crash.running import TO, delivered, send, server_of
from harness import quickbot
from harness.postgresql import Postgresql
from harness.server import Server, children, until
from harness.sink import Sink

from pbmstar.bots import rules as manners
from pbmstar.match import Match
from pbmstar.store import Store
from pbmstar.thinking.worker import WEAKEST

KILLS = 14
_serial = count(1)


def start(server: Server, folder: Path) -> None:
    """The daemon, its bots at once with their moves, and nothing that compiles for half a minute."""
    quickserve = Path(quickbot.__file__).with_name("quickserve.py")
    server.start((str(quickserve), str(folder)))


def match_of(store: Store, board: int) -> Match | None:
    with store.transaction() as tx:
        row = tx.boards.get(board)
        return row.match(tx.boards.record(board)) if row else None


def mail(subject: str) -> bytes:
    """A mail by alice."""
    return (
        f"From: alice@alice.example\r\nTo: {TO}\r\nSubject: {subject}\r\n"
        f"Message-ID: <{next(_serial)}@bots.example>\r\n\r\n\r\n"
    ).encode()


def say(server: Server, subject: str) -> None:
    """A mail by alice, sent until it is taken."""
    raw = mail(subject)

    def is_taken() -> bool:
        with suppress(OSError):
            return send(server.port, raw).startswith("250")
        time.sleep(0.02)
        return False

    until(is_taken, "250")


def thinking(server: Server) -> list[int]:
    """The processes of the daemon that think."""
    return children(server.pid, "quickbot")


Matches = list[Match]


def play(
    servers: Sequence[Server], store: Store, disturb: Callable[[random.Random], object]
) -> Matches:
    """Four games on boards 1 to 4 by way of any of the servers, which are disturbed between the moves."""
    chance, boards = random.Random(1), range(1, 5)
    for board in boards:
        say(chance.choice(servers), f"star challenge -size=3 alice bot{2 * board}")

    def matches() -> Matches:
        return [match for board in boards if (match := match_of(store, board))]

    while running := [match for match in matches() if match.to_move]:
        time.sleep(chance.uniform(0.0, 0.25))
        disturb(chance)
        for match in running:
            if match.to_move == "alice":
                move = chance.choice(list(match.position.moves())[:-1])
                server = chance.choice(servers)
                say(server, f"star move {match.number} alice s3cret {move}#{match.turn}")
    return matches()


def are_answered(ended: Matches, folders: Sequence[Path], killed: bool = False) -> None:
    """Assert that each move of a bot is the one that its turn, asked again or not, must have.

    Where processes that think are killed, the weakest level answers some turns, and the rule answers
    some; the bot's own level must then have answered most.
    """
    files = [folder / "asked" for folder in folders]
    asked = [json.loads(line) for file in files for line in file.read_text().splitlines()]
    seeds: dict[tuple[int, tuple[str, ...]], set[int]] = {}
    for each in asked:
        seeds.setdefault((each["level"], tuple(each["moves"])), set()).add(each["seed"])

    def moves_of(level: int, moves: Sequence[str]) -> set[str]:
        """What that level answers to each question that it was asked in that position: one, or none."""
        request = {"game": "star", "options": '{"size": 3}', "moves": moves}
        own = seeds.get((level, tuple(moves)), set())
        assert len(own) <= 1  # the turn of one board: asked again it is the same question
        return {quickbot.answer({**request, "seed": seed})["move"] for seed in own}

    by_level = Counter[str]()
    for match in ended:
        moves = [entry.move for entry in match.record]
        for place, entry in enumerate(match.record):
            if entry.userid == "alice" or entry.move in ("resign", "pass"):
                continue
            if entry.move in moves_of(match.number * 2, moves[:place]):
                by_level["own"] += 1
                continue
            before = match.before_last(len(moves) - place)
            rule = manners.nearest_the_middle(before, entry.userid).text
            assert killed
            assert entry.move in {*moves_of(WEAKEST, moves[:place]), rule}
            by_level["weaker"] += 1
    assert by_level["own"] > by_level["weaker"]
    print(f"{len(asked)} requests, {dict(by_level)}")


def is_told_once(sink: Sink) -> None:
    """Assert that no letter came twice, and none that shows what another one has shown."""
    heads = rb"(?m)^X-Pbmstar-(?:Board|Move|To-Move|Result): (\S*)\r$"
    shown = Counter(tuple(re.findall(heads, letter.content)) for letter in sink.letters)
    assert [each for each, times in shown.items() if times > 1] == []


@pytest.mark.slow
def test_killed_at_any_moment(database: str, tmp_path: Path) -> None:
    """The daemon and the process that thinks are killed at random moments of four games."""
    left = KILLS

    def kill(chance: random.Random) -> None:
        nonlocal left
        left -= left > 0
        if not left:
            return
        if chance.random() < 0.5:
            for child in thinking(server):
                with suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)
        else:
            server.kill()
            start(server, tmp_path)

    with (
        Sink() as sink,
        server_of(tmp_path, database, sink.url, bots="1") as server,
        closing(Store(database)) as store,
    ):
        server.add("alice")
        start(server, tmp_path)
        ended = play([server], store, kill)
        server.kill()
    assert left <= KILLS - 8
    are_answered(ended, [tmp_path], killed=True)
    assert server.says("admin", "check") == "0 differences.\n"


@pytest.mark.slow
def test_two_daemons_think_on_one_database(
    request: pytest.FixtureRequest, database: str, tmp_path: Path
) -> None:
    """Both may think about a turn: it is answered once, and told once."""
    if not request.config.getoption("--postgresql"):
        pytest.skip("needs --postgresql")
    folders = [tmp_path / "one", tmp_path / "two"]
    with (
        Sink() as sink,
        server_of(folders[0], database, sink.url, bots="1") as one,
        server_of(folders[1], database, sink.url, bots="1") as other,
        closing(Store(database)) as store,
    ):
        one.add("alice")
        for server in (one, other):
            (server.folder / "ills").write_text("slow " * 6)
            start(server, server.folder)
        ended = play([one, other], store, lambda _chance: None)
        delivered(database)
        assert [server.stop() for server in (one, other)] == [0, 0]
    assert one.logged("bots") + other.logged("bots") == []
    are_answered(ended, folders)
    is_told_once(sink)
    assert one.says("admin", "check") == "0 differences.\n"


@pytest.mark.slow
@pytest.mark.usefixtures("database")  # so that it is among the tests on PostgreSQL
def test_the_database_dies_while_bots_think(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """PostgreSQL is killed and started again: both daemons go on, and each turn is answered once."""
    if not request.config.getoption("--postgresql"):
        pytest.skip("needs --postgresql")
    folders = [tmp_path / "one", tmp_path / "two"]
    left = 4

    def kill(_chance: random.Random) -> None:
        nonlocal left
        if left:
            left -= 1
            postgresql.kill()
            postgresql.start()

    with (
        Postgresql() as postgresql,
        Sink() as sink,
        server_of(folders[0], postgresql.url, sink.url, bots="1") as one,
        server_of(folders[1], postgresql.url, sink.url, bots="1") as other,
        closing(Store(postgresql.url)) as store,
    ):
        one.add("alice")
        for server in (one, other):
            start(server, server.folder)
        ended = play([one, other], store, kill)
        delivered(postgresql.url)
        assert [server.stop() for server in (one, other)] == [0, 0]
        assert one.says("admin", "check") == "0 differences.\n"
    assert not left
    are_answered(ended, folders)


@pytest.mark.slow
def test_a_daemon_answers_within_seconds_and_in_one_letter(database: str, tmp_path: Path) -> None:
    with Sink() as sink, server_of(tmp_path, database, sink.url, bots="1") as server:
        server.add("alice")
        start(server, tmp_path)
        say(server, "star challenge -size=4 bot3 alice")
        until(lambda: sink.count >= 1, "the letter with the bot's first move")
        (letter,) = sink.letters
        assert re.search(rb"(?m)^bot3 played \S+\.", letter.content), letter
        # The process that answered may have ended already, if numba was still compiling then.
        children = list(thinking(server))
        assert server.stop() == 0
        assert not [child for child in children if Path(f"/proc/{child}").exists()]
