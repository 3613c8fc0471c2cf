"""Two players whose mails are doubled, held up and shuffled on the way, against a tiny model."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import NamedTuple

import pytest
from harness.letters import PASSWORD, SERVER, Got
from harness.office import Office, address

CELLS = ("B2", "C2", "D2", "A3", "B3", "C3", "D3", "A4", "B4", "C4", "C1", "D1")
OTHER = {"alice": "bob", "bob": "alice"}


class Token(NamedTuple):
    """What a reply address speaks for."""

    who: str
    resets: int
    length: int


class Mail(NamedTuple):
    """A mail under way; ``token`` is None for a command, ``wrong``: it proves nothing."""

    raw: bytes
    to: str
    who: str
    move: str
    guard: int | None = None
    wrong: bool = False
    token: Token | None = None


class Walk:
    """A random walk: mails are written, lie about, and are delivered once or more, in any order.

    The model knows no rules of the game: whose turn it is, the moves played, the seats, the passes.
    """

    def __init__(self, office: Office, seed: int) -> None:
        self.office, self.rng = office, random.Random(seed)
        self.done: set[bytes] = set()
        self.played = self.duplicates = self.refused = 0
        self.begin()

    def begin(self) -> None:
        """A new board, and nothing played on it."""
        self.under_way: list[Mail] = []
        self.tokens: dict[str, Token] = {}
        self.record: list[str] = []
        self.resets, self.x, self.o, self.result = 0, "alice", "bob", ""
        letters = self.office.send("alice", "star challenge -size=3 alice bob")
        self.board = int(letters[0].mail["X-Pbmstar-Board"])
        self.learn(letters)

    @property
    def numbered(self) -> int:
        """How many moves took a number."""
        return sum(move not in ("swap", "resign") for move in self.record)

    @property
    def to_move(self) -> str:
        return "" if self.result else (self.x, self.o)[self.numbered % 2]

    def plays(self, mail: Mail) -> bool:
        """Whether the move is played; if it is, the model has played it."""
        who, move = mail.who, mail.move
        stale = mail.token and mail.token[1:] != (self.resets, len(self.record))
        if mail.wrong or stale or self.result:
            return False
        if move == "resign":
            self.result = OTHER[who]
        elif who != self.to_move or mail.guard not in (None, self.numbered + 1):
            return False
        elif move == "swap":
            if len(self.record) != 1 or self.record[0] == "pass":
                return False
            self.x, self.o = self.o, self.x
        elif move in self.record and move != "pass":
            return False
        self.record.append(move)
        if self.record[-2:] == ["pass", "pass"] or len({*self.record} & {*CELLS}) == len(CELLS):
            self.result = "by points"
        return True

    def learn(self, letters: list[Got]) -> None:
        """Keep the reply addresses, and what they speak for."""
        for letter in letters:
            if letter.mail["Reply-To"]:
                who = letter.to.partition("@")[0]
                self.tokens[letter.reply_to] = Token(who, self.resets, len(self.record))

    def write(self) -> None:
        """A mail by who is to move, mostly: a command or a reply, now and then with a wrong proof."""
        who = self.to_move if self.rng.random() < 0.8 else self.rng.choice(["alice", "bob"])
        move = self.rng.choice([*CELLS, "pass", "swap"])
        move = "resign" if self.rng.random() < 0.02 else move
        wrong = self.rng.random() < 0.1
        if self.rng.random() < 0.5:
            to = self.rng.choice(list(self.tokens)[-4:])
            token = self.tokens[to]
            raw = self.office.write("mallory" if wrong else token.who, "Re: board", move, to)
            self.under_way.append(Mail(raw, to, token.who, move, None, wrong, token))
            return
        guard = self.numbered + 1 if self.rng.random() < 0.5 and move != "resign" else None
        word = f"{move}#{guard}" if guard else move
        line = f"star move {self.board} {who} {'wr0ngone' if wrong else PASSWORD[who]} {word}"
        self.under_way.append(Mail(self.office.write(who, line), SERVER, who, move, guard, wrong))

    def deliver(self) -> None:
        """One of the mails arrives; some will arrive again."""
        mail = self.rng.choice(self.under_way[-6:])
        if self.rng.random() < 0.7:
            self.under_way.remove(mail)
        outcome, letters = self.office.deliver(mail.raw, to=mail.to), self.office.letters()
        if mail.raw in self.done:
            assert (outcome.name, letters) == ("duplicate", [])
            self.duplicates += 1
            return
        self.done.add(mail.raw)
        applied = self.plays(mail)
        assert (outcome.name == "applied") == applied, (outcome, mail, self.record)
        boards = [letter for letter in letters if "Error" not in letter.subject]
        if applied:
            assert [letter.to for letter in letters] == [address("alice"), address("bob")]
            assert boards == letters
        else:
            shown = [letter.subject for letter in boards if "Board" in letter.subject]
            assert all(subject.endswith("?") for subject in shown)  # a move that is only offered
        self.played, self.refused = self.played + applied, self.refused + (not applied)
        self.learn(letters)

    def put_back(self) -> None:
        """The operator puts the board back to before some move."""
        before = self.rng.randint(1, self.numbered + 1)
        left: list[str] = []
        for move in self.record:
            number = sum(each != "swap" for each in left)
            if move == "resign" or (number == before - 1 and (move != "swap" or before < 2)):
                break
            left.append(move)
        done = self.office.run("admin", "board", "reset", str(self.board), "--to-move", str(before))
        assert done.exit_code == (left == self.record), done.output
        if left != self.record:
            self.record, self.result, self.resets = left, "", self.resets + 1
            self.x, self.o = ("bob", "alice") if "swap" in left else ("alice", "bob")
        self.learn(self.office.letters())

    def step(self) -> None:
        """Something happens; afterwards the board is the model's."""
        kind = self.rng.random()
        if not self.under_way or kind < 0.4:
            self.write() if self.to_move or self.rng.random() < 0.3 else self.begin()
        elif kind < 0.97 or not self.record:
            self.deliver()
        else:
            self.put_back()
        self.office.now += 60 * self.rng.randint(0, 10)
        row = self.office.row(self.board)
        assert row is not None
        assert self.office.record(self.board) == self.record
        assert row.to_move == self.to_move
        assert bool(row.result) == bool(self.result)
        assert row.result == self.result or self.result in ("", "by points")


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1])
def test_mails_in_any_order(office_of: Callable[..., Office], seed: int) -> None:
    """D1 D4: whatever the order, each mail has its effect once or not at all."""
    office = office_of(limits="off")
    walk = Walk(office, seed)
    for _ in range(200):
        walk.step()
    assert min(walk.played, walk.duplicates, walk.refused) > 10
    assert office.check() == []
