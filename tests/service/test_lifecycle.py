"""Pauses, bans, announcements, the end of a person's data, and moving to another database."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from base64 import b64encode
from collections.abc import Callable
from contextlib import closing
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from harness.office import DAY, Office

from pbmstar.delivery.maildir import Maildir
from pbmstar.errors import BadInput, TemporaryFailure
from pbmstar.intake import quarantine
from pbmstar.service.admin import operator, people
from pbmstar.service.work.context import Envelope
from pbmstar.store import KeptLetter, Store
from pbmstar.store.people.people import named
from pbmstar.store.schema import metadata


def stored(url: str) -> dict[str, set[tuple[Any, ...]]]:
    """All rows, by table."""
    with closing(Store(url)) as store, store.engine.connect() as found:
        return {
            table.name: {tuple(row) for row in found.execute(table.select())}
            for table in metadata.sorted_tables
        }


# -- pause


def test_while_paused_mails_are_put_off_and_come_again(office: Office) -> None:
    office.at_work(operator.pause)
    raw = office.write("alice", "help")
    with pytest.raises(TemporaryFailure, match="paused"):
        office.deliver(raw)
    assert office.ask("mails.find", "", "", "alice") == []  # it left no mark: it can come again
    office.at_work(operator.resume)
    assert office.deliver(raw).name == "applied"


# -- announcements


@pytest.fixture
def four(office: Office) -> Office:
    for name in ("carol", "dave"):
        office.add(name, password="pa55word")
    return office


def test_an_announcement_goes_slowly_and_only_to_those_who_want_it(
    four: Office, tmp_path: Path
) -> None:
    file = tmp_path / "news"
    file.write_text("Subject: New games\n\nHex can be played now.\n\nYours,\nthe operator\n")
    said = four.run("admin", "announce", str(file), "--per-hour", "2").output
    assert said == "4 letters written. The last one goes out in 1.5 hours.\n"
    got = []
    for _ in range(4):
        (letter,) = four.letters()
        got.append(letter)
        four.now += 1800
    assert four.letters() == []
    assert [letter.to.partition("@")[0] for letter in got] == ["alice", "bob", "carol", "dave"]
    assert got[0].subject == "Star news: New games"
    assert got[0].text.startswith("Hex can be played now.\n\nYours,\nthe operator\n")
    assert 'reply "news off" to any of our other letters. To get' in " ".join(got[1].text.split())
    wish = got[1].mail["List-Unsubscribe"].removeprefix("<mailto:").partition("?")[0]
    four.deliver(four.write("bob", "unsubscribe", "", wish), "", wish)
    assert [letter.to for letter in four.letters()] == ["bob@bob.example"]
    assert four.run("admin", "announce", str(file)).output.startswith("3 letters")
    four.send("bob", "news bob hunter2 on")
    assert four.run("admin", "announce", str(file)).output.startswith("4 letters")


def test_an_announcement_may_take_days(four: Office) -> None:
    """A letter that is to go later does, though it was written days before; till then none waits."""
    assert four.at_work(lambda work: people.announce(work, "News", "text", 1 / 48)) == 4
    assert four.ask("outbox.last_written") == four.now
    for to in ("alice", "bob", "carol", "dave"):
        assert [letter.to.partition("@")[0] for letter in four.letters()] == [to]
        four.now += DAY
        assert four.letters() == []
        assert four.ask("outbox.oldest_waiting") in (None, four.now + DAY)
        four.now += DAY


@pytest.mark.parametrize("text", ["", "only a subject\n", "\n\ntext\n", "Größe\n\ntext\n", "\xff"])
def test_an_announcement_that_is_none(office: Office, tmp_path: Path, text: str) -> None:
    file = tmp_path / "news"
    file.write_bytes(text.encode("latin-1"))
    done = office.run("admin", "announce", str(file))
    assert (done.exit_code, office.letters()) == (1, [])
    assert done.output.startswith("pbmstar: ")


def test_an_announcement_may_have_accents(office: Office, tmp_path: Path) -> None:
    file = tmp_path / "news"
    file.write_text("Große Änderungen\n\nSchöne Grüße\n", "utf-8")
    assert office.run("admin", "announce", str(file)).exit_code == 0
    (letter, *_) = office.letters()
    assert (
        message_from_bytes(letter.raw, policy=default)["Subject"] == "Star news: Große Änderungen"
    )
    assert "Schöne Grüße" in letter.text


# -- one person's data


def test_a_name_is_erased_too_if_that_is_asked_for(office: Office, database: str) -> None:
    """And mails in the quarantine that name the address; then the userid is free again."""
    office.game()
    office.play(1, "F6", "swap")
    spool = office.config.spool
    quarantine.keep(spool, Envelope("bob@bob.example", ("b",)), b"x", ValueError(), office.now)
    quarantine.keep(
        spool, Envelope("a@a.example", ("b",)), b"From: Bob@BOB.example", ValueError(), 5.0
    )
    quarantine.keep(spool, Envelope("c@c.example", ("b",)), b"x", ValueError(), 6.0)
    said = office.run("admin", "user", "erase", "bob", "--rename").output
    assert (
        said
        == "Account bob erased. Its games are kept under gone1. Deleted: 2 messages that named it.\n"
    )
    left = [row for rows in stored(database).values() for row in rows]
    assert [row for row in left if "bob@" in str(row) or "bob" in row] == []
    assert [row for row in left if "alice@" in str(row)]
    row = office.row(1)
    assert row is not None and (row.seats, row.result) == (("alice", "gone1"), "alice")
    office.letters()
    assert office.check() == []
    office.add("bob", "other@x.example", "pa55word")


@pytest.mark.few(2)
@pytest.mark.parametrize("how", ["erased", "signed off", "signed off, then erased"])
def test_no_byte_of_the_spool_has_the_address(
    office_of: Callable[..., Office],
    logged: Callable[[], list[dict[str, Any]]],
    database: str,
    how: str,
) -> None:
    """Words, letters, mail for the operator, counters, maildirs, quarantine, log, unused parts of the file."""
    office = office_of(operator="op@site.example")
    config, wish = office.config, "Write to me: Bob@Bob.example"
    asking = "add address bob hunter2 bob@bobsphone.example short"
    letters = {got.to: got for got in office.send("bob", asking)}
    office.send("bob@bobsphone.example", "yes", to=letters["bob@bobsphone.example"].reply_to)
    office.game()
    office.send("bob", "letters bob hunter2 daily 7:30")
    office.send("bob@bobsphone.example", "star show 1")
    office.send("bob", "add address bob hunter2 bob@bobsgone.example")
    office.send("bob", "zone bob hunter2 Asia/Tokyo")
    office.send("alice", "letters alice s3cret daily")
    for who, subject, words in (
        ("bob", "star challenge alice bob", "It is bob@bob.example, for short."),
        ("alice", "star move 1 alice s3cret F6", "Hello"),
        ("bob", "star move 1 bob hunter2 G7", wish),
        ("alice", "star move 1 alice s3cret H7", f"You wrote: {wish}\n\nI will."),
    ):
        assert office.deliver(office.write(who, subject, words)).name == "applied"
    office.deliver(office.write("bob", "forgot bob"))
    office.deliver(office.write("bob", "games"))
    with closing(Maildir(Path(config.relay.removeprefix("maildir:")))) as relay:
        relay.open()
        letter = KeptLetter(
            1, "<1@x>", "bob@bob.example", "", b"To: bob@bob.example", 0, 0.0, "bob"
        )
        assert list(relay.send(iter([letter])))
    encoded = b"From: m@p.example\r\nContent-Transfer-Encoding: base64\r\n\r\n" + b64encode(
        b"About bob@bob.example: he writes to me."
    )
    for raw in (office.write("bob", "Abuse"), encoded):
        office.deliver(raw, "someone@mta.example", to="abuse@pbm.example")
        quarantine.keep(
            config.spool, Envelope("someone@mta.example", ("x",)), raw, ValueError(), office.now
        )
    closes = how.startswith("signed off")
    if closes:
        office.deliver(office.write("bob", "signoff bob hunter2"))
        rows = stored(database)
        left = {name for name, found in rows.items() if "bob@bob" in str(found).lower()}
        assert left <= {"outbox", "contents", "untold"}, "in letters that wait"
        assert "Tokyo" not in str(rows["users"])
    if how.endswith("erased"):
        was = ["--was", "bob@bob.example"] if closes else []
        done = office.run("admin", "user", "erase", "bob", *was)
        assert done.exit_code == 0, done.output
        assert "bob@bob" not in str((stored(database), logged())).lower()
        office.store.close()
        for file in config.spool.parent.rglob("*"):
            if file.is_file():
                assert b"bob@bob" not in file.read_bytes().lower(), file


def test_every_column_that_names_a_person_is_known() -> None:
    """Else a new table would be forgotten by export and erase."""
    for table in metadata.sorted_tables:
        names = {"userid", "other", "address", *named().get(table, ())} & set(table.columns.keys())
        known = {*named().get(table, ()), *(["address"] if table.name == "users" else [])}
        assert names == known, table.name


def test_an_export_holds_all_and_no_secret(office: Office) -> None:
    office.game()
    office.play(1, "F6", "swap")
    office.send("bob", "forgot bob")
    text = office.run("admin", "user", "export", "bob").output
    found = office.facts("admin", "user", "export", "bob")
    assert {"users", "seats", "moves", "handled", "outbox", "tokens"} <= set(found)
    assert [row["move"] for row in found["moves"]] == ["swap"]
    assert all(row["userid"] == "bob" for row in found["outbox"])
    assert not [word for word in ("alice", "argon2") if word in text + str(found)]
    assert "bob@bob.example" in text


@pytest.mark.slow
def test_a_counter_of_a_like_name_is_another_persons(office: Office) -> None:
    for name in ("a_c", "abc"):
        office.add(name, password="pa55word")
        office.send(name, "forgot " + name)
        office.send(name, "games")
    office.run("admin", "user", "erase", "a_c")
    left = office.ask("people.about", "abc", "abc@abc.example")
    assert left["counts"] and office.ask("people.about", "a_c", "a_c@a_c.example")["counts"] == []


# -- another database


def busy(office: Office) -> None:
    """Something in most tables, and numbers that were given and whose rows are gone."""
    for _ in range(3):
        office.game()
    office.send("alice", "star decline 3 alice s3cret")
    office.play(1, "F6", "swap", "G7")
    office.send("bob", "forgot bob")
    office.deliver(office.write("alice", "star show 1"))
    office.at_work(people.ban, "spam.example")
    office.remind(8)


def moved(office: Office, target: str, stdin: str = "") -> str:
    """What `admin move-database` says; nobody delivers meanwhile."""
    office.delivering.close()
    office.delivers = True
    return office.run("admin", "move-database", target, stdin=stdin).output


@pytest.mark.slow
def test_a_database_is_moved_and_moved_back(office: Office, database: str, tmp_path: Path) -> None:
    """Every row, and the next number; again and again without harm."""
    busy(office)
    there = f"sqlite:///{tmp_path}/moved.db"
    said = moved(office, there)
    assert "rows copied and compared" in said, said
    assert stored(there) == stored(database)
    assert moved(office, there) == said
    (tmp_path / "spool2").mkdir()
    with closing(Office(there, tmp_path / "spool2", people=())) as other:
        other.now = office.now
        assert other.check() == []
        other.count = office.count
        assert other.game() == 4  # 3 was given, and is gone
        assert "more rows" in moved(office, there)
        with office.store.engine.begin() as connection:
            for table in metadata.sorted_tables:
                connection.execute(table.delete())
        assert "rows copied and compared" in moved(other, database)
    assert stored(there) == stored(database)
    assert office.game() == 5
    assert office.check() == []


@pytest.mark.slow
def test_a_move_that_was_broken_off_goes_on(
    office: Office, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    busy(office)
    there = f"sqlite:///{tmp_path}/moved.db"
    monkeypatch.setattr("pbmstar.store.copying.ROWS", 2)
    with closing(Store(there)) as half:
        commits = iter("three")
        sa.event.listen(half.engine, "commit", lambda _: next(commits, None) or 1 // 0)
        with pytest.raises(ZeroDivisionError):
            office.store.move_to(half)
    with closing(Store(there)) as half:
        office.store.move_to(half)
    assert stored(there) == stored(database)


def test_what_the_target_has_of_its_own_is_no_place_to_move_to(
    office: Office, tmp_path: Path
) -> None:
    busy(office)
    there = f"sqlite:///{tmp_path}/moved.db"
    with closing(Store(there)) as store:
        with store.transaction() as tx:
            tx.ledger.add_key(b"another", 1.0)
        with pytest.raises(BadInput, match="keys: the target has other rows"):
            office.store.move_to(store)


def test_a_database_is_not_moved_onto_itself_nor_while_a_daemon_runs(
    office: Office, database: str, tmp_path: Path
) -> None:
    done = office.run("admin", "move-database", f"sqlite:///{tmp_path}/moved.db")
    assert (done.exit_code, "Stop it first" in done.output) == (1, True)
    assert not (tmp_path / "moved.db").exists()
    spelled = database.replace("/pbmstar.db", "/./pbmstar.db").replace("+psycopg", "")
    before = stored(database)
    assert "That is the database which is in use: name another one." in moved(office, spelled)
    assert stored(database) == before


def test_nothing_is_moved_while_a_daemon_of_another_spool_runs(
    office: Office, database: str, tmp_path: Path
) -> None:
    """What it takes meanwhile would be missing in the copy."""
    if "sqlite" in database:
        pytest.skip("a daemon and its spool have it alone")
    there = f"sqlite:///{tmp_path}/moved.db"
    begun = "import sys, pbmstar.store as s; store = s.Store(sys.argv[1]); print(flush=True); sys.stdin.read()"
    pipe, command = subprocess.PIPE, [sys.executable, "-c", begun, database]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe) as another:
        assert another.stdout is not None
        another.stdout.readline()
        assert "Another pbmstar uses this database: stop it first." in moved(office, there)
        another.communicate()


@pytest.mark.slow
def test_a_secret_may_come_by_standard_input(office: Office, tmp_path: Path) -> None:
    """The password in a URL, and a new player's: no other user of the machine sees them."""
    words = ["user", "add", "carol", "carol@carol.example", "--password-stdin"]
    done = office.run("admin", *words, stdin="tr1angle\n")
    assert done.output == "Account carol opened.\n"
    office.send("bob", "star challenge -size=3 carol bob")
    assert len(office.play_as("carol", 1, "C3")) == 2
    there = tmp_path / "moved.db"
    moved(office, "-", stdin=f"sqlite:///{there}\n")
    with closing(sqlite3.connect(there)) as found:
        assert len(list(found.execute("SELECT userid FROM users WHERE state = 'active'"))) == 3
