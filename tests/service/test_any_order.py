"""Two players whose mails are doubled, held up and shuffled on the way, against a tiny model."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import pytest
from harness.office import PASSWORD, Got, Office, address
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from pbmstar.errors import BadInput
from pbmstar.service import admin
from pbmstar.service.checking import differences

CELLS = ("B2", "C2", "D2", "A3", "B3", "C3", "D3", "A4", "B4", "C4")
SIZE = "-size=3"


class Mails(RuleBasedStateMachine):
    """Mails are written, lie about, and are delivered once or more, in any order.

    The model knows no rules of the game: whose turn it is, the moves played, the seats, the passes.
    """

    office: ClassVar[Office]

    def __init__(self) -> None:
        super().__init__()
        self.under_way: list[tuple[bytes, str, dict[str, Any]]] = []
        self.done: set[bytes] = set()
        self.tokens: dict[str, tuple[str, int, int]] = {}  # address -> player, resets, turn

    # -- the model

    @initialize()
    def begin(self) -> None:
        """A new board, and nothing played on it."""
        self.record: list[str] = []
        self.resets = 0
        self.x, self.o = "alice", "bob"
        self.result: str | None = None
        letters = self.office.send("alice", f"star challenge {SIZE} alice bob")
        self.board = int(letters[0].mail["X-Pbmstar-Board"])
        self.learn(letters)

    @property
    def numbered(self) -> int:
        """How many moves took a number."""
        return sum(move not in ("swap", "resign") for move in self.record)

    @property
    def to_move(self) -> str:
        if self.result is not None:
            return ""
        return (self.x, self.o)[self.numbered % 2]

    def model_plays(self, who: str, move: str, guard: int | None) -> bool:
        """Whether the move is played; if it is, the model has played it."""
        if self.result is not None:
            return False
        if move == "resign":
            self.result = {"alice": "bob", "bob": "alice"}[who]
            self.record.append(move)
            return True
        if who != self.to_move or guard not in (None, self.numbered + 1):
            return False
        if move == "swap":
            if len(self.record) != 1 or self.record[0] == "pass":
                return False
            self.x, self.o = self.o, self.x
        elif move in self.record and move != "pass":
            return False
        self.record.append(move)
        if self.record[-2:] == ["pass", "pass"]:
            self.result = "passes"
        elif len(set(self.record) - {"pass", "swap"}) == 12:
            self.result = "full"
        return True

    def learn(self, letters: list[Got]) -> None:
        """Keep the reply addresses, and what they speak for."""
        for letter in letters:
            if letter.mail["Reply-To"]:
                who = letter.to.partition("@")[0]
                self.tokens[letter.reply_to] = (who, self.resets, len(self.record))

    # -- mails

    @rule(
        who=st.sampled_from(["alice", "bob"]),
        move=st.sampled_from([*CELLS, "pass", "swap"]),
        guarded=st.booleans(),
        wrong=st.sampled_from([False, False, False, True]),
    )
    def write_command(self, who: str, move: str, guarded: bool, wrong: bool) -> None:
        """A move by command, some with a guard, some with a wrong password."""
        guard = self.numbered + 1 if guarded else None
        password = "wr0ngone" if wrong else PASSWORD[who]
        line = f"star move {self.board} {who} {password} {move}" + (f"#{guard}" if guard else "")
        raw = self.office.write(who, line)
        facts = {"who": who, "move": move, "guard": guard, "wrong": wrong, "token": None}
        self.under_way.append((raw, "star@pbm.example", facts))

    @precondition(lambda self: self.tokens)
    @rule(
        data=st.data(),
        move=st.sampled_from([*CELLS, "pass", "swap"]),
        thief=st.sampled_from([False, False, False, True]),
    )
    def write_reply(self, data: st.DataObject, move: str, thief: bool) -> None:
        """A reply to one of the letters so far, some from another address."""
        to = data.draw(st.sampled_from(list(self.tokens)))
        who = self.tokens[to][0]
        sender = "mallory@evil.example" if thief else who
        raw = self.office.write(sender, "Re: board", move, to)
        facts = {"who": who, "move": move, "guard": None, "wrong": thief, "token": self.tokens[to]}
        self.under_way.append((raw, to, facts))

    @rule(who=st.sampled_from(["alice", "bob"]), really=st.integers(0, 9))
    def write_resignation(self, who: str, really: int) -> None:
        """Now and then somebody gives up."""
        if really:
            return
        raw = self.office.write(who, f"star resign {self.board} {who} {PASSWORD[who]}")
        facts = {"who": who, "move": "resign", "guard": None, "wrong": False, "token": None}
        self.under_way.append((raw, "star@pbm.example", facts))

    @precondition(lambda self: self.under_way)
    @rule(data=st.data(), keep=st.booleans())
    def deliver(self, data: st.DataObject, keep: bool) -> None:
        """One of the mails arrives; some will arrive again."""
        place = data.draw(st.integers(0, len(self.under_way) - 1))
        raw, to, facts = self.under_way[place]
        if not keep:
            del self.under_way[place]
        outcome = self.office.deliver(raw, to=to)
        letters = self.office.letters()
        if raw in self.done:
            assert outcome.name == "duplicate"
            assert letters == []
            return
        self.done.add(raw)
        token = facts["token"]
        stale = token is not None and token[1:] != (self.resets, len(self.record))
        applied = (
            not facts["wrong"]
            and not stale
            and self.model_plays(facts["who"], facts["move"], facts["guard"])
        )
        assert (outcome.name == "applied") == applied, outcome
        boards = [letter for letter in letters if "Error" not in letter.subject]
        if applied:
            assert sorted(letter.to for letter in boards) == [address("alice"), address("bob")]
            assert boards == letters
        else:
            assert all("Board" not in letter.subject for letter in boards)
        self.learn(letters)

    @precondition(lambda self: self.record)
    @rule(data=st.data(), really=st.integers(0, 3))
    def put_back(self, data: st.DataObject, really: int) -> None:
        """The operator puts the board back to before some move."""
        if really:
            return
        before = data.draw(st.integers(1, self.numbered + 1))
        kept: list[str] = []
        for move in self.record:
            played = sum(m not in ("swap", "resign") for m in kept)
            if move == "resign" or (move != "swap" and played == before - 1):
                break
            if move == "swap" and before < 2:
                break
            kept.append(move)
        if kept == self.record:
            with pytest.raises(BadInput):
                self.office.at_desk(admin.reset_board, self.board, before)
            return
        self.office.at_desk(admin.reset_board, self.board, before)
        self.record, self.result = kept, None
        self.x, self.o = ("bob", "alice") if "swap" in kept else ("alice", "bob")
        self.resets += 1
        self.learn(self.office.letters())

    @rule(hours=st.integers(1, 40))
    def time_passes(self, hours: int) -> None:
        """Less than any reminder waits for, each time."""
        self.office.now += hours * 60

    # -- what always holds

    @invariant()
    def the_board_is_the_models(self) -> None:
        """Record, turn and result are the model's; and nothing is wrong in the store."""
        row = self.office.row(self.board)
        assert row is not None
        assert self.office.record(self.board) == self.record
        assert row.to_move == self.to_move
        assert bool(row.result) == (self.result is not None)
        if self.result in ("alice", "bob"):
            assert row.result == self.result
        assert self.office.at_desk(lambda desk: list(differences(desk.tx, row))) == []


def test_mails_in_any_order(office: Office) -> None:
    """D1 D4: whatever the order, each mail has its effect once or not at all."""
    object.__setattr__(office.context, "config", replace(office.config, limits=False))
    Mails.office = office
    run_state_machine_as_test(
        Mails,
        settings=settings(
            max_examples=25,
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
    assert office.check() == []
