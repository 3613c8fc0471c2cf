"""A message of the mailbox has its effect once, whatever happens to the line, the server or the mailbox."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from fetching import House
from harness.imap import ALL
from harness.office import Office

from pbmstar.errors import BadInput, TemporaryFailure
from pbmstar.inbound.gate import MAIL

CHALLENGE = "star challenge -size=4 alice bob"


def subjects(house: House) -> list[str]:
    return [letter.mail["Subject"] for letter in house.letters()]


def test_a_message_is_carried_out_and_moved(house: House) -> None:
    house.arrive("alice", CHALLENGE)
    assert house.fetch() == ("1 message from the mailbox handled.", True)
    assert {letter.to for letter in house.office.letters()} == {
        "alice@alice.example",
        "bob@bob.example",
    }
    assert (house.imap.count(), house.imap.count("pbmstar/done")) == (0, 1)
    assert house.imap.said("BODY.PEEK") == 1
    assert not house.imap.said("STORE")
    assert house.fetch() == ("0 messages from the mailbox handled.", True)


def test_an_empty_folder_for_what_is_done_deletes_it(house: House) -> None:
    house.set(mailbox_done="")
    house.arrive("alice", CHALLENGE)
    assert house.letters()
    assert (house.imap.count(), set(house.imap.boxes)) == (0, {"INBOX", "Junk"})


def test_messages_of_a_sender_keep_their_order(house: House) -> None:
    house.arrive("alice", CHALLENGE)
    house.arrive("alice", "star move 1 alice s3cret C3")
    house.arrive("bob", "star move 1 bob hunter2 C4")
    house.fetch()
    row = house.office.row(1)
    assert row is not None
    assert (row.length, row.to_move) == (2, "alice")


@pytest.mark.parametrize("capabilities", [ALL, ALL.replace("MOVE ", ""), "IDLE", ""])
def test_servers_with_few_abilities(house: House, capabilities: str) -> None:
    """Without UIDPLUS a message must stay; it is marked as deleted, and copied away once."""
    house.imap.capabilities = capabilities
    for _ in range(2):
        house.arrive("alice", CHALLENGE)
        assert len(house.letters()) == 2
    assert house.letters() == []
    stays = 0 if "UIDPLUS" in capabilities else 2
    assert (house.imap.count(), house.imap.count("pbmstar/done")) == (stays, 2)
    assert not any(line.startswith("EXPUNGE") for line in house.imap.log)


def test_folders_below_a_prefix(house: House) -> None:
    house.imap.prefix, house.imap.between = "INBOX.", "."
    house.arrive("alice", CHALLENGE)
    house.fetch()
    assert house.imap.count("INBOX.pbmstar.done") == 1


@pytest.mark.few(3)
@pytest.mark.parametrize("command", ["LOGIN", "SELECT", "UID SEARCH", "UID FETCH", "UID MOVE"])
@pytest.mark.parametrize("fault", ["cut", "NO not now", "half", "empty"])
def test_a_line_that_breaks_at_each_step(house: House, command: str, fault: str) -> None:
    """It is carried out once, when the line is there again."""
    faults = [command]
    house.imap.fault = lambda name: fault if name in faults else ""
    house.arrive("alice", CHALLENGE)
    try:
        house.fetch()
    except TemporaryFailure as error:
        assert str(error).startswith("mailbox")
        assert "s3cret" not in str(error)
    faults.clear()
    first = house.office.letters()
    assert len(first) + len(house.letters()) == 2
    assert (house.imap.count(), house.imap.count("pbmstar/done")) == (0, 1)


def test_flags_that_a_person_sets_mean_nothing(house: House) -> None:
    house.arrive("alice", CHALLENGE)
    house.imap.boxes["INBOX"].flags[1] = {"\\Seen", "\\Deleted", "\\Answered"}
    assert len(house.letters()) == 2


def test_a_mailbox_that_is_numbered_anew(house: House) -> None:
    """What was carried out and not moved is known by its bytes; what was not carried out is not lost."""
    house.imap.fault = lambda name: "NO not now" if name in ("UID MOVE", "CREATE") else ""
    house.arrive("alice", CHALLENGE)
    said, is_done = house.fetch()
    assert not is_done
    assert "cannot be moved to pbmstar/done" in said
    house.imap.fault = lambda _name: ""
    house.imap.renumber()
    house.arrive("bob", "star show 1")
    assert len(house.office.letters()) == 2
    assert subjects(house) == ["Star Board 1 alice"]
    assert (house.imap.count(), house.imap.count("pbmstar/done")) == (0, 2)


def test_a_message_that_is_copied_back(house: House) -> None:
    """Even months later, when the marks of other messages are forgotten: alice challenges once."""
    raw = house.arrive("alice", CHALLENGE)
    house.fetch()
    house.office.now += 100 * 86400.0
    with house.office.store.transaction() as tx:
        tx.prune(house.office.now, 0.0, 0.0)
    house.office.letters()
    house.imap.add(raw)
    assert house.letters() == []
    assert house.imap.count("pbmstar/done") == 2


def test_a_mailbox_at_another_provider(house: House) -> None:
    """The same numbers mean nothing there."""
    house.arrive("alice", CHALLENGE)
    house.fetch()
    house.office.letters()
    other = house.imap.url.replace("star@", "club:s3cret@")
    house.set(mailbox=other)
    house.imap.boxes = {"INBOX": type(house.imap.boxes["INBOX"])()}
    house.arrive("bob", "star show 1")
    assert len(house.letters()) == 1


def test_what_cannot_be_read_goes_to_a_folder_of_its_own(house: House) -> None:
    house.imap.add(b"From: a@b.example\r\nSubject: x\r\n\r\n" + b"x" * (MAIL + 10))
    house.arrive("alice", CHALLENGE)
    assert house.fetch()[0] == "2 messages from the mailbox handled."
    assert (house.imap.count("pbmstar/unreadable"), house.imap.count("pbmstar/done")) == (1, 1)


def test_what_meets_a_fault_goes_to_the_quarantine(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_args: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("pbmstar.service.incoming.commands.carry_out", fail)
    house.arrive("alice", CHALLENGE)
    house.fetch()
    assert (house.imap.count(), house.imap.count("pbmstar/quarantine")) == (0, 1)
    assert len(list((house.office.config.spool / "quarantine").glob("*.json"))) == 1


def test_while_the_server_is_paused_everything_stays(house: House) -> None:
    house.office.run("admin", "pause")
    house.arrive("alice", CHALLENGE)
    assert house.fetch() == (
        "0 messages from the mailbox handled, 1 to be tried again.",
        False,
    )
    house.office.run("admin", "resume")
    assert len(house.letters()) == 2


def test_our_own_messages_are_ignored(house: House) -> None:
    house.arrive("star@pbm.example", "star challenge alice bob")
    assert house.letters() == []
    assert house.imap.count("pbmstar/done") == 1


def test_a_message_from_before_the_server_was_there(house: House) -> None:
    """The first pass asks for what came since the day before, and later ones do the same."""
    house.fetch()
    house.office.now += 40 * 86400.0
    house.fetch()
    asked = {line for line in house.imap.log if "SINCE" in line}
    assert asked == {"UID SEARCH SINCE 14-Jan-2027"}


# -- the junk folder


def test_a_reply_and_a_password_in_the_junk_folder(house: House) -> None:
    house.arrive("alice", CHALLENGE)
    letters = {letter.to: letter for letter in house.letters()}
    reply = letters["alice@alice.example"].mail["Reply-To"]
    house.arrive("alice", "Re: board 1", "Junk", body="C3", to=reply)
    house.arrive("bob", "star move 1 bob hunter2 C4", "Junk")
    house.fetch()
    row = house.office.row(1)
    assert row is not None
    assert row.length == 2
    assert (house.imap.count("Junk"), house.imap.count("pbmstar/done")) == (0, 3)


@pytest.mark.parametrize(
    "subject", ["hello", "signup carol", "cheap pills", "star challenge alice bob", "star move 1 x"]
)
def test_all_else_in_the_junk_folder_stays(house: House, subject: str) -> None:
    before = house.office.rows()
    house.arrive("spammer@spam.example", subject, "Junk")
    assert house.letters() == []
    after = house.office.rows()
    assert {name for name in after if after[name] != before[name]} <= {"facts", "keys"}
    assert house.imap.count("Junk") == 1
    fetched = house.imap.said("BODY.PEEK")
    house.fetch()
    assert house.imap.said("BODY.PEEK") == fetched  # it is looked at once


def test_what_a_person_takes_out_of_the_junk_folder_is_carried_out(house: House) -> None:
    raw = house.arrive("carol@carol.example", "signup carol", "Junk")
    assert house.letters() == []
    house.imap.boxes["Junk"].messages.clear()
    house.imap.add(raw)
    assert len(house.letters()) == 1


def test_passwords_that_are_tried_in_the_junk_folder_count(house: House) -> None:
    house.arrive("x@spam.example", "star move 1 alice wrong C3", "Junk")
    assert house.letters() == []
    (place,) = house.office.rows()["places"]
    assert place.startswith("('alice', ")


# -- troubles, a sentence each


def test_a_wrong_password(house: House) -> None:
    house.imap.passwords = {"other"}
    with pytest.raises(TemporaryFailure, match="refuses the user or the password") as raised:
        house.fetch()
    assert "s3cret" not in str(raised.value)


def test_a_certificate_that_nobody_knows(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "/dev/null")
    with pytest.raises(TemporaryFailure, match="the certificate of localhost is not right: self"):
        house.fetch()
    assert house.imap.log == []


def test_a_certificate_for_another_name(house: House) -> None:
    """Nothing is said to such a server, and nothing is lost: 127.1 is the same machine, not the same name."""
    house.arrive("alice", CHALLENGE)
    right = house.office.config.mailbox
    house.set(mailbox=right.replace("localhost", "127.1"))
    with pytest.raises(
        TemporaryFailure, match=r"the certificate of 127\.1 is not right: Hostname mismatch"
    ):
        house.fetch()
    assert house.imap.log == []
    house.set(mailbox=right)
    assert len(house.letters()) == 2


def test_nobody_there(house: House) -> None:
    house.set(mailbox="imaps://star:s3cret@localhost:9")
    with pytest.raises(TemporaryFailure, match="mailbox: localhost: Connection refused"):
        house.fetch()


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("imaps://localhost", "imaps://USER@HOST"),
        ("pop3://star@localhost", "imaps://USER@HOST"),
        ("imaps://star@localhost/x", "HOST or HOST:PORT"),
        ("imaps://star@localhost", "mailbox_password_command"),
        ("imaps://star:s3cret@localhost:99999", "HOST or HOST:PORT"),
    ],
)
def test_urls_that_cannot_be(house: House, url: str, why: str) -> None:
    house.set(mailbox=url)
    with pytest.raises(BadInput, match=why) as raised:
        house.fetch()
    assert "s3cret" not in str(raised.value)


# -- the provider's word on the sender


@pytest.mark.parametrize(
    ("fields", "verdict"),
    [
        (["mx.provider.example; dmarc=pass header.from=alice.example"], "pass"),
        (["other.example; dmarc=pass header.from=alice.example"], "none"),
        (
            [
                "mx.provider.example; dmarc=fail header.from=alice.example",
                "mx.provider.example; dmarc=pass header.from=alice.example",
            ],
            "fail",
        ),
        (
            [
                "mx.provider.example; dmarc=pass header.from=alice.example",
                "mx.provider.example; dmarc=fail header.from=alice.example",
            ],
            "pass",
        ),
        (
            [
                "mx.provider.example; dkim=none",
                "mx.provider.example; dmarc=pass header.from=alice.example",
            ],
            "none",
        ),
    ],
)
def test_only_the_topmost_field_of_the_provider_counts(
    office_of: Callable[..., Office], fields: list[str], verdict: str
) -> None:
    """A sender can write such fields, and they stand below the provider's own."""
    office = office_of(mailbox="imaps://star:x@localhost", authserv_id="mx.provider.example")
    headers = "".join(f"Authentication-Results: {each}\r\n" for each in fields)
    mail = office.service.read(office.write("alice", "help", headers=headers))
    assert mail.authentic == verdict


def test_a_mailbox_over_its_quota(house: House) -> None:
    """Nothing is lost or done twice; the sentence says why messages stay."""
    full = ["UID MOVE"]
    house.imap.fault = lambda name: "NO [OVERQUOTA] Quota exceeded" if name in full else ""
    house.arrive("alice", CHALLENGE)
    said, is_done = house.fetch()
    assert said == (
        "1 message from the mailbox handled. Messages cannot be moved to pbmstar/done: the mailbox is full: "
        "move failed: [OVERQUOTA] Quota exceeded."
    )
    assert not is_done
    full.clear()
    assert house.fetch()[0] == "0 messages from the mailbox handled."
    assert house.imap.count("pbmstar/done") == 1
    assert len(house.office.letters()) == 2


def test_a_folder_that_is_missing(house: House) -> None:
    """It is made, also if a person removes it later; if the server refuses that, messages stay and are known."""
    refused = ["CREATE"]
    house.imap.fault = lambda name: "NO not allowed" if name in refused else ""
    house.arrive("alice", CHALLENGE)
    assert house.fetch() == (
        "1 message from the mailbox handled. Messages cannot be moved to pbmstar/done: the server refuses: "
        "move failed: [TRYCREATE] no such folder.",
        False,
    )
    refused.clear()
    assert house.fetch() == ("0 messages from the mailbox handled.", True)
    assert house.imap.count("pbmstar/done") == 1
    del house.imap.boxes["pbmstar/done"]
    house.arrive("bob", "star show 1")
    assert house.fetch() == ("1 message from the mailbox handled.", True)
    assert (house.imap.count(), house.imap.count("pbmstar/done")) == (0, 1)
    assert len(house.office.letters()) == 3
