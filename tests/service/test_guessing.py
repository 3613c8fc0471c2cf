"""Guessing passwords: who is locked out, and who is not."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from harness.common import sentence
from harness.letters import SERVER
from harness.office import DAY, Office, address
from service.guesses import guess, opens

from pbmstar import identity
from pbmstar.service.proof.authentication import WRONG_A_DAY
from pbmstar.service.work.context import Computation, Envelope, Precomputed
from pbmstar.store import Place


def place(office: Office, userid: str, sender: str) -> Place:
    """What is kept of the place that mails with that envelope come from."""
    mark = identity.address_mark(f"none {address(sender).rpartition('@')[2]}")
    found: Place = office.ask("accounts.place", userid, mark)
    return found


def test_lock_out_grows_with_failures(office: Office) -> None:
    """A1: none for four, then a minute, two, four, up to a day; the right password or a quiet day clears all."""
    locked: list[float] = []
    for _ in range(17):
        guess(office, 1)
        facts = place(office, "alice", "bob")
        locked.append(facts.until - facts.last)
        office.now += locked[-1]
    assert locked[:8] == [0, 0, 0, 0, 60, 120, 240, 480]
    assert locked[-1] == DAY
    assert locked == sorted(locked)
    assert opens(office, "alice", "s3cret", "bob")
    assert place(office, "alice", "bob") == Place(1, 0, office.now, 0.0)
    guess(office, 4)
    office.now += DAY + 1
    guess(office, 1)
    assert place(office, "alice", "bob").wrong == 1


@pytest.mark.slow
def test_guesses_from_ever_new_places(office: Office) -> None:
    """A1: a hundred wrong ones a day, then none from a place that is new to the account."""
    assert opens(office, "alice", "s3cret", "alice")
    before = office.passwords.looked
    for number in range(120):
        raw = office.write("alice", f"limit alice wr0ng{number} 5")
        office.deliver(raw, f"evil@evil{number}.example")
    assert office.passwords.looked == before + WRONG_A_DAY
    assert not opens(office, "alice", "s3cret", "new@new.example")
    assert opens(office, "alice", "s3cret", "alice")
    office.now += DAY + 1
    assert opens(office, "alice", "s3cret", "new@new.example")


def test_guesses_at_what_is_remembered(office: Office) -> None:
    """A1: who forges the place of the owner too gets a hundred tries, then even the right one fails."""
    assert opens(office, "alice", "s3cret", "alice")
    guess(office, 120, sender="alice")
    assert not opens(office, "alice", "s3cret", "alice")
    office.now += DAY + 1
    assert opens(office, "alice", "s3cret", "alice")


@pytest.mark.slow
def test_guessing_costs_no_hash_while_it_is_locked(office: Office) -> None:
    """A1 A2: of 200 wrong ones five are looked at; an unknown userid costs the same, and leaves no trace."""
    before = office.passwords.looked
    for number in range(200):
        raw = office.write(f"m{number}@evil.example", f"limit alice wr0ng{number} 5")
        office.deliver(raw, "x@evil.example")
    assert office.passwords.looked == before + 5
    assert [letter.to for letter in office.letters()] == [address("alice")]
    for userid, wrong in (("nobody2", 0), ("bob", 1), ("nobody3", 0)):
        before = office.passwords.looked
        guess(office, 1, userid, "mallory")
        assert office.passwords.looked == before + 1
        assert place(office, userid, "mallory").wrong == wrong


def test_a_mail_with_many_wrong_passwords(office: Office) -> None:
    """Three are looked at; what was right once costs nothing and is carried out."""
    office.game()
    before = office.passwords.looked
    lines = [f"limit alice wr0ng{number} 5" for number in range(12)]
    office.deliver(office.write("mallory", "", "\n".join([*lines, "limit bob hunter2 5"])))
    assert office.passwords.looked == before + 3
    assert opens(office, "bob", "hunter2", "bob")
    body = "\n".join([*lines, "limit bob hunter2 6"])
    outcome = office.deliver(office.write("bob", "", body))
    assert (outcome.done, outcome.of) == (1, 13)


def test_a_password_that_there_was_no_time_for_counts_as_wrong(office: Office) -> None:
    """Else a flood that is put off could try as many as it likes; the right one sets it right."""
    raw = office.write("alice", "limit alice s3cr3t 5")
    mail, envelope = office.service.read(raw), Envelope("a@evil.example", (SERVER,))
    for _ in range(5):
        with office.store.transaction() as tx:
            task = office.service.execute(tx, envelope, mail, raw, Precomputed())
            assert isinstance(task, Computation)
            office.service.put_off(tx, envelope, mail, task)
    assert office.deliver(raw, "a@evil.example").limits == ("wrong",)
    assert office.ask("accounts.users")[0].userid == "alice"


def test_a_machine_that_guesses(office: Office) -> None:
    """A2: after 20 wrong ones in an hour none from there is looked at; others go on, and so do replies."""
    letters = office.send("alice", "star challenge alice bob")
    before = office.passwords.looked
    for number in range(30):
        office.add(f"some{number}", password="s3cret")
        guess(office, 1, f"some{number}", "mallory", "192.0.2.1")
    assert office.passwords.looked == before + 20
    state = office.state()
    office.deliver(office.write("alice", "star move 1 alice s3cret F6"), peer="192.0.2.1")
    assert f"{sentence('no access')} Check" in office.letters()[0].text
    assert office.state() == state
    to = letters[0].reply_to
    office.deliver(office.write("alice", "Re: x", "F6", to), to=to, peer="192.0.2.1")
    office.deliver(office.write("bob", "star move 1 bob hunter2 G7"), peer="192.0.2.2")
    assert office.record(1) == ["F6", "G7"]
    office.now += 3601
    office.deliver(office.write("alice", "star move 1 alice s3cret H7"), peer="192.0.2.1")
    assert office.record(1) == ["F6", "G7", "H7"]


@pytest.mark.slow
def test_a_pass_that_was_forged_takes_nothing_from_the_owner(
    office_of: Callable[..., Office],
) -> None:
    """Somebody makes our mail server vouch for alice, from a machine of their own."""
    office = office_of(authserv_id="mx.pbm.example")
    vouched = "Authentication-Results: mx.pbm.example; dmarc=pass header.from=alice.example\r\n"

    def come(subject: str, peer: str) -> str:
        raw = office.write("alice", subject, headers=vouched)
        return office.deliver(raw, peer=peer).name

    come("limit alice s3cret 9", "203.0.113.1")
    for number in range(120):
        come(f"limit alice wr0ng{number} 5", "192.0.2.66")
        come("versus alice bob", "192.0.2.66")
    for _ in range(4):
        come("forgot alice", "192.0.2.66")
    office.letters()
    for subject in ("limit alice s3cret 8", "forgot alice", "who"):
        come(subject, "203.0.113.1")
        assert len(office.letters()) == 1, subject
    assert come("limit alice s3cret 7", "198.51.100.1") == "applied", "from a new machine of hers"
