"""Accounts: signup, confirmation, passwords, addresses, the end; and who is answered at all."""

from __future__ import annotations

import re

import pytest
from harness.office import DAY, PASSWORD, Got, Office, address

NEW = "dora@dora.example"


def token(letter: Got) -> str:
    """The token that a letter asks to be sent back."""
    found = re.findall(r"\b[a-z2-7]{32}\b", letter.text)
    assert len(found) == 1
    return str(found[0])


def state_of(office: Office, userid: str) -> str | None:
    user = office.ask("user", userid)
    return user.state if user else None


def knows_password(office: Office, userid: str, password: str) -> bool:
    """Whether the password opens the account: a command that changes nothing is let in with it."""
    letters = office.send(f"{userid}@nowhere.example", f"reminders {userid} {password} on")
    return any("Reminders: on" in letter.text for letter in letters)


# -- signup


def test_signup_confirmed_by_a_reply(office: Office) -> None:
    (letter,) = office.send(NEW, "signup dora Dor4.pass")
    assert letter.to == NEW
    assert letter.subject == "Star account dora"
    assert letter.mail["Auto-Submitted"] == "auto-replied"
    assert letter.reply_to == f"star+a{token(letter)}@pbm.example"
    assert "Dor4" not in letter.text
    assert state_of(office, "dora") is None
    (welcome,) = office.send(NEW, "Re: Star account dora", "", letter.reply_to)
    assert welcome.to == NEW
    assert "Welcome, dora!" in welcome.text
    assert state_of(office, "dora") == "active"
    assert knows_password(office, "dora", "Dor4.pass")


def test_signup_confirmed_by_a_command(office: Office) -> None:
    (letter,) = office.send(NEW, "", "signup dora Dor4.pass")
    assert f"\n  confirm {token(letter)}\n" in letter.text
    (welcome,) = office.send("elsewhere@else.example", f"Confirm {token(letter).upper()}.")
    assert welcome.to == NEW
    assert state_of(office, "dora") == "active"


def test_signup_for_another_address(office: Office) -> None:
    (letter,) = office.send("someone@else.example", f"signup dora Dor4.pass {NEW}")
    assert letter.to == NEW


def test_the_confirming_reply_may_come_in_upper_case_and_with_a_quote(office: Office) -> None:
    (letter,) = office.send(NEW, "signup dora Dor4.pass")
    office.send(NEW, "AW: Star account dora", "> To open it, reply\n\nOK!", letter.reply_to.upper())
    assert state_of(office, "dora") == "active"


def test_a_vacation_reply_does_not_confirm(office: Office) -> None:
    """A12: what a machine sends back confirms nothing."""
    (letter,) = office.send(NEW, "signup dora Dor4.pass")
    raw = office.write(NEW, "Re: x", "", letter.reply_to, "Auto-Submitted: auto-replied\r\n")
    assert office.deliver(raw, to=letter.reply_to).name == "ignored"
    assert (
        office.deliver(office.write(NEW, "Re: x"), sender="", to=letter.reply_to).name == "ignored"
    )
    assert state_of(office, "dora") is None


def test_a_token_serves_once(office: Office) -> None:
    (letter,) = office.send(NEW, "signup dora Dor4.pass")
    office.send(NEW, f"confirm {token(letter)}")
    before = office.state()
    (answer,) = office.send(NEW, f"confirm {token(letter)}")
    assert "That token is not known, or no longer" in answer.text
    assert office.state() == before


def test_a_token_expires(office: Office) -> None:
    (letter,) = office.send(NEW, "signup dora Dor4.pass")
    office.now += 7 * DAY + 1
    assert office.send(NEW, f"confirm {token(letter)}") == []
    assert office.send(NEW, "Re: x", "", letter.reply_to) == []
    assert state_of(office, "dora") is None


def test_a_token_of_another_kind_or_nobodys(office: Office) -> None:
    (letter,) = office.send("alice", "forgot alice")
    before = office.state()
    for told in (token(letter), "a" * 32, "b" * 16):
        (answer,) = office.send("alice", f"confirm {told}")
        assert "That token is not known" in answer.text
    assert office.send("alice", "Re: x", "", f"star+a{token(letter)}@pbm.example")
    assert office.state() == before


def test_two_signups_for_one_userid(office: Office) -> None:
    (first,) = office.send(NEW, "signup dora Dor4.pass")
    (second,) = office.send("dolly@dolly.example", "signup dora D0lly.pass")
    office.send("dolly@dolly.example", "Re: x", "", second.reply_to)
    assert office.ask("user", "dora").address == "dolly@dolly.example"
    assert office.send(NEW, "Re: x", "", first.reply_to) == []  # a stranger still
    assert office.ask("user", "dora").address == "dolly@dolly.example"


def test_a_second_token_of_the_same_signup(office: Office) -> None:
    (first,) = office.send(NEW, "signup dora Dor4.pass")
    (second,) = office.send(NEW, "signup dora Dor4.pass2")
    assert token(first) != token(second)
    office.send(NEW, "Re: x", "", second.reply_to)
    assert knows_password(office, "dora", "Dor4.pass2")


@pytest.mark.parametrize(
    "userid", ["alice", "ALICE", "admin", "postmaster", "star", "mailer-daemon"]
)
def test_a_userid_that_is_not_free(office: Office, userid: str) -> None:
    """A7: taken and reserved userids are refused alike, by mail to the address only."""
    before = office.state()
    (letter,) = office.send(NEW, f"signup {userid} Dor4.pass")
    assert letter.to == NEW
    said = " ".join(letter.text.split())
    assert f"The userid {userid.lower()} is not free." in said
    assert letter.mail["Reply-To"] is None
    assert office.state() == before


@pytest.mark.parametrize(
    "userid",
    [
        "<script>",
        "x" * 17,
        "x" * 200,
        "a",
        "1abc",
        "-abc",
        "_abc",
        "a.b",
        "a/b",
        "a@b",
        "\uff41lice",
        "\u0430lice",
        "na\u00efve",
        "caf\u00e9",
        "a\u00b2",
        "{{x}}",
        "a'b",
    ],
)
def test_userids_that_cannot_be(office: Office, userid: str) -> None:
    """A7: what is no userid is refused, to an account's address with the reason, else in silence."""
    before = office.state()
    assert office.send(NEW, "", f"signup {userid} Dor4.pass") == []
    (letter,) = office.send("alice", "", f"signup {userid} Dor4.pass")
    assert "That is no userid" in letter.text
    assert office.state() == before


def test_a_userid_of_two_words(office: Office) -> None:
    """A7: there is too much on the line."""
    assert office.send(NEW, "signup a b Dor4.pass x") == []
    assert office.ask("users") == office.state()[0]


@pytest.mark.parametrize(
    "told",
    [
        "-f@x.org",
        "a@[127.0.0.1]",
        "a@localhost",
        "a@pbm.example",
        "star@pbm.example",
        "%40@c.org",
        "a@",
        "@b.org",
        "a@b",
        "a@b..org",
        "a" * 65 + "@b.org",
        "a@" + "b" * 250 + ".org",
        "é@b.org",
        "a@exämple.org",
        "a..b@c.org",
        "<a@b.org>x",
        "a@b.org,c@d.org",
        "a,b@c.org",
        "a;b@c.org",
        "a\\b@c.org",
        "=?utf-8?q?a?=@b.org",
    ],
)
def test_addresses_that_cannot_be(office: Office, told: str) -> None:
    """A8: options, literals, local and own hosts, lists, quoted and non-ASCII addresses are refused."""
    before = office.state()
    assert office.send(NEW, "", f"signup dora Dor4.pass {told}") == []
    letters = office.send("alice", "", f"signup dora Dor4.pass {told}")
    assert [letter.to for letter in letters] == [address("alice")]
    assert office.send("alice", "", 'signup dora Dor4.pass "a b"@x.org')[0].subject == "Star Error"
    office.send("alice", "", f"change address alice s3cret {told}")
    assert office.state() == before


@pytest.mark.parametrize(
    "password", ["abc", "x" * 65, 'a"bcd', "a'bcd", "a:bcd", "pässwort", "a\u2019bcd"]
)
def test_passwords_that_cannot_be(office: Office, password: str) -> None:
    (letter,) = office.send("alice", "", f"signup dora {password}")
    assert "A password has 4 to 64 printable ASCII characters" in letter.text
    assert password not in letter.text


@pytest.mark.parametrize(
    "password", ["abcd", "x" * 64, "*bold*", "_it_", "a.b,c", "<tag>", "[x!]", "#1-2", "~!@$%"]
)
def test_passwords_are_kept_as_they_are(office: Office, password: str) -> None:
    (letter,) = office.send(NEW, "", f"signup dora {password}")
    office.send(NEW, "Re: x", "", letter.reply_to)
    assert knows_password(office, "dora", password)


def test_signup_without_an_author(office: Office) -> None:
    raw = office.write(NEW, "signup dora Dor4.pass").split(b"\r\n", 1)[1]
    assert office.deliver(raw).name == "refused"
    assert office.letters() == []


# -- strangers


@pytest.mark.parametrize(
    "subject",
    [
        "help",
        "help account",
        "star help",
        "star games alice",
        "star show 1",
        "star score 1",
        "star dance",
        "star challenge alice bob",
        "star move 1 nobody2 s3cret F6",
        "star move 1 a s3cret F6",
        "forgot nobody2",
        "signoff nobody2 s3cret",
        "change password nobody2 s3cret n3wword",
        "change address nobody2 s3cret me@evil.example",
        "confirm " + "a" * 32,
        "hello",
        "",
    ],
)
def test_a_stranger_gets_nothing(office: Office, subject: str) -> None:
    office.game()
    before = office.state()
    assert office.send("mallory@evil.example", subject) == []
    assert office.state() == before


# -- passwords


def test_wrong_password_and_unknown_userid_get_the_same_answer(office: Office) -> None:
    office.game()
    texts = []
    for userid in ("alice", "nobody2"):
        (letter,) = office.send("bob", f"star move 1 {userid} wr0ngone F6")
        assert letter.to == address("bob")
        assert letter.subject == "Star Error"
        texts.append(letter.text.replace(userid, "USERID"))
    assert texts[0] == texts[1]


def test_a_wrong_password_from_elsewhere_is_told_to_the_address_on_file(office: Office) -> None:
    office.game()
    letters = office.send("mallory@evil.example", "star move 1 alice wr0ngone F6")
    assert [letter.to for letter in letters] == [address("alice")]
    assert office.send("mallory@evil.example", "star move 1 nobody2 wr0ngone F6") == []


def test_a_closed_account_is_like_none(office: Office) -> None:
    office.send("bob", "signoff bob hunter2")
    assert office.send("mallory@evil.example", "signoff bob hunter2") == []
    (letter,) = office.send("alice", "signoff bob hunter2")
    (other,) = office.send("alice", "signoff bub hunter2")
    assert letter.text.replace("bob", "bub") == other.text


def test_lock_out_grows_with_failures(office: Office) -> None:
    """A1: after five wrong passwords an account is locked for a minute, then two, four, up to a day."""

    def locked_for() -> float:
        _, last, until = office.ask("failure", "alice", False)
        assert last == office.now
        return float(until - office.now)

    times = []
    for _ in range(17):
        office.deliver(office.write("bob", "limit alice wr0ngone 5"))
        times.append(locked_for())
        office.now += times[-1]
    assert times[:8] == [0, 0, 0, 0, 60, 120, 240, 480]
    assert times[-1] == DAY
    assert times == sorted(times)


def test_a_locked_account_takes_no_password_not_even_the_right_one(office: Office) -> None:
    """A1: while it is locked the answer is the same; afterwards the right password clears all."""
    for _ in range(5):
        office.deliver(office.write("bob", "limit alice wr0ngone 5"))
    office.now += 59
    assert not knows_password(office, "alice", "s3cret")
    office.now += 2
    assert knows_password(office, "alice", "s3cret")
    assert office.ask("failure", "alice", False) == (0, 0.0, 0.0)


def test_a_locked_account_still_plays_by_replies(office: Office) -> None:
    """A1: nobody is kept from playing by another's guesses."""
    letters = office.send("alice", "star challenge alice bob")
    for _ in range(9):
        office.deliver(office.write("mallory@evil.example", "limit alice wr0ngone 5"))
    office.letters()
    office.send("alice", "Re: x", "F6", letters[0].reply_to)
    assert office.record(1) == ["F6"]


def test_a_stranger_who_guesses_does_not_lock_the_owner_out(office: Office) -> None:
    """A1: strangers lock out strangers, and guesses that say they are the owner's have their own count."""
    for _ in range(9):
        office.deliver(office.write("mallory@evil.example", "limit alice wr0ngone 5"))
    office.letters()
    (told,) = office.send("alice", "limit alice s3cret 5")
    assert "running games: 5" in told.text
    assert not knows_password(office, "alice", "s3cret"), "from elsewhere it is locked still"
    for _ in range(5):
        office.deliver(office.write("alice", "limit alice wr0ngone 5"))
    office.letters()
    (told,) = office.send("alice", "limit alice s3cret 6")
    assert "The userid or the password is not right" in told.text
    office.now += 61
    (told,) = office.send("alice", "limit alice s3cret 7")
    assert "running games: 7" in told.text


def test_guessing_costs_no_hash_while_it_is_locked(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A1: a thousand wrong passwords: few are looked at, and the owner gets one notice a day."""
    looked_at = []
    check = office.context.passwords.check

    def counted(hashed: str | None, password: object) -> bool:
        looked_at.append(hashed)
        return check(hashed, password)  # type: ignore[arg-type]

    monkeypatch.setattr(office.context.passwords, "check", counted)
    for number in range(200):
        office.deliver(office.write(f"m{number}@evil.example", f"limit alice wr0ng{number} 5"))
    assert len(looked_at) == 5
    assert [letter.to for letter in office.letters()] == [address("alice")]
    office.now += DAY
    office.deliver(office.write("m@evil.example", "limit alice wr0ngone 5"))
    assert len(office.letters()) == 1


def test_an_unknown_userid_costs_the_same(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """A2: spraying one password over many userids: each is looked at alike, known or not."""
    looked_at = []
    monkeypatch.setattr(
        office.context.passwords, "check", lambda hashed, password: looked_at.append(password.value)
    )
    for userid in ("alice", "nobody2", "bob", "nobody3"):
        office.deliver(office.write("m@evil.example", f"limit {userid} wr0ngone 5"))
        assert office.ask("failure", userid, False)[0] == 1
    assert looked_at == ["wr0ngone"] * 4


def test_failures_are_forgotten_after_a_quiet_day(office: Office) -> None:
    for _ in range(4):
        office.deliver(office.write("bob", "limit alice wr0ngone 5"))
    office.now += DAY + 1
    office.deliver(office.write("bob", "limit alice wr0ngone 5"))
    assert office.ask("failure", "alice", False)[0] == 1


# -- forgot, change password


def test_forgot_and_a_new_password(office: Office) -> None:
    (letter,) = office.send("someone@cafe.example", "forgot alice")
    assert letter.to == address("alice")
    assert letter.mail["Reply-To"] is None
    assert f"\n  change password alice {token(letter)} NEW\n" in letter.text
    assert knows_password(office, "alice", "s3cret")
    (told,) = office.send(NEW, f"change password alice {token(letter).upper()} n3wword")
    assert told.to == address("alice")
    assert "The password of this account has been changed." in told.text
    assert "n3wword" not in told.text
    assert knows_password(office, "alice", "n3wword")
    assert not knows_password(office, "alice", "s3cret")
    (again,) = office.send("alice", f"change password alice {token(letter)} other.word")
    assert "not right" in again.text


def test_a_token_for_a_password_expires_and_is_one_accounts_own(office: Office) -> None:
    (letter,) = office.send("alice", "forgot alice")
    office.send("bob", f"change password bob {token(letter)} n3wword")
    assert knows_password(office, "bob", "hunter2")
    office.now += 7 * DAY + 1
    office.send("alice", f"change password alice {token(letter)} n3wword")
    assert knows_password(office, "alice", "s3cret")


def test_a_forgotten_password_unlocks(office: Office) -> None:
    for who in ("bob", "alice") * 8:
        office.deliver(office.write(who, "limit alice wr0ngone 5"))
    office.letters()
    (letter,) = office.send("alice", "forgot alice")
    office.send("alice", f"change password alice {token(letter)} n3wword")
    assert knows_password(office, "alice", "n3wword")
    assert "running games: 5" in office.send("alice", "limit alice n3wword 5")[0].text


def test_forgot_is_capped(office: Office) -> None:
    got = [len(office.send(f"m{n}@evil.example", "forgot alice")) for n in range(6)]
    assert got == [1, 1, 1, 0, 0, 0]


def test_change_password(office: Office) -> None:
    (told,) = office.send("alice", "change password alice s3cret N3wWord")
    assert told.to == address("alice")
    assert knows_password(office, "alice", "N3wWord")
    assert not knows_password(office, "alice", "s3cret")
    assert not knows_password(office, "alice", "n3wword")
    office.send("alice", "Change Pass alice N3wWord other.word")


# -- change address


def test_change_address_with_both_letters(office: Office) -> None:
    letters = office.send("alice", "change address alice s3cret alice2@new.example")
    to = {letter.to: letter for letter in letters}
    assert set(to) == {"alice2@new.example", address("alice")}
    assert office.ask("user", "alice").address == address("alice")
    new = to["alice2@new.example"]
    assert token(new) not in to[address("alice")].text
    told = office.send("alice2@new.example", "Re: x", "", new.reply_to)
    assert sorted(letter.to for letter in told) == ["alice2@new.example", address("alice")]
    assert office.ask("user", "alice").address == "alice2@new.example"
    assert office.send("alice", "star challenge alice bob") == []  # the old address is a stranger's
    letters = office.send("alice2@new.example", "star challenge alice bob")
    assert sorted(letter.to for letter in letters) == ["alice2@new.example", address("bob")]


def test_change_address_confirmed_by_a_command(office: Office) -> None:
    letters = office.send("alice", "change address alice s3cret alice2@new.example")
    (new,) = [letter for letter in letters if letter.to == "alice2@new.example"]
    office.send("alice2@new.example", f"confirm {token(new)}")
    assert office.ask("user", "alice").address == "alice2@new.example"


def test_change_address_with_a_wrong_password(office: Office) -> None:
    letters = office.send("mallory@evil.example", "change address alice wr0ngone m@evil.org")
    assert [letter.to for letter in letters] == [address("alice")]
    assert "not right" in letters[0].text


def test_reply_tokens_follow_the_account_not_the_address(office: Office) -> None:
    letters = office.send("alice", "star challenge alice bob")
    told = office.send("alice", "change address alice s3cret alice2@new.example")
    (new,) = [letter for letter in told if letter.to == "alice2@new.example"]
    office.send("alice2@new.example", "Re: x", "", new.reply_to)
    assert [each.to for each in office.send("alice", "Re: x", "F6", letters[0].reply_to)] == [
        "alice2@new.example"
    ]
    assert office.record(1) == []
    office.send("alice2@new.example", "Re: x", "F6", letters[0].reply_to)
    assert office.record(1) == ["F6"]


# -- signoff


def test_signoff(office: Office) -> None:
    office.game()
    office.play(1, "F6")
    office.game("*star challenge -rings=4 alice bob")
    letters = office.send("bob", "signoff bob hunter2")
    assert sorted((letter.to, letter.subject) for letter in letters) == [
        (address("alice"), "*Star Board 2"),
        (address("alice"), "Star Board 1"),
        (address("bob"), "*Star Board 2"),
        (address("bob"), "Star Board 1"),
        (address("bob"), "Star account bob"),
    ]
    assert "bob has left the server." in letters[0].text
    assert "Game won by alice." in letters[0].text
    user = office.ask("user", "bob")
    assert (user.state, user.address, user.password) == ("closed", "", "")
    assert not knows_password(office, "bob", "hunter2")
    assert office.send("bob", "help") == []
    (letter,) = office.send("alice", "star challenge alice bob")
    assert "There is no player bob." in letter.text
    assert office.check() == []


def test_a_closed_userid_is_not_given_away(office: Office) -> None:
    office.send("bob", "signoff bob hunter2")
    (letter,) = office.send(NEW, "signup bob Dor4.pass")
    assert "is not free" in letter.text


def test_a_closed_account_cannot_be_opened_by_an_earlier_token(office: Office) -> None:
    (forgotten,) = office.send("bob", "forgot bob")
    moved = office.send("bob", "change address bob hunter2 bob2@new.example")
    (new,) = [letter for letter in moved if letter.to == "bob2@new.example"]
    office.send("bob", "signoff bob hunter2")
    before = office.state()
    assert office.send(NEW, f"change password bob {token(forgotten)} n3wword") == []
    assert office.send("bob2@new.example", "Re: x", "", new.reply_to) == []
    assert office.send("bob2@new.example", f"confirm {token(new)}") == []
    assert office.state() == before
    assert not knows_password(office, "bob", "n3wword")


def test_no_password_in_the_database(office: Office) -> None:
    (letter,) = office.send(NEW, "signup dora Dor4.pass")
    office.send(NEW, "Re: x", "", letter.reply_to)
    office.game()
    office.play(1, "F6")
    office.deliver(office.write("alice", "star move 1 alice wr0ngone F6", "wr0ngone again"))
    office.deliver(office.write("alice", "star move alice wr0ngone F6"))
    held = _everything(office)
    for secret in ("Dor4.pass", "wr0ngone", *PASSWORD.values(), token(letter)):
        assert secret not in held


def _everything(office: Office) -> str:
    """All cells of all tables as text."""
    import sqlalchemy as sa

    from pbmstar.store.tables import metadata

    with office.store.engine.connect() as connection:
        cells = [
            cell
            for table in metadata.sorted_tables
            for row in connection.execute(sa.select(table))
            for cell in row
        ]
    return "\n".join(
        bytes(cell).decode("latin-1") if isinstance(cell, bytes | memoryview) else str(cell)
        for cell in cells
    )
