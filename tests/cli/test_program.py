"""The program from outside: what it prints, its exit statuses, its configuration."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from pbmstar import config
from pbmstar.cli import main
from pbmstar.errors import BadInput

DONE, REFUSED, USAGE, TRY_AGAIN = 0, 1, 2, 75


class Program:
    """The program with a spool and a database of its own, run in this process."""

    def __init__(self, folder: Path, database: str) -> None:
        self.folder, self.spool, self.database = folder, folder / "spool", database

    def run(self, *words: str, status: int = DONE, mail: str = "", **environment: str) -> Result:
        """Run it, and see to its exit status."""
        told = {"PBMSTAR_SPOOL": str(self.spool), "PBMSTAR_DATABASE": self.database, **environment}
        result = CliRunner(catch_exceptions=False).invoke(main, words, input=mail, env=told)
        assert result.exit_code == status, result.output
        assert "Traceback" not in result.output
        return result

    def json(self, *words: str) -> Any:
        """What it says with --json."""
        return json.loads(self.run(*words, "--json").stdout)

    def mail(self, author: str, subject: str, number: int) -> None:
        """A mail through the pipe."""
        told = (
            f"From: {author}\nTo: star@localhost\nSubject: {subject}\nMessage-ID: <{number}@x>\n\n"
        )
        self.run("receive", mail=told)


@pytest.fixture
def program(database: str, tmp_path: Path) -> Iterator[Program]:
    before = os.umask(0o077)
    yield Program(tmp_path, database)
    os.umask(before)


@pytest.fixture
def played(program: Program) -> Program:
    """Two accounts, and a board with three moves and a swap."""
    for userid, password in (("alice", "s3cret"), ("bob", "hunter2")):
        program.run("admin", "user", "add", userid, f"{userid}@localhost", "--password", password)
    for number, (author, subject) in enumerate(
        [
            ("alice@localhost", "star challenge -size=3 alice bob"),
            ("alice@localhost", "star move 1 alice s3cret C1"),
            ("bob@localhost", "star move 1 bob hunter2 swap"),
            ("alice@localhost", "star move 1 alice s3cret D1"),
        ]
    ):
        program.mail(author, subject, number)
    return program


# -- everything that is promised is there


def every(command: click.Command, words: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    yield words
    if isinstance(command, click.Group):
        for name, sub in command.commands.items():
            yield from every(sub, (*words, name))


@pytest.mark.parametrize("words", list(every(main)), ids=" ".join)
def test_help_on_everything(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, [*words, "--help"])
    assert result.exit_code == DONE
    assert result.output.startswith("Usage: ")
    assert list(tmp_path.iterdir()) == []  # help makes no spool


PROMISED = """
demo · serve · receive · deliver · remind · analyse · doctor
admin user add · admin user list · admin user show · admin user remove · admin user password · admin user address
admin board list · admin board show · admin board reset · admin board remove
admin quarantine list · admin quarantine show · admin quarantine retry · admin quarantine drop
admin outbox list · admin outbox retry · admin check · admin backup · admin export
admin unit · admin man · admin pause · admin resume · admin announce · admin move-database · admin metrics
admin user export · admin user erase · admin user ban · admin user unban
admin explain · admin user find · admin outbox show · admin outbox drop
"""


def test_all_promised_commands_exist() -> None:
    known = {" ".join(words) for words in every(main)}
    for line in PROMISED.strip().splitlines():
        assert set(line.split(" · ")) <= known


def test_version() -> None:
    result = CliRunner().invoke(main, ["--version"])
    assert result.exit_code == DONE
    assert result.output.startswith("pbmstar 0.")


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["frobnicate"],
        ["admin"],
        ["admin", "board", "show"],
        ["admin", "board", "show", "x"],
        ["admin", "board", "show", "9" * 20],
        ["admin", "outbox", "show", "9" * 20],
        ["admin", "outage", "remove", "9" * 20],
        ["admin", "export", "0"],
        ["admin", "board", "reset", "1", "--to-move", "x"],
        ["admin", "user", "add", "alice"],
        ["--frobnicate"],
        ["remind", "--nag-days", "soon"],
        ["remind", "--nag-days", "0"],
        ["remind", "--forfeit-days", "-1"],
        ["remind", "--forfeit-days", "nan"],
        ["remind", "--limits", "perhaps"],
        ["remind", "--address", "star"],
        ["remind", "--address", "star+x@example.org"],
        ["remind", "--address", "stär@example.org"],
        ["remind", "--spool", ""],
        ["remind", "--config", "/nonexistent.toml"],
        ["remind", "--time", "0d"],
        ["remind", "--time", "10d+36h/1d"],
        ["admin", "check", "--database", "foo"],
        ["admin", "check", "--database", "sqlite://"],
        ["admin", "check", "--database", "sqlite:///:memory:"],
        ["admin", "check", "--database", "mysql://localhost/x"],
        ["admin", "check", "--database", "sqlite+aiosqlite:///x"],
        ["serve", "--listen", "somewhere"],
        ["serve", "--listen", "127.0.0.1:99999"],
        ["serve", "--listen", "", "--lmtp", ""],
        ["deliver", "--relay", "pigeon:post"],
        ["deliver", "--relay", "smtp://"],
    ],
    ids=" ".join,
)
def test_usage_is_2(program: Program, words: list[str]) -> None:
    result = program.run(*words, status=USAGE)
    assert result.stdout == "" or result.stdout.startswith("Usage: ")
    assert result.stderr.startswith(("pbmstar: ", "Usage: "))


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["admin", "board", "show", "9"], "There is no board 9."),
        (["admin", "board", "remove", "9"], "There is no board 9."),
        (["admin", "board", "reset", "9"], "There is no board 9."),
        (["admin", "export", "9"], "There is no board 9."),
        (["admin", "user", "show", "dora"], "There is no user dora."),
        (["admin", "user", "remove", "dora"], "There is no user dora."),
        (
            ["admin", "user", "password", "dora", "--password", "d0ra.pass"],
            "There is no user dora.",
        ),
        (["admin", "user", "address", "dora", "d@localhost"], "There is no user dora."),
        (
            ["admin", "user", "add", "x", "d@localhost", "--password", "d0ra.pass"],
            "That is no userid",
        ),
        (["admin", "user", "add", "dora", "dora", "--password", "d0ra.pass"], "no mail address"),
        (["admin", "user", "add", "dora", "a b@c", "--password", "d0ra.pass"], "no mail address"),
        (
            ["admin", "user", "add", "dora", "d@localhost", "--password", "x"],
            "A password has 4 to 64",
        ),
        (
            ["admin", "user", "add", "admin", "d@localhost", "--password", "d0ra.pass"],
            "is not free",
        ),
        (["admin", "quarantine", "show", "x"], "There is no quarantined mail x."),
        (["admin", "quarantine", "retry", "x"], "There is no quarantined mail x."),
        (["admin", "quarantine", "drop", "x"], "There is no quarantined mail x."),
        (["analyse", "chess"], "There is no game chess"),
        (["analyse", "star", "Z9"], "There is no cell Z9"),
        (["analyse", "star", "F6", "F6"], "The cell F6 is taken."),
        (["analyse", "star", "-size=15"], "3 to 14"),
        (["analyse", "star", "--rings=4"], "Star has no option -rings"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_refused_is_1(program: Program, words: list[str], why: str) -> None:
    result = program.run(*words, status=REFUSED)
    assert result.stdout == ""
    assert result.stderr.startswith("pbmstar: ")
    assert why in result.stderr
    assert result.stderr.count("\n") == 1
    assert not [*program.spool.glob("*.db-wal")]  # the database is closed


@pytest.mark.parametrize(
    "words",
    [
        ["admin", "check", "--database", "sqlite:////nonexistent/folder/x.db"],
        ["admin", "check", "--database", "postgresql+psycopg://nobody@127.0.0.1:1/none"],
        ["remind", "--spool", "/dev/null/spool"],
        ["receive", "--database", "sqlite:////nonexistent/folder/x.db"],
        ["receive", "--nag-days", "soon"],
        ["receive", "--config", "/nonexistent.toml"],
        ["receive", "--database", "foo"],
    ],
    ids=" ".join,
)
def test_what_will_pass_is_75(program: Program, words: list[str]) -> None:
    result = program.run(*words, status=TRY_AGAIN, mail="From: a@b.example\n\nhelp\n")
    assert result.stderr.startswith("pbmstar: ")


# -- what it says


def test_board_show(played: Program) -> None:
    facts = played.json("admin", "board", "show", "1")
    moves = facts.pop("moves")
    assert re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", facts.pop("deadline"))
    assert facts == {
        "board": 1,
        "game": "star",
        "options": {"size": 3, "maxi": False},
        "players": {"X": "bob", "O": "alice"},
        "seats": ["alice", "bob"],
        "requests": [],
        "terms": {
            "time": "21d",
            "leave": True,
            "weekends": [],
            "undo": "ask",
            "claim": True,
            "private": False,
        },
        "clock": {"alice": 21 * 86_400, "bob": 21 * 86_400},
        "to_move": "bob",
        "over": False,
        "result": None,
    }
    assert [(m["number"], m["userid"], m["move"]) for m in moves] == [
        (1, "alice", "C1"),
        (None, "bob", "swap"),
        (2, "alice", "D1"),
    ]
    assert all(set(move) == {"number", "userid", "move", "at"} for move in moves)
    text = played.run("admin", "board", "show", "1").stdout
    assert "pbmstar analyse star -size=3 C1 swap D1\n" in text
    assert text == played.run("admin", "export", "1").stdout


def test_listings(played: Program) -> None:
    (board,) = played.json("admin", "board", "list")
    since = board.pop("since")
    assert since.endswith("Z")
    assert board == {
        "board": 1,
        "game": "star",
        "options": {"size": 3},
        "first": "alice",
        "second": "bob",
        "to_move": "bob",
        "over": False,
        "result": None,
    }
    line = f"1  star  -size=3  alice  bob  bob  {since}\n"
    assert played.run("admin", "board", "list").stdout == line  # L6: no word without a meaning
    alice, bob = played.json("admin", "user", "list")
    assert set(alice) == {"userid", "address", "state", "since"}
    assert (bob["userid"], bob["address"], bob["state"]) == ("bob", "bob@localhost", "active")
    shown = played.json("admin", "user", "show", "Alice")
    seen = shown.pop("last_seen")
    assert shown == {
        **alice,
        "boards": [{**board, "since": since}],
        "bounces": 0,
        "locked_until": None,
        "waiting": [],
    }
    assert f"It last wrote {seen}." in played.run("admin", "user", "show", "alice").stdout
    assert played.json("admin", "user", "find", "ALICE@localhost") == [alice]
    played.run("admin", "user", "find", "nobody@localhost", status=REFUSED)
    assert played.json("admin", "outbox", "list") == []
    assert played.json("admin", "quarantine", "list") == []
    acts = played.json("admin", "audit")
    assert [act["act"] for act in acts] == ["user add alice", "user add bob"]
    assert all(act["actor"].startswith("operator ") for act in acts)  # and who that is
    assert all(set(act) == {"id", "at", "actor", "act"} for act in acts)


def test_several_boards(played: Program) -> None:
    played.mail("bob@localhost", "star challenge bob alice", 8)
    text = played.run("admin", "board", "show", "1", "2").stdout
    assert text.count("pbmstar analyse star") == 2
    played.run("admin", "board", "remove", "2", "9", status=REFUSED)
    assert len(played.json("admin", "board", "list")) == 2
    assert played.run("admin", "board", "remove", "2", "1").stdout == (
        "board 2 removed\nboard 1 removed\n"
    )
    assert played.json("admin", "board", "list") == []


def test_board_reset(played: Program) -> None:
    told = played.run("admin", "board", "reset", "1", "--to-move", "2").stdout
    assert told == "board 1 is before move 2, alice to move\n"
    played.run("admin", "board", "reset", "1", "--to-move", "9", status=REFUSED)
    assert played.run("admin", "board", "reset", "1").stdout == (
        "board 1 is before move 1, alice to move\n"
    )
    assert played.run("admin", "check").stdout == "0 differences\n"
    letters = list(played.spool.glob("mail/*/new/*"))
    assert sum(b"operator has put this board back" in path.read_bytes() for path in letters) == 4


def test_users(program: Program) -> None:
    told = program.run(
        "admin", "user", "add", "Dora", "Dora@localhost", mail="d0ra.pass\nd0ra.pass\n"
    )
    assert told.stdout.endswith("dora added\n")
    assert "d0ra.pass" not in told.output
    program.run("admin", "user", "password", "dora", "--password", "n3w.pass")
    program.run("admin", "user", "address", "dora", "dora2@localhost")
    assert program.json("admin", "user", "show", "dora")["address"] == "dora2@localhost"
    program.run("admin", "user", "remove", "dora")
    assert program.json("admin", "user", "show", "dora")["state"] == "closed"
    program.run("admin", "user", "remove", "dora", status=REFUSED)


def test_an_address_is_suppressed_and_lifted(program: Program) -> None:
    """The address stands nowhere in what is kept of that."""
    assert program.run("admin", "suppress", "V@stranger.example").stdout == "suppressed\n"
    program.mail("m@evil.example", "signup zed z3d.pass v@stranger.example", 1)
    assert program.json("admin", "outbox", "list") == []
    assert not list((program.spool / "mail").glob("*/new/*"))
    assert "stranger" not in json.dumps(program.json("admin", "audit"))
    told = program.run("admin", "suppress", "--lift", "v@stranger.example").stdout
    assert told == "lifted\n"
    program.run("admin", "suppress", "--lift", "v@stranger.example", status=REFUSED)
    program.mail("m@evil.example", "signup zed z3d.pass v@stranger.example", 2)
    assert len(list((program.spool / "mail").glob("*/new/*"))) == 1


def test_check_says_what_is_wrong(played: Program) -> None:
    from pbmstar.store import Store

    store = Store(played.database)
    with store.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE boards SET length = 7")
    store.close()
    told = played.run("admin", "check", status=REFUSED).stdout
    assert told == "board 1: length is 7, the record says 3\n1 differences\n"


def test_backup(played: Program) -> None:
    copy = played.folder / "copy.db"
    assert played.run("admin", "backup", str(copy)).stdout == f"{copy} written\n"
    played.run("admin", "backup", str(copy), status=REFUSED)
    told = played.run("admin", "board", "show", "1", "--json", "--database", f"sqlite:///{copy}")
    assert json.loads(told.stdout) == played.json("admin", "board", "show", "1")


def test_remind_and_deliver(played: Program) -> None:
    assert played.run("remind").stdout == "0 reminders, 0 last warnings, 0 forfeits\n"
    told = played.run("remind", "--nag-days", "0.0000001").stdout
    assert told == "1 reminders, 0 last warnings, 0 forfeits\n"
    assert played.run("deliver").stdout == "0 letters sent, 0 to be tried again, 0 refused\n"


def test_an_outbox_that_cannot_be_sent(played: Program) -> None:
    relay = {"PBMSTAR_RELAY": "smtp://127.0.0.1:1"}
    played.run("admin", "board", "reset", "1", **relay)
    waiting = played.json("admin", "outbox", "list")
    assert len(waiting) == 2
    assert set(waiting[0]) == {
        "letter",
        "state",
        "userid",
        "message_id",
        "tries",
        "due",
        "made",
        "trouble",
    }
    played.run("deliver", status=TRY_AGAIN, **relay)
    assert played.run("admin", "outbox", "retry").stdout == "2 letters due now\n"
    assert played.json("admin", "outbox", "list") == []


def test_receive_reads_the_envelope(played: Program) -> None:
    """Recipients come from the arguments, the environment, or the mail; the null sender is kept."""
    mail = "From: bob@localhost\nTo: x@y.example\nSubject: star resign 1 bob hunter2\n\n"
    played.run("receive", "--sender", "", "star@localhost", mail=mail + "1\n")
    played.run("receive", mail=mail + "2\n", SENDER="")
    played.run("receive", mail="Return-Path: <>\n" + mail + "3\n")
    assert not played.json("admin", "board", "show", "1")["over"]
    played.run("receive", mail=mail + "4\n", SENDER="bob@localhost", RECIPIENT="star@localhost")
    assert played.json("admin", "board", "show", "1")["result"] == "alice"


def test_receive_keeps_what_it_cannot_handle(
    played: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pbmstar.service import Service

    def broken(*args: object) -> None:
        raise RuntimeError(args[-1])  # a bug, and the whole mail in its text

    with monkeypatch.context() as patch:
        patch.setattr(Service, "execute", broken)
        done = played.run(
            "receive", mail="From: bob@localhost\nSubject: star swap 1 bob hunter2\n\n"
        )
    (entry,) = played.json("admin", "quarantine", "list")
    line, alert = map(json.loads, done.stderr.splitlines())
    assert (alert["event"], alert["kind"]) == ("alert", "quarantine")
    assert (line["outcome"], line["quarantine"]) == ("quarantined", entry["id"])
    assert done.stdout == "" and "hunter2" not in done.stderr
    shown = played.json("admin", "quarantine", "show", entry["id"])
    assert shown["error"] == "RuntimeError"
    assert "hunter2" not in shown["text"]
    assert "RuntimeError" in played.run("admin", "quarantine", "show", entry["id"]).stdout
    assert "refused" in played.run("admin", "quarantine", "retry", entry["id"]).stdout
    assert played.json("admin", "quarantine", "list") == []


def test_receive_drops_what_cannot_be_read(played: Program) -> None:
    """A failing status would bounce the mail to a sender who may be forged."""
    done = played.run("receive", mail="Subject: " + "x" * 100_000 + "\n\nhelp\n")
    assert json.loads(done.stderr)["outcome"] == "unreadable"


# -- the configuration


def load(
    options: dict[str, str], environment: dict[str, str], toml: str, folder: Path
) -> config.Config:
    file = folder / "pbmstar.toml"
    file.write_text(toml)
    return config.load(options, environment, file)


def test_an_option_wins_over_the_environment_that_over_the_file(tmp_path: Path) -> None:
    for key in config.KEYS:
        if key.name in ("limits", "pictures", "spool", "address", "bots") or key.default.isdigit():
            continue
        a, b, c = ("1.5", "2.5", "3.5") if key.name.startswith("keep_") else ("a/1", "b/2", "c/3")
        toml = f'{key.name} = "{c}"\n'
        environment = {key.environment: b}

        def value(name: str, found: config.Config) -> str:
            return str(getattr(found, name))

        assert value(key.name, load({key.name: a}, environment, toml, tmp_path)) == a
        assert value(key.name, load({}, environment, toml, tmp_path)) == b
        assert value(key.name, load({}, {}, toml, tmp_path)) == c


def test_numbers_and_switches(tmp_path: Path) -> None:
    found = load({}, {}, "nag_days = 0.5\nforfeit_days = 3\nlimits = false\n", tmp_path)
    assert (found.nag_days, found.time, found.limits) == (0.5, "3d", False)
    assert load({"forfeit_days": "3"}, {}, "time = '10d+36h'", tmp_path).time == "10d+36h"
    assert load({"limits": "off"}, {"PBMSTAR_LIMITS": "on"}, "", tmp_path).limits is False
    assert load({}, {"PBMSTAR_NAG_DAYS": "2.5"}, "nag_days = 9", tmp_path).nag_days == 2.5


@pytest.mark.parametrize(
    ("said", "cores", "bots"),
    [("", 1, 0), ("", 2, 1), ("", 8, 1), ("0", 8, 0), ("3", 8, 3), ("9", 8, 7), ("2", 1, 1)],
)
def test_bots_leave_a_core_for_the_mail(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str, cores: int, bots: int
) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda _: range(cores))
    assert load({"bots": said}, {}, "", tmp_path).bots == bots
    with pytest.raises(BadInput, match="bots"):
        load({"bots": "many"}, {}, "", tmp_path)


def test_defaults(tmp_path: Path) -> None:
    found = load({"spool": "/x/spool"}, {}, "", tmp_path)
    assert found.address == "star@localhost"
    assert found.listen == "127.0.0.1:8025"
    assert found.lmtp == ""
    assert found.relay == "maildir:/x/spool/mail"
    assert found.database == "sqlite:////x/spool/pbmstar.db"
    assert (found.nag_days, found.time, found.limits) == (None, "21d", True)
    assert (found.start_days, found.leave_days) == (14.0, 30)
    assert (found.keep_texts, found.keep_rows) == (7.0, 90.0)


def test_an_empty_option_is_one(tmp_path: Path) -> None:
    assert load({"listen": ""}, {"PBMSTAR_LISTEN": "127.0.0.1:1"}, "", tmp_path).listen == ""
    assert load({}, {"PBMSTAR_LISTEN": ""}, 'listen = "127.0.0.1:1"', tmp_path).listen == ""


@pytest.mark.parametrize(
    "toml",
    [
        "colour = 1",
        "[spool]\npath = 1",
        'relay = ["a"]',
        "spool = ",
        'address = "x"',
        "nag_days = -1",
        'nag_days = "soon"',
        "nag_days = nan",
        "forfeit_days = inf",
        'limits = "perhaps"',
        'spool = ""',
    ],
)
def test_files_that_cannot_be(toml: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput):
        load({}, {}, toml, tmp_path)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes(b'address = "st\xe4r@x"')
    for file in (tmp_path / "none.toml", tmp_path, tmp_path / "latin"):
        with pytest.raises(BadInput):
            config.load({}, {}, file)


def test_the_configuration_does_not_show_passwords() -> None:
    found = config.load({"relay": "smtp+starttls://u:s3cret@h:25", "database": "sqlite:///x"}, {})
    assert "s3cret" not in repr(found)


def test_the_file_in_the_working_directory(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(program.folder)
    Path("pbmstar.toml").write_text('nag_days = "soon"\n')
    assert "nag_days" in program.run("remind", status=USAGE).stderr
    program.run("remind", PBMSTAR_NAG_DAYS="7")
    program.run("remind", "--nag-days", "7")
    Path("other.toml").write_text("nag_days = 7\n")
    program.run("remind", "--config", "other.toml")
    program.run("--config", "other.toml", "remind")


def test_options_stand_before_or_after_the_command(program: Program) -> None:
    for words in (
        ("--nag-days", "x", "remind"),
        ("remind", "--nag-days", "x"),
        ("--nag-days", "x", "admin", "check"),
        ("admin", "check", "--nag-days", "x"),
        ("admin", "user", "list", "--nag-days", "x"),
    ):
        assert "nag_days" in program.run(*words, status=USAGE).stderr


def test_an_argument_of_the_same_name_as_a_key_is_its_own(program: Program) -> None:
    program.run("admin", "user", "add", "dora", "d@localhost", "--password", "d0ra.pass")
    assert program.json("admin", "user", "show", "dora")["address"] == "d@localhost"
    told = program.run(
        "admin", "user", "address", "dora", "e@x.example", "--address", "star@x.example"
    )
    assert told.stdout == "address changed\n"


def test_a_new_spool_is_ours_alone(tmp_path: Path) -> None:
    spool = tmp_path / "deep" / "spool"
    before = os.umask(0o022)
    result = CliRunner().invoke(main, ["admin", "user", "list", "--spool", str(spool)])
    os.umask(before)
    assert result.exit_code == DONE
    assert spool.stat().st_mode & 0o777 == 0o700
    assert all(path.stat().st_mode & 0o077 == 0 for path in spool.rglob("*"))


# -- real processes


def process(*words: str, folder: Path, given: bytes = b"", status: int = DONE) -> bytes:
    done = subprocess.run(
        [sys.executable, "-m", "pbmstar", *words],
        input=given,
        capture_output=True,
        cwd=folder,
        check=False,
    )
    assert done.returncode == status, done.stderr.decode()
    return done.stdout


def test_processes_and_their_statuses(tmp_path: Path) -> None:
    (tmp_path / "pbmstar.toml").write_text('spool = "here"\n')
    assert process("admin", "check", folder=tmp_path) == b"0 differences\n"
    assert (tmp_path / "here" / "pbmstar.db").exists()
    process("admin", "board", "show", "9", folder=tmp_path, status=REFUSED)
    process("admin", "board", "show", folder=tmp_path, status=USAGE)
    process("receive", "--database", "sqlite:////nonexistent/x", folder=tmp_path, status=TRY_AGAIN)


def test_analyse_reads_bytes_that_are_no_text(tmp_path: Path) -> None:
    good = b'{"game": "star", "moves": ["F6"]}\n'
    lines = process("analyse", folder=tmp_path, given=good + b"\xff\xfe\x00\n" + good).splitlines()
    kinds = [json.loads(line).get("error") for line in lines]
    assert kinds == [None, "BadInput", None]
    assert list(tmp_path.iterdir()) == []  # rules need no spool


def test_analyse_answers_line_by_line(tmp_path: Path) -> None:
    """A program that asks and waits for each answer gets it."""
    with subprocess.Popen(
        [sys.executable, "-m", "pbmstar", "analyse"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=tmp_path,
    ) as asked:
        assert asked.stdin is not None
        assert asked.stdout is not None
        for move, to_move in (("F6", "O"), ("Z9", None)):
            asked.stdin.write(f'{{"game": "star", "moves": ["{move}"]}}\n'.encode())
            asked.stdin.flush()
            assert json.loads(asked.stdout.readline()).get("to_move") == to_move
        asked.stdin.close()
        assert asked.wait() == DONE


def test_who_reads_the_output_may_leave(tmp_path: Path) -> None:
    line = b'{"game": "star", "moves": ["F6"]}\n'
    with subprocess.Popen(
        [sys.executable, "-m", "pbmstar", "analyse"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
    ) as asked:
        assert asked.stdin is not None
        assert asked.stdout is not None
        assert asked.stderr is not None
        asked.stdin.write(line)
        asked.stdin.flush()
        asked.stdout.readline()
        asked.stdout.close()
        asked.stdin.write(line * 3)
        asked.stdin.close()
        assert b"Traceback" not in asked.stderr.read()


def test_what_is_wrong_with_a_file_names_it(program: Program, tmp_path: Path) -> None:
    """L5: a key that is none, a database or a spool that cannot be opened."""
    toml = tmp_path / "x.toml"
    toml.write_text("adress = 'star@example.org'\n")
    said = program.run("remind", "--config", str(toml), status=USAGE).stderr
    assert said == f"pbmstar: There is no key 'adress', but {toml} has it.\n"
    database = f"sqlite:///{tmp_path}/none/x.db"
    said = program.run("admin", "check", "--database", database, status=TRY_AGAIN).stderr
    assert f"({tmp_path}/none/x.db)" in said
    (tmp_path / "file").write_text("")
    said = program.run("remind", "--spool", str(tmp_path / "file"), status=TRY_AGAIN).stderr
    assert f"{tmp_path}/file" in said
