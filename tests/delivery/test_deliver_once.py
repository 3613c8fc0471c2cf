"""One pass by hand: whose turn it is to deliver, and what is logged."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest
from letters import Outbox, answers

from pbmstar import config
from pbmstar.delivery.courier import deliver_once, node_of
from pbmstar.delivery.dispatch import Delivery, Pass, lock_of
from pbmstar.delivery.relay import Verdict
from pbmstar.machine.files import hold


def test_deliver_once(outbox: Outbox, database: str, tmp_path: Path) -> None:
    """The command's pass; while another process delivers it does nothing and says so."""
    outbox.add("alice@home.example")
    loaded = config.load({"spool": str(tmp_path), "database": database}, {})
    node = node_of(tmp_path)
    with hold(lock_of(tmp_path)) as is_ours, hold(lock_of(tmp_path)) as is_theirs:
        assert is_ours and not is_theirs
        assert deliver_once(loaded, outbox.store, outbox.trouble) == Pass(busy=True)
    assert deliver_once(loaded, outbox.store, outbox.trouble) == Pass(sent=1)
    assert node_of(tmp_path) == node
    assert len(list((tmp_path / "mail" / "alice@home.example" / "new").iterdir())) == 1
    assert str(Pass(1, 2, 3)) == "1 letter sent, 2 to be tried again, 3 refused."
    assert "Another process" in str(Pass(busy=True))


def test_a_letter_that_comes_while_deliver_ends_is_sent(
    outbox: Outbox, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever brought it has found the lock held, and is gone."""
    outbox.add("alice@home.example")
    loaded = config.load({"spool": str(tmp_path), "database": database}, {})
    run_once, late = Delivery.run_once, ["bob@home.example"]

    def and_another(delivery: Delivery) -> Pass:
        done = run_once(delivery)
        with hold(lock_of(tmp_path)) as is_theirs:
            if is_theirs:  # this was the pass for strangers
                return done
        outbox.add(*late)
        late.clear()
        return done

    monkeypatch.setattr(Delivery, "run_once", and_another)
    assert deliver_once(loaded, outbox.store, outbox.trouble) == Pass(sent=2)
    assert outbox.waiting() == {}


def test_what_is_logged(outbox: Outbox, caplog: pytest.LogCaptureFixture) -> None:
    """Ids that can be looked up, and codes; no address, not even in the relay's words."""
    outbox.add("alice@home.example")
    refusal = Verdict("dead", "550 5.1.1 <alice@home.example>: unknown")
    with caplog.at_level(logging.INFO):
        outbox.delivery(answers({1: refusal})).run_once()
    (record,) = [each for each in caplog.records if each.name == "pbmstar"]
    facts: Any = vars(record)["facts"]
    assert facts["code"] == "550 5.1.1" and facts["message_id"] == "<m1@pbm.example>"
    assert "alice" not in str(facts)
