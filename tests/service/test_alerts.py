"""The operator hears of what needs a hand, once an hour of each kind, and never about an alert."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from email import message_from_bytes
from typing import Any
from unittest import mock

import pytest
from harness.office import Office

from pbmstar.delivery.courier import at_once
from pbmstar.delivery.dispatch import Delivery
from pbmstar.delivery.relay import Verdict
from pbmstar.intake.pipe import receive_one
from pbmstar.machine.times import HOUR
from pbmstar.render.picture import attached
from pbmstar.service.letters import alerts
from pbmstar.service.letters.alerts import KINDS, Alert
from pbmstar.service.proof import limits
from pbmstar.service.verbs import membership

OPERATOR = "op@site.example"
MANY = 10
Logged = Callable[[], list[dict[str, Any]]]


@pytest.fixture
def office(office_of: Callable[..., Office], monkeypatch: pytest.MonkeyPatch) -> Office:
    """A service with an operator, in which ten of a kind are many."""
    for module, name in (
        (alerts, "STRANGERS_AN_HOUR"),
        (alerts, "WRONG_AN_HOUR"),
        (membership, "SIGNUPS_AN_HOUR"),
        (limits, "MAILS_AN_HOUR"),
    ):
        monkeypatch.setattr(module, name, MANY)
    return office_of(operator=OPERATOR, pictures="on")


def alerted(office: Office) -> list[str]:
    """The titles of the alerts that go out now."""
    got = [letter for letter in office.letters() if letter.to == OPERATOR]
    assert all(letter.sender == "" for letter in got)
    return [letter.subject.removeprefix("Star server: ") for letter in got]


def look(office: Office, *noted: Alert, **found: Any) -> None:
    with office.store.transaction() as tx:
        alerts.look(tx, office.config, office.now, noted, **found)


# -- what raises each kind


def quarantined(office: Office) -> None:
    broken = replace(office.context)
    raw = office.write("alice", "help")
    object.__setattr__(broken, "keyring", None)  # a fault of ours in each mail
    assert receive_one(office.config, broken, office.store, raw, "x@y.example", ()) == 0


def refused(office: Office) -> None:
    office.deliver(office.write("alice", "help"))
    office.tray.verdict = Verdict("dead", "550 5.1.1 no such user")
    submit, trouble = at_once(office.store), office.service.trouble
    Delivery(submit, office.relay, "office", trouble, lambda: office.now).run_once()
    assert [letter.address for letter in office.tray.tried] == ["alice@alice.example"]
    office.tray.tried.clear()
    office.tray.verdict = Verdict("sent")


def undrawn(office: Office) -> None:
    office.delivering.enter_context(mock.patch.object(attached, "picture", side_effect=MemoryError))
    office.deliver(office.write("alice", "star challenge -size=13 alice bob"))  # drawn nowhere else


def waiting(office: Office) -> None:
    office.deliver(office.write("alice", "help"))
    office.now += HOUR / 2
    look(office)
    assert office.ask("ledger.fact", "alert queue") == ""
    office.now += 1
    look(office)


def signups(office: Office) -> None:
    for number in range(MANY + 1):
        office.deliver(office.write(f"p{number}@x{number}.example", f"signup p{number} pa55word"))


def strangers(office: Office) -> None:
    for number in range(MANY + 1):
        office.deliver(office.write(f"p{number}@x.example", "Buy now"))


def one_address(office: Office) -> None:
    for _ in range(MANY + 1):
        office.deliver(office.write("alice", "Buy now"))


def wrong_passwords(office: Office) -> None:
    for number in range(MANY + 1):
        guess = f"star move 1 p{number} wrong F6"
        office.deliver(office.write(f"p{number}@x.example", guess))


def no_reminders(office: Office) -> None:
    office.remind()
    office.now += 2 * 24 * HOUR + 1
    look(office)


def damaged_board(office: Office) -> None:
    office.begun()
    office.sql("UPDATE boards SET options = '{', due = 0")
    office.run("remind")


def bug(office: Office) -> None:
    def one(*_: object, **_more: object) -> None:
        raise AttributeError("a bug of ours")

    office.begun()
    office.sql("UPDATE boards SET due = 0")
    with mock.patch("pbmstar.service.reminders.deadlines.carry_out", one):
        office.run("remind")


RAISED: list[tuple[Callable[[Office], None], str]] = [
    (quarantined, "quarantine"),
    (refused, "dead"),
    (undrawn, "picture"),
    (waiting, "queue"),
    (signups, "signups"),
    (strangers, "spam"),
    (one_address, "spam"),
    (wrong_passwords, "passwords"),
    (no_reminders, "remind"),
    (lambda office: look(office, low_disk=True), "disk"),
    (lambda office: look(office, Alert("database")), "database"),
    (lambda office: look(office, Alert("commit")), "commit"),
    (lambda office: look(office, Alert("tables")), "tables"),
    (lambda office: look(office, Alert("node", "north")), "node"),
    (lambda office: look(office, Alert("stuck")), "stuck"),
    (lambda office: look(office, troubles=["mailbox"]), "mailbox"),
    (lambda office: look(office, Alert("bot")), "bot"),  # see also tests/bots
    (lambda office: look(office, troubles=["bots"]), "bots"),
    (damaged_board, "board"),
    (bug, "fault"),
]


def test_every_kind_is_raised_below() -> None:
    assert {kind for _, kind in RAISED} == set(KINDS)


@pytest.mark.few(8)
@pytest.mark.parametrize(("happen", "kind"), RAISED)
def test_each_kind_is_told_and_logged(
    office: Office, logged: Logged, happen: Callable[[Office], None], kind: str
) -> None:
    happen(office)
    assert KINDS[kind].title in alerted(office)
    assert [line["kind"] for line in logged() if line["event"] == "alert"].count(kind) == 1


# -- how often


def test_one_of_a_kind_an_hour_then_how_many_more(office: Office) -> None:
    """What goes on is counted; the sum comes after the hour, also if nothing more happens."""
    for _ in range(3):
        look(office, Alert("quarantine", "one"), Alert("disk"))
    assert alerted(office) == ["mail in quarantine", "disk nearly full"]
    office.now += HOUR - 1
    look(office)
    assert alerted(office) == []
    office.now += 1
    look(office)
    (letter,) = office.letters()
    assert "mail in quarantine: 2 more since" in letter.text
    assert "(one)" not in letter.text
    office.now += 5 * HOUR
    look(office)
    assert alerted(office) == []
    look(office, *[Alert("quarantine", "two")] * 3)
    office.now += HOUR
    look(office, Alert("quarantine", "three"))
    texts = [letter.text for letter in office.letters()]
    assert "(two)" in texts[0] and "more since" not in texts[0]
    assert "(three)" in texts[1] and "mail in quarantine: 2 more since" in texts[1]


def test_a_clock_that_was_wrong_holds_no_alert_back(office: Office) -> None:
    for days in (400, -400):
        office.now += days * 24 * HOUR
        look(office, Alert("quarantine"))
        assert alerted(office) == ["mail in quarantine"]


def test_nothing_is_told_about_an_alert(office: Office) -> None:
    """One that waits, or that the operator's server refuses, raises none; nor does a forwarded mail."""
    look(office, Alert("quarantine"))
    to = "postmaster@pbm.example"
    office.deliver(office.write("x@y.example", "hello", to=to), to=to)
    office.now += HOUR
    look(office)
    assert office.ask("ledger.fact", "alert queue") == ""
    office.tray.verdict = Verdict("dead", "550 5.7.1 spam")
    submit, trouble = at_once(office.store), office.service.trouble
    done = Delivery(submit, office.relay, "office", trouble, lambda: office.now).run_once()
    assert done.dead == 2
    assert office.ask("ledger.fact", "alert dead") == ""


def test_the_whole_letter(office: Office) -> None:
    look(office, Alert("dead", "letter 7"))
    (letter,) = office.letters()
    assert letter.subject == "Star server: letters refused"
    assert letter.text == (
        "A letter was refused for good, given up after five days, or couldn't be\n"
        "written in six tries. We won't try again. (letter 7)\n\n"
        "See what the relay said, or what's wrong with the letter:\n\n  pbmstar admin outbox list\n\n"
        "There is at most one letter of this kind an hour.\n"
    )


def test_two_of_a_kind_in_a_second_are_two_letters(office: Office) -> None:
    """Two nodes see the same trouble before either has told: a second copy never has other bytes."""
    for detail in ("north", "east"):
        look(office, Alert("node", detail))
        with office.store.transaction() as tx:
            tx.ledger.set_fact("alert node", "")
    letters = office.letters()
    assert len({letter.text for letter in letters}) == 2
    assert len({dict(letter.head)["Message-ID"] for letter in letters}) == 2


def test_lines_that_are_too_long_are_passed_on_as_a_file(office: Office) -> None:
    """Other servers refuse longer lines than 998 bytes, and a report of abuse must arrive."""
    to = "abuse@pbm.example"
    for size in (998, 999):
        raw = office.write("x@y.example", "spam!", "x" * size, to=to)
        office.deliver(raw, to=to)
        with office.store.transaction() as tx:
            (number,) = [each.id for each in tx.outbox.unsent()]
            content = tx.outbox.content(number)
            assert tx.outbox.drop(number)
        assert content is not None
        mail = message_from_bytes(content)
        assert max(map(len, content.splitlines())) <= 998
        if size == 998:
            assert mail.get_content_type() == "message/rfc822"
        else:
            assert mail.get_filename() == "mail.eml"
            assert mail.get_payload(decode=True) == raw.replace(b"\r\n", b"\n")


def test_without_an_operator_there_is_the_log_alone(
    office_of: Callable[..., Office], logged: Logged
) -> None:
    office = office_of()
    look(office, Alert("quarantine"), Alert("quarantine"))
    assert office.letters() == []
    assert [line["kind"] for line in logged()] == ["quarantine"]


def test_a_site_without_a_daemon_is_looked_at_by_deliver(office: Office, database: str) -> None:
    """`deliver` by cron looks as the daemon does once a minute."""
    if not database.startswith("sqlite"):
        pytest.skip("one database is enough")
    office.remind()
    office.now += 3 * 24 * HOUR
    office.delivering.close()
    office.delivers = True  # from here on nobody else delivers
    office.run("deliver")
    assert list((office.config.spool / "mail" / OPERATOR / "new").iterdir())
