"""What the relay refuses for good is a bounce, and letters are tried again where their reader is."""

from __future__ import annotations

import pytest
from harness.office import DAY, Office, address
from harness.returned import bounce

from pbmstar.delivery.relay import SENT, Verdict
from pbmstar.store import User


def state(office: Office, userid: str) -> tuple[str, float]:
    user: User = office.ask("accounts.user", userid)
    return user.state, user.bounces


@pytest.mark.parametrize(
    ("verdict", "bounces"),
    [
        (Verdict("dead", "550 5.1.1 unknown", recipient=True), 1.0),
        (Verdict("dead", "554 5.7.1 looks like spam"), 0.0),
        (Verdict("later", "450 greylisted", recipient=True), 0.0),
        (SENT, 0.0),
    ],
)
def test_which_verdicts_are_bounces(office: Office, verdict: Verdict, bounces: float) -> None:
    office.tray.verdict = verdict
    office.send("alice", "limit alice s3cret 5")
    assert state(office, "alice") == ("active", bounces)


def test_a_letter_given_up_after_five_days_is_one(office: Office) -> None:
    office.tray.verdict = Verdict("later", "450 no answer", recipient=True)
    office.send("alice", "limit alice s3cret 5")
    for pause in (*[15_000] * 4, 5.1 * DAY):
        office.now += pause
        office.letters()
    assert state(office, "alice") == ("active", 1.0)


def test_a_letter_to_an_address_of_before_blames_nobody(office: Office) -> None:
    office.deliver(office.write("alice", "limit alice s3cret 5"))
    office.at_work(lambda work: work.tx.accounts.set_address("alice", "new@alice.example"))
    office.tray.refused = {address("alice")}
    office.letters()
    assert state(office, "alice") == ("active", 0.0)


def test_a_stranger_whose_address_is_refused_gets_no_more(office: Office) -> None:
    office.tray.refused = {address("dora")}
    assert office.send("dora", "signup dora Dor4.pass") == []
    office.tray.refused = set()
    assert office.send("dora", "signup dora Dor4.pass") == []


def test_letters_are_retried_to_the_address_of_now(office: Office) -> None:
    """Boards and answers follow their reader, bounces too; what is bound to an address does not."""
    office.game()
    office.tray.refused = {address("bob")}
    office.send("alice", "star move 1 alice s3cret F6")
    office.send("mallory@evil.example", "forgot bob")
    office.at_work(lambda work: work.tx.accounts.set_address("bob", "bob@new.example"))
    office.run("admin", "outbox", "retry")
    (board,) = office.letters()
    assert (board.to, board.mail["To"]) == ("bob@new.example",) * 2
    assert office.deliver(*bounce(board.sender)).why == "bounce"
    office.send("bob@new.example", "Re: x", "pass", board.reply_to)
    assert office.record(1) == ["F6", "pass"]
    (left,) = office.ask("outbox.unsent")
    assert left.state == "dead"


def test_a_letter_that_is_never_tried_again_is_listed_without_a_due_time(office: Office) -> None:
    office.game()
    office.tray.refused = {address("bob")}
    office.send("alice", "star move 1 alice s3cret F6")
    office.tray.verdict = Verdict("later", "450 no answer")
    office.send("alice", "limit alice s3cret 5")
    names, *rows = (
        line.split() for line in office.run("admin", "outbox", "list").output.splitlines()
    )
    due = names.index("due")
    assert [(row[1], row[due] == "-") for row in rows] == [("dead", True), ("new", False)]
