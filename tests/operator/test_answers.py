"""What commands of the operator say: of nothing, of one, and of what an act has done to people."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from harness.letters import PASSWORD
from harness.office import Office

from pbmstar.bots import budget
from pbmstar.config import KEYS
from pbmstar.service.letters import alerts
from pbmstar.store.ledger import Run

HOUR, DAY = 3600.0, 86400.0
OPERATOR = "op@site.example"


@pytest.mark.few(3)
@pytest.mark.parametrize(
    "words",
    [
        "admin outbox list", "admin outbox list --by-domain", "admin quarantine list", "admin twins",
        "admin outage list", "admin node list", "admin board list", "admin top",
        "admin top --strangers", "admin probe", "admin user find nobody@x.example", "admin audit",
        "admin user ban --list", "admin user list --leave", "admin user list --idle 365",
        "admin suppress list", "admin ladder list", "admin league list",
    ],
)  # fmt: skip
def test_an_empty_list_is_a_sentence(another: Callable[..., Office], words: str) -> None:
    office = another(people=())
    told = office.run(*words.split()).output
    assert told[0].isupper() and told.count("\n") == 1, told
    assert json.loads(office.run(*words.split(), "--json").output) == []


def test_nobody_has_an_account(another: Callable[..., Office]) -> None:
    told = another(people=()).run("admin", "user", "list").output
    assert told == "There are no accounts yet. See: pbmstar admin user add\n"


@pytest.mark.parametrize("act", ["show", "reset", "remove"])
def test_a_board_that_is_not_there(office: Office, act: str) -> None:
    done = office.run("admin", "board", act, "99")
    assert done.output == "pbmstar: There's no board 99. See: pbmstar admin board list\n"
    assert done.exit_code == 1


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("bots", "x", "bots: 'x' can't be used. Write how many processes find moves"),
        ("nag_days", "-1", "nag_days: '-1' can't be used. Write a number of days"),
        ("limits", "maybe", "limits: 'maybe' can't be used. Write on or off."),
        ("address", "star", "address: 'star' can't be used."),
    ],
)
def test_a_wrong_value_is_repeated(office: Office, key: str, value: str, told: str) -> None:
    done = office.run("admin", "status", **{key: value})
    assert done.exit_code == 2 and told in done.output, done.output


def test_a_wrong_time_is_repeated(office: Office) -> None:
    done = office.run("admin", "outage", "add", "2027x", "2027y", "why")
    assert "'2027x' isn't a time. Write it like 2026-12-06T13:20Z (UTC).\n" in done.output
    assert done.exit_code == 2
    done = office.run("admin", "alerts", "mute", "tomorrow")
    assert "'tomorrow' isn't a duration. Write it like 12h or 1d.\n" in done.output
    assert done.exit_code == 2


def test_a_ban_names_the_accounts_that_it_cuts_off(office: Office) -> None:
    office.add("carol", "carol@bob.example", "another")
    office.add("dave", "dave@mail.bob.example", "another")
    office.add("erin", "erin@notbob.example", "another")
    told = office.run("admin", "user", "ban", "bob.example").output
    assert told == (
        "bob.example is now banned.\n"
        "From now on we ignore messages from these accounts: bob, carol, dave. They stay open.\n"
    )
    assert office.run("admin", "user", "unban", "bob.example").output.count("\n") == 1
    told = office.run("admin", "user", "ban", "Carol@bob.example").output
    assert "ignore messages from these accounts: carol. They" in told
    assert (
        office.run("admin", "user", "ban", "far.example").output == "far.example is now banned.\n"
    )


def test_who_comes_back_is_told_what_was_resigned(office: Office, tmp_path: Path) -> None:
    office.begun()
    office.begun()
    backup = str(tmp_path / "backup.db")
    office.run("admin", "backup", backup)
    office.run("admin", "user", "close", "bob")
    done = office.run("admin", "restore", backup, "--user", "bob")
    first, second = done.output.splitlines()
    assert first == "Account bob restored; boards: none."
    assert second == (
        "These boards have ended since the backup, and stay so: 1, 2. To put one back: "
        f"pbmstar admin restore {backup} --board 1"
    )
    assert office.run(*second.partition("pbmstar ")[2].split()).exit_code == 0
    assert office.row(1).to_move and not office.row(2).to_move  # type: ignore[union-attr]
    assert office.check() == []


def test_the_domain_behind_a_wave(office: Office) -> None:
    for number in range(3):
        office.deliver(office.write(f"p{number}@Wave.example", "Buy now"))
    office.deliver(office.write("one@small.example", "Buy now"))
    office.deliver(office.write("alice", "Buy now"))
    told = office.run("admin", "top", "--strangers").output.splitlines()
    assert [line.split() for line in told] == [
        ["domain", "mails"], ["wave.example", "3"], ["small.example", "1"],
    ]  # fmt: skip
    assert alerts.KINDS["spam"].command == "pbmstar admin top --strangers"


def test_bots_are_counted_over_days(office: Office) -> None:
    for _ in range(3):
        with office.store.transaction() as tx:
            budget.charge(tx, office.now, "bob", 1.5)
        office.now += 2 * HOUR
    (row,) = office.facts("admin", "top")
    assert (row["userid"], row["bot_seconds"]) == ("bob", 4.5)
    (row,) = office.facts("admin", "top", "--days", "0.1")
    assert row["bot_seconds"] == 1.5


def test_a_letter_that_went_out_twice(office: Office) -> None:
    office.deliver(office.write("alice", "star challenge alice bob"))
    with office.store.transaction() as tx:
        again, *_ = (letter.id for letter in tx.outbox.unsent() if letter.userid == "bob")
    office.sql(f"UPDATE outbox SET tries = 1 WHERE id = {again}")
    office.letters()
    told = office.run("admin", "explain", "bob").output
    assert f"Letter {again} to bob was sent" in told
    assert "It took 2 tries, so it may have arrived more than once." in told
    assert office.facts("admin", "explain", "alice")["again"] == []


def test_a_rehearsal_as_json(office: Office) -> None:
    office.begun()
    office.letters()
    found = json.loads(
        office.run("remind", "--dry-run", "--at", "2027-01-25T00:00Z", "--json").output
    )
    assert found["nag"] == 1 and found["warning"] == found["forfeit"] == 0
    assert found["letters"] == [{"to": "alice", "subject": "Reminder: Star Board 1 alice"}]
    assert office.run("remind", "--json").exit_code == 2


def test_what_was_silent_is_heard_after_the_mute(office_of: Callable[..., Office]) -> None:
    office = office_of(operator=OPERATOR)

    def alerted(kind: str = "bot") -> int:
        with office.store.transaction() as tx:
            alerts.tell(tx, office.config, office.now, kind)
        return len([letter for letter in office.letters() if letter.to == OPERATOR])

    def looked() -> list[str]:
        with office.store.transaction() as tx:
            alerts.look(tx, office.config, office.now)
        return [letter.text for letter in office.letters() if letter.to == OPERATOR]

    office.run("admin", "alerts", "mute", "1d")
    assert [alerted(), alerted(), alerted("disk"), *looked()] == [0, 0, 0]
    office.run("admin", "alerts", "unmute")
    office.now += 60
    (text,) = looked()
    assert "2" in text
    assert alerted("disk") == 1
    assert [alerted(), alerted("disk"), *looked()] == [0, 0]


def test_an_erased_name_is_nowhere(office: Office) -> None:
    office.begun()
    office.run("admin", "user", "rename", "bob", "zeldaq")
    office.run("admin", "user", "rename", "zeldaq", "zeldar")
    office.letters()
    office.run("admin", "user", "erase", "zeldar", "--rename")
    facts = " ".join(office.rows()["facts"])
    assert "zelda" not in facts and "bob" not in facts


def test_one_is_not_many(office: Office) -> None:
    office.begun()
    office.sql("UPDATE boards SET length = 7")
    assert office.run("admin", "check").output.endswith("\n1 difference.\n")
    office.sql("UPDATE boards SET length = 2")
    office.letters()
    assert office.run("admin", "outbox", "retry").output == "0 letters due now.\n"
    office.deliver(office.write("alice", f"star say 1 alice {PASSWORD['alice']}", "hello"))
    office.deliver(office.write("bob", "star show 1"))
    assert office.run("admin", "board", "reset", "1", "--to-move", "9").output == (
        "pbmstar: Board 1 has had 2 moves; 1 to 3 will do.\n"
    )


# -- questions that a list answers


def test_who_has_not_been_seen(office: Office) -> None:
    office.add("carol", "carol@carol.example", "another")
    listed = ("admin", "user", "list", "--idle")
    assert office.facts(*listed, "1") == []
    office.now += 100 * DAY
    office.play(office.game(), "F6")
    office.now += 100 * DAY
    office.deliver(office.write("carol", "news carol another off"))
    office.now += 2 * DAY
    # alice moved 102 days ago; nothing is known of bob since his account was opened.
    assert [row["userid"] for row in office.facts(*listed, "102")] == ["bob", "alice"]
    assert [row["userid"] for row in office.facts(*listed, "103")] == ["bob"]
    assert office.facts(*listed, "203") == []
    told = office.run(*listed, "999").output
    assert told == "Every open account was seen in the last 999 days.\n"
    office.run("admin", "user", "close", "bob")
    assert [row["userid"] for row in office.facts(*listed, "2")] == ["alice", "carol"]


def test_who_did_nothing_but_lose_on_time_has_not_been_seen(office: Office) -> None:
    office.begun()
    office.now += 90 * DAY
    for _ in range(4):
        office.remind(4)
    assert office.record(1)[-1] == "forfeit"
    found = office.facts("admin", "user", "list", "--idle", "60")
    assert {row["userid"] for row in found} == {"alice", "bob"}


def test_who_is_on_leave(office: Office) -> None:
    listed = ("admin", "user", "list", "--leave")
    assert office.run(*listed).output == "Nobody is on leave, or has booked any.\n"
    office.send("alice", f"away alice {PASSWORD['alice']} 2027-02-01 2027-02-05")
    office.send("bob", f"away bob {PASSWORD['bob']} 3")
    office.run("admin", "user", "grant-leave", "bob", "9")
    rows = office.facts(*listed)
    assert [(row["userid"], row["state"], row["kind"]) for row in rows] == [
        ("bob", "away", "leave"), ("alice", "booked", "leave"),
    ]  # fmt: skip
    assert rows[1]["begin"] == "2027-02-01T00:00:00Z"
    office.now += 4 * DAY
    assert [row["userid"] for row in office.facts(*listed)] == ["alice"]
    assert office.run("admin", "user", "list", "--leave", "--idle", "3").exit_code == 2


def test_which_bans_there_are(office: Office) -> None:
    office.add("carol", "carol@mail.bob.example", "another")
    listed = ("admin", "user", "ban", "--list")
    assert office.run(*listed).output == "Nobody is banned.\n"
    office.run("admin", "user", "ban", "bob.example")
    office.now += 60
    office.run("admin", "user", "ban", "Alice@alice.example")
    rows = office.facts(*listed)
    assert [(row["kind"], row["accounts"]) for row in rows] == [
        ("domain", "bob carol"), ("address", "alice"),
    ]  # fmt: skip
    assert rows[0]["banned"] == "bob.example" and "@" not in rows[1]["banned"]
    office.run("admin", "user", "unban", "bob.example")
    assert len(office.facts(*listed)) == 1
    for words in ((), ("x.example", "--list"), ("x.example", "--json")):
        assert office.run("admin", "user", "ban", *words).exit_code == 2


def test_whose_address_an_act_was_about(office: Office) -> None:
    """An act keeps only a hash of an address; who has it now is said, and who did the act."""
    office.run("admin", "user", "ban", "bob@bob.example")
    office.run("admin", "suppress", "add", "stranger@far.example")
    bob, stranger = office.facts("admin", "audit")[-2:]
    assert bob["act"].startswith("user ban ") and bob["accounts"] == "bob"
    assert stranger["act"].startswith("suppress add ") and stranger["accounts"] == ""
    assert bob["actor"] == "operator ann"
    assert office.facts("admin", "audit", "--by", "ann") == [bob, stranger]
    assert office.facts("admin", "audit", "--by", "an") == []


def test_an_alert_that_is_only_a_test(office_of: Callable[..., Office]) -> None:
    office = office_of(operator=OPERATOR)
    assert office.run("admin", "alerts", "test").output == f"Test alert written to {OPERATOR}.\n"
    (letter,) = office.letters()
    assert (letter.to, letter.subject) == (OPERATOR, "Star server: a test")
    assert "Nothing is wrong." in letter.words and "at most one" not in letter.words
    office.run("admin", "alerts", "test")
    assert len(office.letters()) == 1, "as often as you like"
    office.run("admin", "alerts", "mute", "1d")
    done = office.run("admin", "alerts", "test")
    assert done.exit_code == 1 and "admin alerts unmute" in done.output
    assert office.letters() == []


def test_a_test_alert_needs_an_address(office: Office) -> None:
    done = office.run("admin", "alerts", "test")
    assert done.exit_code == 1 and "set the key operator" in done.output
    assert office.letters() == []


def test_each_key_its_value_and_its_source(office: Office, tmp_path: Path) -> None:
    file = tmp_path / "pbmstar.toml"
    file.write_text('relay = "smtp+starttls://me:s3cret@mail.example:587"\nforfeit_days = 9\n')
    done = office.run("config", "--config", str(file), "--nag-days", "3", "--json", relay="")
    rows = {row["key"]: (row["value"], row["source"]) for row in json.loads(done.output)}
    assert rows.keys() == KEYS.keys()
    assert rows["nag_days"] == ("3", "--nag-days")
    assert rows["spool"] == (str(office.config.spool), "PBMSTAR_SPOOL")
    assert rows["forfeit_days"] == ("9", str(file))
    assert rows["time"] == ("9d", "forfeit_days")
    assert rows["listen"] == ("127.0.0.1:8025", "default")
    assert rows["limits"] == ("on", "default")
    assert office.run("config", without="nonsense").exit_code == 2


@pytest.mark.parametrize(
    ("key", "value", "shown"),
    [
        ("relay", "smtp+starttls://me:s3:cr@t@mail.example:587", "smtp+starttls://me:******@mail.example:587"),
        ("database", "postgresql+psycopg://u:s3cret@h/x", "postgresql+psycopg://u:******@h/x"),
        ("database", "postgresql+psycopg://h/x", "postgresql+psycopg://h/x"),
    ],
)  # fmt: skip
def test_a_password_is_masked(office: Office, key: str, value: str, shown: str) -> None:
    rows = json.loads(office.run("config", "--json", **{key: value}).output)
    assert [row["value"] for row in rows if row["key"] == key] == [shown]


def test_the_state_of_the_server(office: Office, tmp_path: Path) -> None:
    facts = json.loads(office.run("admin", "status", "--json").output)
    assert (facts["started"], facts["backup_seconds"], facts["serving"]) == (None, None, True)
    assert facts["database_bytes"] > 100_000
    with office.store.transaction() as tx:
        for began in (office.now - 500, office.now - 900):
            tx.ledger.add_run(Run(f"{int(began):x}", office.config.node, "1.0.0", began))
        tx.ledger.add_run(Run("other", "another node", "1.0.0", office.now))
    assert office.run("admin", "backup", str(tmp_path / "copy.db")).exit_code == 0
    office.now += 3 * HOUR
    facts = json.loads(office.run("admin", "status", "--json", "--tables").output)
    assert facts["started"] == "2027-01-15T07:51:40Z"
    assert facts["backup_seconds"] == 3 * HOUR
    sizes = {each["table"]: each for each in facts["tables"]}
    assert sizes["users"]["rows"] == len(office.rows()["users"]) and sizes["users"]["bytes"] > 0
    told = office.run("admin", "status", "--tables").output
    assert "daemon: running, started 2027-01-15T07:51:40Z\n" in told
    assert "last good backup: 3 hours ago\n" in told
    assert re.search(r"(?m)^database: [\d.]+ [KM]iB, tables of revision \d+$", told)
    assert re.search(r"(?m)^  users: \d+ rows, \d+ KiB$", told)


def test_a_backup_that_finds_no_room_says_that_the_copy_has_none(
    office: Office, tmp_path: Path
) -> None:
    """The place of the copy is at fault, and not the database."""
    copy = tmp_path / "nowhere" / "copy.db"
    done = office.run("admin", "backup", str(copy))
    assert done.exit_code and f"the copy {copy}: unable to open database" in done.output
    assert "pbmstar.db" not in done.output


def test_a_backup_that_is_not_whole_is_none(
    office: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is deleted, and the age of the last good one stays."""

    def spoil(path: Path, _mode: int) -> None:
        with open(path, "r+b") as file:
            file.seek(8192)
            file.write(b"spoilt" * 2000)

    monkeypatch.setattr(Path, "chmod", spoil)
    done = office.run("admin", "backup", str(tmp_path / "copy.db"))
    assert done.exit_code == 1 and "the copy is not whole" in done.output
    assert not list(tmp_path.glob("copy.db*"))
    assert json.loads(office.run("admin", "status", "--json").output)["backup_seconds"] is None
