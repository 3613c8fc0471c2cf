"""Accounts: what may be a userid, a password, an address; guessing, secrets, and who may end what."""

from __future__ import annotations

import itertools
import re
from urllib.parse import quote

import argon2
import pytest
import sqlalchemy as sa
from harness.common import sentence
from harness.letters import PASSWORD, SERVER, Got
from harness.office import DAY, Office, address
from harness.returned import bounce, complaint
from service.guesses import opens

from pbmstar.parts import FEATURES
from pbmstar.service.proof import authentication
from pbmstar.store.schema import metadata

VICTIM = "victim@v.example"


def token(letter: Got) -> str:
    """The token that a letter asks to be sent back."""
    (token,) = re.findall(r"\b[a-z2-7]{32}\b", letter.text)
    return str(token)


# -- what they are made of


@pytest.mark.slow
def test_userids_that_cannot_be(office: Office) -> None:
    """A7: whoever asks is told why."""
    before = office.state()
    userids = (
        *("<script>", "x" * 17, "x" * 200, "a", "-abc", "_abc", "a/b", "a@b", "a'b", "{{x}}"),
        *("\uff41lice", "\u0430lice", "na\u00efve", "caf\u00e9", "a\u00b2"),
    )
    for number, userid in enumerate(userids):
        for who in (f"dora{number}", "alice"):
            (letter,) = office.send(who, "", f"signup {userid} Dor4.pass")
            assert "You can't use that name" in letter.text, userid
        assert office.state() == before, userid


@pytest.mark.parametrize("userid", ["ALICE", "admin", "star", "mailer-daemon"])
def test_userids_that_are_not_free(office: Office, userid: str) -> None:
    """A7: taken and reserved userids are refused alike, by mail to the address only."""
    (letter,) = office.send("mallory", f"signup {userid} Dor4.pass dora@dora.example")
    assert letter.to == "dora@dora.example"
    assert sentence("name used", userid.lower()) in letter.words
    assert letter.mail["Reply-To"] is None


@pytest.mark.slow
def test_addresses_that_cannot_be(office: Office) -> None:
    """A8: options, literals, local and own hosts, lists, quoted and non-ASCII addresses."""
    before = office.state()
    homes = (
        *("-f@x.org", "a@[127.0.0.1]", "a@localhost", "a@pbm.example", "star@pbm.example"),
        *("a@", "@b.org", "a@b", "a@b..org", "a" * 65 + "@b.org", "a@" + "b" * 250 + ".org"),
        *("%40@c.org", "é@b.org"),
        *("a..b@c.org", "<a@b.org>x", "a@b.org,c@d.org", "a,b@c.org", "a;b@c.org"),
        *("a\\b@c.org", "=?utf-8?q?a?=@b.org", '"a b"@x.org'),
    )
    for number, home in enumerate(homes):
        who = f"dora{number}"
        (letter,) = office.send(who, "", f"signup dora Dor4.pass {home}")
        assert (letter.to, letter.subject) == (address(who), "Star: welcome"), home
        for line in (f"signup dora Dor4.pass {home}", f"change address alice s3cret {home}"):
            (letter,) = office.send("alice", "", line)
            assert (letter.to, letter.subject) == (address("alice"), "Star Error"), home
        assert office.state() == before, home


@pytest.mark.parametrize("password", ["x" * 65, 'a"bcd', "a'bcd", "pässwort", "a\u2019bcd"])
def test_passwords_that_cannot_be(office: Office, password: str) -> None:
    (letter,) = office.send("alice", "", f"signup dora {password}")
    assert "Passwords must be 4 to 64 characters long" in letter.text
    assert password not in letter.text


@pytest.mark.parametrize(
    "password", ["abc1", "*bold*", "_it_", "a.b,c", "<t-g>", "[x!]", "#1-2", "~!^$%", "xyz1" * 16]
)
def test_passwords_are_kept_as_they_are(office: Office, password: str) -> None:
    (letter,) = office.send("dora", "", f"signup dora {password}")
    office.send("dora", "AW: Star account dora", "> If that's you\n\nOK!", letter.reply_to.upper())
    assert opens(office, "dora", password)
    assert not opens(office, "dora", password.swapcase()) or password == password.swapcase()


def test_what_a_password_costs_whoever_has_the_hash(
    real_passwords: tuple[argon2.PasswordHasher, str],
) -> None:
    """argon2id with 19 MiB in two passes, for an account that does not exist too."""
    real, nobody = real_passwords
    for hashed in (real.hash("s3cret"), nobody):
        parameters = argon2.extract_parameters(hashed)
        assert parameters.type is argon2.Type.ID
        costs = parameters.memory_cost, parameters.time_cost, parameters.parallelism
        assert costs == (19 * 1024, 2, 1)


def test_no_secret_in_the_database(office: Office) -> None:
    """Passwords, right or wrong, one-time tokens and the addresses of strangers are not kept."""
    (letter,) = office.send("dora", "signup dora Dor4.pass")
    office.send("dora", "Re: x", "", letter.reply_to)
    office.game()
    office.play(1, "F6")
    office.deliver(office.write("alice", "star move 1 alice wr0ngone F6", "wr0ngone again"))
    office.deliver(office.write("alice", "star move alice wr0ngone F6"))
    office.run("admin", "suppress", "add", VICTIM)
    with office.store.engine.connect() as connection:
        cells = [
            bytes(cell).decode("latin-1") if isinstance(cell, bytes | memoryview) else str(cell)
            for table in metadata.sorted_tables
            for row in connection.execute(sa.select(table))
            for cell in row
        ]
    held = "\n".join(cells)
    for secret in ("Dor4.pass", "wr0ngone", VICTIM, token(letter), *PASSWORD.values()):
        assert secret not in held


# -- floods


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mail", "limit"),
    [("limit alice s3cret off", 30), ("star games", 19), ("hello", 59), ("star dance", 59)],
)
def test_a_flood(office: Office, mail: str, limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A10: beyond so many the rest is refused or ignored, until an hour or a day has passed."""
    monkeypatch.setattr(authentication, "COMMANDS_AN_HOUR", 30)

    def answers() -> bool:
        office.deliver(office.write("alice", mail))
        limited = ("too many", "letter you asked for", "another letter like this")
        return any(
            not any(each in letter.words.lower() for each in limited) for letter in office.letters()
        )

    done = sum(itertools.takewhile(bool, (answers() for _ in range(limit + 20))))
    assert done == limit
    assert not answers()
    office.now += DAY + 1
    assert answers()


# -- tokens


def test_tokens_are_of_one_kind(office: Office) -> None:
    """That of a forgotten password confirms nothing, and a forged one is none."""
    (letter,) = office.send("alice", "forgot alice")
    before = office.state()
    for forged in (token(letter), "a" * 32, "b" * 16):
        (answer,) = office.send("alice", f"confirm {forged}")
        assert sentence("no code") in answer.text
    assert office.send("alice", "Re: x", "", f"star+a{token(letter)}@pbm.example")
    assert office.state() == before


def test_a_forged_way_out_does_nothing(office: Office) -> None:
    """Nobody can keep letters from an address but who got one there."""
    (letter,) = office.send("mallory", f"signup zed z3d.pass {VICTIM}")
    to = str(letter.mail["List-Unsubscribe"]).removeprefix("<mailto:").partition("?")[0]
    for forged in (to.replace("+n", "+s"), to.replace("+n", "+na"), f"{to[:-20]}aaaa{to[-16:]}"):
        assert office.deliver(office.write(VICTIM, "never", to=forged), to=forged).name != "applied"
    office.letters()
    assert [got.to for got in office.send("mallory", f"signup y0 y.passw {VICTIM}")] == [VICTIM]


def test_forged_bounces_count_for_nobody(office: Office) -> None:
    """H14: with another's mark, or a letter of it flipped."""
    office.game()
    sender = office.play(1, "F6")[1].sender
    place = sender.index("@") - 1
    flipped = sender[:place] + ("b" if sender[place] == "a" else "a") + sender[place + 1 :]
    for forged in (sender.replace("bbob-", "balice-"), flipped):
        assert office.deliver(*bounce(forged)).why == "unknown token"
    office.at_work(lambda work: work.tx.accounts.set_address("bob", "bob@new.example"))
    assert office.deliver(*bounce(sender)).why == "unknown token"
    assert office.deliver(*complaint(SERVER)).name == "ignored"
    assert [user.bounces for user in office.ask("accounts.users")] == [0.0, 0.0]


# Lines whose answers tell more than the setting.
TOLD_OTHERWISE = ("language", "letters window off", "letters lobby on", "public on", "leave off")


def test_each_setting_has_the_line_that_changes_it_beside_it(office: Office) -> None:
    """In HTML as a link that says in words what it does; a reply of that line changes this setting alone."""
    (letter,) = office.send("alice", f"settings alice {PASSWORD['alice']}")
    rows = dict(re.findall(r"(?m)^- (.+): .+ \[(.+)\]$", letter.text))
    assert len(rows) == 11 + ("window" in FEATURES)
    for name, line in rows.items():
        link = f'subject={quote(line)}">'
        assert link in letter.html and f"{link}{line}<" not in letter.html
        (answer,) = office.send("alice", line, "", letter.reply_to)
        if line not in TOLD_OTHERWISE:
            assert answer.text.startswith(f"{name}: ") and answer.text.split("\n")[1] == ""
