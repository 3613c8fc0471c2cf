"""The pulse of a node: it strikes out another one that is silent, and lets go when it is silent itself."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from harness.office import Office
from harness.server import PATIENCE, until

from pbmstar.bots.rows import Bots
from pbmstar.delivery.courier import at_once, owner_of
from pbmstar.errors import TemporaryFailure
from pbmstar.smtp import watch as pulses
from pbmstar.smtp.watch import DEAD, NodeHeartbeat
from pbmstar.store import PLAYERS, STRANGERS, NewLetter, Node, Tx


class Courier:
    """One that remembers if it may send."""

    def __init__(self) -> None:
        self.sends = True

    def let_go(self) -> None:
        self.sends = False

    def go_on(self, until: float) -> None:
        assert until < time.monotonic() + DEAD
        self.sends = True


def node(name: str, at: float = 0.0) -> Node:
    return Node(f"id-{name}", name, "0.3.0", 1, at, 0.0)


def writer_of(submit: Any) -> Any:
    """The pulse's own writer, without a thread."""
    ends = {"close": staticmethod(lambda _patience: True)}
    return type("Writer", (), {"submit": staticmethod(submit), **ends})


def pulse_of(office: Office, name: str, **parts: Any) -> NodeHeartbeat:
    """The pulse of a node, not begun."""
    writer = writer_of(at_once(office.store))
    woken = parts.get("wake", lambda: None)
    return NodeHeartbeat(
        office.config, node(name), parts.get("writer", writer), parts.get("couriers", ()), woken
    )


def ask(office: Office, question: Callable[[Tx], Any]) -> Any:
    with office.store.transaction() as tx:
        return question(tx)


def claim(office: Office, name: str) -> None:
    """A node claims a letter of each lane, and a turn."""
    with office.store.transaction() as tx:
        for lane in (PLAYERS, STRANGERS):
            tx.outbox.add(
                NewLetter(f"<{lane}>", "", "x@x.example", "s@s.example", b"x", 1.0, lane=lane)
            )
            tx.outbox.claim(owner_of(f"id-{name}", lane), 1.0, 1e12, 9, (lane,))
        assert tx.of(Bots).think(f"id-{name}.weak", 7, 1.0)
        assert not tx.of(Bots).think("id-south.weak", 7, 1.0)


def test_a_silent_node_is_struck_out_and_its_work_is_anybodys(office: Office) -> None:
    """Its clock may say what it likes: counted is how often it has given a sign."""
    woken: list[bool] = []
    south = pulse_of(office, "south", wake=lambda: woken.append(True))
    ask(office, lambda tx: tx.ledger.join(node("north", at=1e12)))
    claim(office, "north")
    ask(office, south.beat)
    south.look(ask(office, south.beat), 100.0)
    assert not south.is_first  # north may live, and comes first by name
    assert not south.leads()  # so it leaves the mailbox to north
    south.look(ask(office, south.beat), 100.0 + DEAD - 1)
    assert len(ask(office, lambda tx: tx.ledger.nodes())) == 2
    south.look(ask(office, south.beat), 100.0 + DEAD)
    assert [each.name for each in ask(office, lambda tx: tx.ledger.nodes())] == ["south"]
    assert woken == [True] and south.is_first
    now = time.time() + 1
    assert len(ask(office, lambda tx: tx.outbox.claim("other", now, now, 9))) == 2
    assert ask(office, lambda tx: tx.of(Bots).think("id-south.weak", 7, 1.0))


def test_a_node_that_gives_signs_stays(office: Office) -> None:
    south = pulse_of(office, "south")
    ask(office, lambda tx: tx.ledger.join(node("north")))
    for now in (0.0, DEAD - 1, 2 * DEAD - 2, 3 * DEAD - 3):
        ask(office, lambda tx: tx.ledger.beat("id-north", 0.0))
        south.look(ask(office, south.beat), now)
    assert len(ask(office, lambda tx: tx.ledger.nodes())) == 2


def test_who_was_struck_out_begins_anew(office: Office) -> None:
    north = pulse_of(office, "north")
    ask(office, north.beat)
    ask(office, lambda tx: tx.ledger.bury("id-north", 1))
    assert [each.name for each in ask(office, north.beat)] == ["north"]


def test_a_node_that_ends_takes_leave(office: Office) -> None:
    north = pulse_of(office, "north")
    ask(office, north.beat)
    claim(office, "north")
    assert north.stop(PATIENCE)
    assert ask(office, lambda tx: tx.ledger.nodes()) == []
    assert ask(office, lambda tx: tx.of(Bots).think("id-south.weak", 7, 1.0))


def test_whose_signs_do_not_arrive_sends_nothing(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And sends again with the next sign that arrives."""
    monkeypatch.setattr(pulses, "BEAT", 0.01)
    monkeypatch.setattr(pulses, "SILENT", 0.05)
    lost = threading.Event()
    submit = at_once(office.store)

    def sometimes(job: Callable[[Tx], Any]) -> Any:
        return submit(gone if lost.is_set() else job)

    def gone(_tx: Tx) -> None:
        raise TemporaryFailure("database: gone")

    couriers = [Courier(), Courier()]
    writer = writer_of(sometimes)
    north = pulse_of(office, "north", writer=writer, couriers=couriers)
    north.start()
    until(north.leads, "sign")
    lost.set()
    until(lambda: not any(each.sends for each in couriers), "silence")
    assert not north.leads()
    lost.clear()
    until(lambda: all(each.sends for each in couriers), "sign")
    assert north.stop(PATIENCE)
