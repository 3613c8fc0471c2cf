"""What commands of the operator say: of nothing, of one, and of what an act has done to people."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from harness.letters import PASSWORD
from harness.office import Office

from pbmstar.features.bots import budget
from pbmstar.service.letters import alerts

HOUR = 3600.0
OPERATOR = "op@site.example"


@pytest.mark.parametrize(
    "words",
    [
        "admin outbox list", "admin outbox list --by-domain", "admin quarantine list", "admin twins",
        "admin outage list", "admin node list", "admin board list", "admin top",
        "admin top --strangers", "admin probe", "admin user find nobody@x.example", "admin audit",
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
    assert done.output == "pbmstar: There is no board 99. See: pbmstar admin board list\n"
    assert done.exit_code == 1


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("bots", "x", "bots: 'x' cannot be used. Write how many processes find moves"),
        ("nag_days", "-1", "nag_days: '-1' cannot be used. Write a number of days"),
        ("limits", "maybe", "limits: 'maybe' cannot be used. Write on or off."),
        ("address", "star", "address: 'star' cannot be used."),
    ],
)
def test_a_wrong_value_is_repeated(office: Office, key: str, value: str, told: str) -> None:
    done = office.run("admin", "status", **{key: value})
    assert done.exit_code == 2 and told in done.output, done.output


def test_a_wrong_time_is_repeated(office: Office) -> None:
    done = office.run("admin", "outage", "add", "2027x", "2027y", "why")
    told = "pbmstar: '2027x' is not a time. Write it like 2026-12-06T13:20Z (UTC).\n"
    assert done.output == told


def test_a_ban_names_the_accounts_that_it_cuts_off(office: Office) -> None:
    office.add("carol", "carol@bob.example", "another")
    office.add("dave", "dave@mail.bob.example", "another")
    office.add("erin", "erin@notbob.example", "another")
    told = office.run("admin", "user", "ban", "bob.example").output
    assert told == (
        "bob.example is banned\n"
        "Mail of these accounts is ignored now: bob, carol, dave. They stay open.\n"
    )
    assert office.run("admin", "user", "unban", "bob.example").output.count("\n") == 1
    told = office.run("admin", "user", "ban", "Carol@bob.example").output
    assert "ignored now: carol. They" in told
    assert office.run("admin", "user", "ban", "far.example").output == "far.example is banned\n"


def test_who_comes_back_is_told_what_was_resigned(office: Office, tmp_path: Path) -> None:
    office.begun()
    office.begun()
    backup = str(tmp_path / "backup.db")
    office.run("admin", "backup", backup)
    office.run("admin", "user", "remove", "bob")
    done = office.run("admin", "restore", backup, "--user", "bob")
    first, second = done.output.splitlines()
    assert first == "restored; boards: none"
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
    office.run("admin", "alerts", "mute", "0h")
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
    assert office.run("admin", "check").output.endswith("\n1 difference\n")
    office.sql("UPDATE boards SET length = 2")
    office.letters()
    assert office.run("admin", "outbox", "retry").output == "0 letters due now\n"
    office.deliver(office.write("alice", f"star say 1 alice {PASSWORD['alice']}", "hello"))
    office.deliver(office.write("bob", "star show 1"))
    assert office.run("admin", "board", "reset", "1", "--to-move", "9").output == (
        "pbmstar: Board 1 has had 2 moves; 1 to 3 will do.\n"
    )
