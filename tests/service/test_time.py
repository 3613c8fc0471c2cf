"""Clocks that were wrong, outages, what is forgotten when, and databases that cannot be written."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from harness.common import sentence
from harness.office import DAY, Office, address

from pbmstar.delivery.relay import SENT, Verdict
from pbmstar.errors import TemporaryFailure
from pbmstar.intake import quarantine
from pbmstar.service.work.context import Envelope

NONE = [0, 0, 0]  # reminders, last warnings, forfeits
WRONG = 400 * DAY  # what a clock is wrong by, for a moment


def ran_ahead(office: Office, subject: str, who: str = "alice") -> None:
    """A mail that comes while the clock is wrong; then it is right again."""
    office.now += WRONG
    office.send(who, subject)
    office.now -= WRONG


# -- a stored time beyond now and its window does not bind


def test_counters_of_a_wrong_clock(office: Office) -> None:
    """After that moment 300 mails may come each hour, and not 300 ever."""
    with office.store.transaction() as tx:
        for _ in range(7):
            tx.ledger.count("x", office.now + WRONG, 3600)
        assert tx.ledger.count("y", office.now + 3000, 3600) == 1, "within its window it counts"
        assert tx.ledger.count("y", office.now, 3600) == 2
        assert tx.ledger.counted("x", office.now, 3600) == 0
        assert tx.ledger.count("x", office.now, 3600) == 1
        tx.ledger.count("z", office.now + WRONG, 3600)
        tx.prune(office.now, DAY, DAY)
    with office.store.engine.connect() as connection:
        counts = connection.exec_driver_sql("SELECT what FROM counts ORDER BY what").scalars()
        assert list(counts) == ["x", "y"]


def test_a_lock_of_a_wrong_clock(office: Office) -> None:
    for _ in range(30):
        ran_ahead(office, "limit alice wr0ng 5")
    (letter,) = office.send("alice", "limit alice s3cret 5")[:1]
    assert f"{sentence('most games')}: 5" in letter.text


def test_tokens_of_a_wrong_clock(office: Office) -> None:
    """They neither use up what may be mailed nor last for more than their week."""
    office.now += WRONG
    (letter,) = office.send("alice", "forgot alice")
    for _ in range(2):
        office.send("alice", "forgot alice")
    office.now -= WRONG
    token = next(word for word in letter.text.split() if len(word) == 32)
    assert "is wrong" in office.send("alice", f"change password alice {token} n3w.word")[0].text
    assert len(office.send("alice", "forgot alice")) == 1


def test_letters_that_wait_for_a_wrong_clock(office: Office) -> None:
    office.now += WRONG
    office.tray.verdict = Verdict("later", "450")
    office.send("alice", "limit alice s3cret 5")
    office.tray.verdict = SENT
    office.now -= WRONG
    assert [letter.to for letter in office.letters()] == [address("alice")]


def test_a_turn_that_begins_in_the_future(office: Office) -> None:
    """It counts from when it is first looked at: a reminder, a warning, a forfeit, all in time."""
    office.game()
    ran_ahead(office, "star move 1 alice s3cret F6")
    for days, done in ((0, NONE), (6.9, NONE), (0.2, [1, 0, 0]), (12, [0, 1, 0]), (2, [0, 0, 1])):
        assert office.remind(days)[0] == done
    assert office.check() == []


# -- outages: nobody forfeits who could not write


def test_nobody_forfeits_after_an_outage(office: Office) -> None:
    """The daemon was down while cron ran on: that time is nobody's, and the warning of before is void."""
    board = office.begun("star challenge -time=3d -leave=no alice bob")
    assert office.remind(2)[0] == [0, 1, 0]
    office.is_serving = False
    for _ in range(4 * 4):
        assert office.remind(1 / 4)[0] == NONE
    office.is_serving = True
    back, done = office.now, [NONE]
    while not done[-1][2]:
        done.append(office.remind(1 / 12)[0])
    assert 2 * DAY <= office.now - back <= 2.1 * DAY
    assert [sum(each[kind] for each in done) for kind in range(3)] == [0, 1, 1]
    assert office.row(board).result == "bob"  # type: ignore[union-attr]


def test_a_clock_that_runs_ahead_forfeits_nothing(office: Office) -> None:
    """Remind, run by a clock that is wrong by weeks."""
    office.begun()
    office.remind(19)
    office.is_serving = False
    office.now += 30 * DAY
    assert office.remind()[0][2] == 0
    office.now -= 30 * DAY
    office.is_serving = True
    assert office.remind()[0] == NONE
    assert office.remind(2)[0] == [0, 0, 1]


def test_without_a_daemon_the_runs_of_remind_count(office: Office) -> None:
    """Where mails come by a pipe only, a quiet week is no outage."""
    board = office.begun()
    office.is_serving = False
    for _ in range(22):
        office.remind(1)
    assert office.row(board).result == "bob"  # type: ignore[union-attr]


# -- what is forgotten


def test_what_is_forgotten_when(office: Office) -> None:
    """The text of a refused letter after 7 days, its row after 90; the daemon sees to it."""

    def left() -> tuple[object, ...]:
        office.at_work(lambda work: office.service.keep_house(work.tx))
        with office.store.engine.connect() as connection:
            return tuple(
                connection.exec_driver_sql(f"SELECT count(*) FROM {name}").scalar()
                for name in ("contents", "outbox")
            )

    office.tray.verdict = Verdict("dead", "554 spam")
    office.send("alice", "limit alice s3cret 5")
    assert left() == (1, 1)
    office.now += 6.9 * DAY
    assert left() == (1, 1)
    office.now += DAY
    assert left() == (0, 1)
    (letter,) = office.ask("outbox.unsent")
    office.run("admin", "outbox", "retry")
    assert office.ask("outbox.unsent") == [letter], "there is nothing left to send"
    office.now += 83 * DAY
    assert left() == (0, 0)


def test_old_things_are_forgotten_once_a_day(office: Office) -> None:
    def prunes() -> bool:
        before = office.ask("ledger.fact", "pruned")
        office.at_work(lambda work: office.service.keep_house(work.tx))
        return bool(office.ask("ledger.fact", "pruned") != before)

    for jump in (0.0, 0.9 * DAY, 0.2 * DAY, WRONG, -WRONG):  # the last time the clock was wrong
        office.now += jump
        assert [prunes(), prunes()] == [jump != 0.9 * DAY, False], jump


@pytest.mark.parametrize(("texts", "rows"), [("7", "90"), ("0.5", "2")])
def test_the_quarantine_is_forgotten_too(
    office_of: Callable[..., Office], texts: str, rows: str
) -> None:
    """The text goes first, and then there is nothing to retry."""
    office = office_of(keep_texts=texts, keep_rows=rows)
    config = office.config
    ident = quarantine.keep(
        config.spool, Envelope("a@b", ("c@d",)), b"mail", ValueError(), office.now
    )
    for days, raw in ((float(texts), b"mail"), (float(texts) + 0.1, b"")):
        quarantine.prune(config, office.now + days * DAY)
        (entry,) = quarantine.entries(config.spool)
        assert entry.raw == raw
    done = office.run("admin", "quarantine", "retry", ident)
    assert (done.exit_code, "no longer kept" in done.stderr) == (1, True)
    office.now += (float(rows) + 0.1) * DAY
    office.run("remind")
    assert quarantine.entries(config.spool) == []


def test_retry_all_in_order(office: Office) -> None:
    """A game's moves that were kept are carried out in the order in which they came."""
    office.game()
    moves = [f"star move 1 {who} {m}" for who, m in (("alice s3cret", "F6"), ("bob hunter2", "G7"))]
    for number, move in enumerate([*moves, "star move 1 alice s3cret H7"]):
        raw = office.write(move.split()[3], move)
        quarantine.keep(
            office.config.spool,
            Envelope("x@y", ("star@pbm.example",)),
            raw,
            KeyError(),
            office.now + number,
        )
    quarantine.keep(
        office.config.spool,
        Envelope("x@y", ("postmaster@pbm.example",)),
        b"x",
        KeyError(),
        office.now,
    )
    done = office.run("admin", "quarantine", "retry", "--all")
    assert done.exit_code == 1, "one stays"
    assert office.record(1) == ["F6", "G7", "H7"]
    assert len(quarantine.entries(office.config.spool)) == 1
    assert office.run("admin", "quarantine", "retry").exit_code == 2


# -- the installation's troubles pass


GONE = ("ALTER TABLE handled RENAME TO away", "ALTER TABLE away RENAME TO handled")
MODE = "SET SESSION CHARACTERISTICS AS TRANSACTION READ {}"
TROUBLES = {  # by the database and the trouble: how it begins, and how it is mended
    ("sqlite", "read-only"): ("PRAGMA query_only=ON", "PRAGMA query_only=OFF"),
    ("sqlite", "a table is gone"): GONE,
    ("postgresql", "read-only"): (MODE.format("ONLY"), MODE.format("WRITE")),
    ("postgresql", "a table is gone"): GONE,
}


@pytest.mark.parametrize("trouble", ["read-only", "a table is gone"])
def test_a_database_that_cannot_be_written(office: Office, trouble: str) -> None:
    """The mail has to come again, and nothing goes to the quarantine."""

    def run(statement: str) -> None:
        connection = office.store.engine.raw_connection()
        connection.cursor().execute(statement)
        connection.commit()
        connection.close()  # back to the pool, from which it comes next

    office.game()
    raw = office.write("alice", "star move 1 alice s3cret F6")
    begins, mended = TROUBLES[office.store.engine.dialect.name, trouble]
    run(begins)
    with pytest.raises(TemporaryFailure):
        office.deliver(raw)
    run(mended)
    assert office.deliver(raw).name == "applied"
