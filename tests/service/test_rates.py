"""Rates: what a flood comes to; kept in the store, so that a restart forgets nothing."""

import pytest
from harness.office import SERVER, Office, address

from pbmstar.command import Secret
from pbmstar.service import handle, proof


def test_A10_two_machines_mailing_each_other_fall_silent(office: Office) -> None:
    """A10: ten answers a day to mails that prove nothing, then none; the next day again."""
    got = [len(office.send("alice", f"Hello {n}", "no command at all")) for n in range(14)]
    assert got == [1] * 10 + [0] * 4
    office.now += 86401
    assert len(office.send("alice", "Hello again", "no command")) == 1


def test_a_player_who_proves_it_is_always_answered(office: Office) -> None:
    office.game("star challenge -size=4 alice bob")
    for number in range(14):
        assert len(office.send("bob", f"star move 1 bob hunter2 C3#{number}")) == 1


def test_too_many_commands_within_an_hour(office: Office, monkeypatch: object) -> None:
    monkeypatch.setattr(proof, "COMMANDS_AN_HOUR", 3)  # type: ignore[attr-defined]
    office.game("star challenge -size=4 alice bob")
    told = [office.send("alice", "limit alice s3cret off")[0].text for _ in range(4)]
    assert ["Too many commands" in text for text in told] == [False, False, True, True]
    office.now += 3601
    assert "Too many" not in office.send("alice", "limit alice s3cret off")[0].text


def test_too_many_mails_from_one_address(office: Office, monkeypatch: object) -> None:
    monkeypatch.setattr(handle, "_MAILS_AN_HOUR", 3)  # type: ignore[attr-defined]
    got = [len(office.send("alice", "star games")) for _ in range(5)]
    assert got == [1, 1, 1, 0, 0]


def test_A2_a_machine_that_guesses(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """A2: after 20 wrong passwords in an hour none that comes from there is looked at, whoever it is
    for; others go on, what comes through a mail server of ours is not counted."""
    office.game()
    looked_at = []
    check = office.context.passwords.check

    def counted(hashed: str | None, password: Secret) -> bool:
        looked_at.append(hashed)
        return check(hashed, password)

    monkeypatch.setattr(office.context.passwords, "check", counted)
    for number in range(30):
        raw = office.write("m@evil.example", f"limit nobody{number} wr0ngone 5")
        office.deliver(raw, peer="192.0.2.1")
    assert len(looked_at) == 20
    before = office.state()
    office.deliver(office.write("alice", "star move 1 alice s3cret F6"), peer="192.0.2.1")
    (told,) = office.letters()
    assert "The userid or the password is not right" in told.text
    assert office.state() == before and len(looked_at) == 20
    office.deliver(office.write("alice", "star move 1 alice s3cret F6"), peer="192.0.2.2")
    assert office.record(1) == ["F6"]
    office.now += 3601
    office.deliver(office.write("bob", "star move 1 bob hunter2 G7"), peer="192.0.2.1")
    assert office.record(1) == ["F6", "G7"]


def test_replies_need_no_password_from_anywhere(office: Office) -> None:
    to = office.send("alice", "star challenge alice bob")[0].reply_to
    for number in range(25):
        raw = office.write("m@evil.example", f"limit nobody{number} wr0ngone 5")
        office.deliver(raw, peer="192.0.2.1")
    office.deliver(office.write("alice", "Re: x", "F6", to), to=to, peer="192.0.2.1")
    assert office.record(1) == ["F6"]


def test_limits_off_lifts_them(office: Office, database: str) -> None:
    from dataclasses import replace

    object.__setattr__(office.context, "config", replace(office.config, limits=False))
    assert all(len(office.send("alice", f"Hello {n}", "nothing")) == 1 for n in range(14))
    office.letters()
    for number in range(25):
        raw = office.write("m@evil.example", f"limit nobody{number} wr0ngone 5")
        office.deliver(raw, peer="192.0.2.1")
    office.deliver(office.write("alice", "limit alice s3cret 5"), peer="192.0.2.1")
    assert "running games: 5" in office.letters()[0].text


def test_A6_signup_with_a_victims_address(office: Office) -> None:
    """A6: three mails in a month to one address, whoever asks; no account is opened."""
    got = []
    for number in range(8):
        raw = office.write("mallory@evil.example", f"signup user{number} s3cret99 victim@v.example")
        office.deliver(raw, to=SERVER)
        got += office.letters()
    assert [letter.to for letter in got] == ["victim@v.example"] * 3
    with office.store.transaction() as tx:
        assert len(tx.users()) == 2


def test_A3_a_token_from_another_address_is_told_to_its_owner_once(office: Office) -> None:
    """A3: nothing is done, and the owner hears of it, but not more than once a day."""
    office.game("star challenge -size=4 alice bob")
    token = office.play(1, "C3")[1].reply_to
    first = office.send("mallory@evil.example", "Re: board", "swap", to=token)
    assert [got.to for got in first] == [address("bob")]
    assert "came from an address that is not yours" in first[0].text.replace("\n", " ")
    assert office.send("mallory@evil.example", "Re: board", "resign", to=token) == []
    assert office.send("bob", "Re: board", "swap", to=token)[0].subject == "Star Board 1 alice"
