"""Each question of an operator has one command, and its answer has what was asked for."""

from __future__ import annotations

import json
import pwd
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import click
import pytest
from harness.office import Office

from pbmstar.cli import main, shared


class Asked(NamedTuple):
    """A question, its command, and patterns that are in the answer, each on one line."""

    question: str
    words: str
    answers: tuple[str, ...]
    fails: bool = False  # the exit status says that something needs a hand
    changes: bool = False  # after it, other questions have other answers


FIRST = (
    Asked("who is this user?", "admin user find bob@bob.example", (r"bob +bob@bob\.example",)),
    Asked(
        "why was this mail refused?",
        "admin explain {refused}",
        ("Reason no-board: There's no board 99",),
    ),
    Asked(
        "where is the letter?", "admin explain letter {sent}", ("was sent .* queued it as 4XYZ1",)
    ),
    Asked("who is waiting?", "admin board list --waiting", (r"^board +game", r"^1 +star")),
    Asked("how long is the queue?", "admin status", (r"letters waiting: 1",), True),
    Asked("what are the figures?", "admin metrics", (r'pbmstar_letters\{state="new"\} 1',)),
    Asked(
        "is there anything to do?", "admin status", ("letters refused: 1", "quarantined: 0"), True
    ),
    Asked("from where is that wave of mails?", "admin top --domains", (r"bob\.example +1",)),
    Asked("what do we keep about her?", "admin user export alice", (r"alice@alice\.example",)),
    Asked("forget her", "admin user erase alice", ("Account alice erased",), changes=True),
    Asked(
        "call her something else",
        "admin user rename alice anna",
        ("Account alice renamed to anna",),
        changes=True,
    ),
    Asked(
        "make one of his two accounts",
        "admin user merge carol bob",
        ("carol merged into bob, with 0 boards",),
        changes=True,
    ),
    Asked(
        "keep him out", "admin user ban evil.example", ("evil.example is now banned",), changes=True
    ),
    Asked("write to all players", "admin announce {news}", ("3 letters",), changes=True),
    Asked("take no mail for an hour", "admin pause", ("Paused: ",), changes=True),
    Asked(
        "nobody could reach us",
        "admin outage add 2027-01-01T00:00Z 2027-01-01T06:00Z cut",
        ("added",),
        changes=True,
    ),
    Asked(
        "take back a move",
        "admin board reset 1 --to-move 1",
        ("Board 1 reset: move 1 is next",),
        changes=True,
    ),
    Asked("what did the operators do?", "admin audit", (r"operator ann +board show",)),
    Asked("is the database sound?", "admin check", ("^0 differences",)),
    Asked("make a backup", "admin backup {backup}", ("written",)),
    Asked(
        "move to another database",
        "admin move-database {other}",
        ("rows copied and compared",),
        changes=True,
    ),
)
SECOND = (
    Asked("who used most processor time?", "admin top", (r"^userid +domain +mails", r"^alice ")),
    Asked(
        "what will remind do tonight?",
        "remind --dry-run --at 2027-03-01T22:00Z",
        ("1 last warning", "  to bob: Reminder: Star Board 1 bob"),
    ),
    Asked("how many players are there, week by week?", "stats", ("[Pp]layers",)),
    Asked(
        "silence the alerts for a day",
        "admin alerts mute 1d",
        ("Alerts muted until 2027",),
        changes=True,
    ),
    Asked("which version runs?", "--version", (r"pbmstar \d",)),
    Asked(
        "is that domain refusing us?",
        "admin outbox list --by-domain",
        (r"^domain +waiting +refused", r"bob\.example +\d+ +1 "),
    ),
    Asked("how long do bots take?", "admin bot list", ("median_seconds +slow_seconds",)),
    Asked(
        "move a board to another server", "admin board export 1", (r'"form": "pbmstar board 1"',)
    ),
    Asked(
        "a player's games from the backup",
        "admin restore {kept} --user bob",
        ("Account bob restored; boards: none",),
        changes=True,
    ),
    Asked(
        "send myself a test letter",
        "admin probe ann@far.example",
        (r"Letter \d+ written",),
        changes=True,
    ),
    Asked(
        "she gets each letter twice",
        "admin explain alice",
        ("account alice", r"Letter \d+ to alice"),
    ),
    Asked("is my DKIM right?", "admin probe", (), changes=True),
    Asked("which nodes are there?", "admin node list", ()),
)
EVERY = FIRST + SECOND
ALONE = (  # after these the people or the database are others
    "forget her", "call her something else", "make one of his two accounts",
    "move to another database", "a player's games from the backup",
)  # fmt: skip


@pytest.fixture
def world(office: Office, tmp_path: Path) -> Callable[[str], str]:
    """A server with a bit of everything; it fills names into the words of a command."""
    office.add("carol", "carol@bob.example", "another")
    office.game()
    letters = office.play(1, "F6")
    office.deliver(office.write("bob", "star move 99 bob hunter2 F6#1"))
    office.deliver(office.write("alice", "star show 1"))
    refused = office.ask("mails.find", "", "", "bob")[0]
    with office.store.transaction() as tx:
        waiting = tx.outbox.unsent()
        sent = waiting[0].id - 1
        tx.outbox.set_sent([sent], office.now, {sent: "4XYZ1"})
    assert letters
    office.run("admin", "board", "show", "1", "--plans")
    news = tmp_path / "news"
    news.write_text("News\n\nAll is well.\n")
    office.now += 7200
    kept = tmp_path / "kept.db"
    office.run("admin", "backup", str(kept))
    names = {
        "kept": str(kept),
        "refused": refused.mail,
        "sent": str(sent),
        "news": str(news),
        "backup": str(tmp_path / "b.db"),
        "other": f"sqlite:///{tmp_path}/other.db",
    }
    with office.store.transaction() as tx:
        for letter in tx.outbox.unsent()[:1]:
            tx.outbox.set_dead(letter.id, "550 no such user", 1)
    return lambda words: words.format(**names)


def test_one_command_answers(office: Office, world: Callable[[str], str]) -> None:
    for asked in EVERY:
        if not asked.changes:
            answers(office, world, asked)


@pytest.mark.few(2)
@pytest.mark.parametrize("question", [*ALONE, "the others"])
def test_one_command_does_it(office: Office, world: Callable[[str], str], question: str) -> None:
    alone = [each for each in EVERY if each.question == question]
    for asked in alone or [each for each in EVERY if each.changes and each.question not in ALONE]:
        if "move-database" in asked.words:
            office.delivering.close()  # no daemon runs
        answers(office, world, asked)


def answers(office: Office, world: Callable[[str], str], asked: Asked) -> None:
    """Ask; the answer must have what was asked for."""
    done = office.run(*world(asked.words).split())
    assert done.exit_code == int(asked.fails), (asked.question, done.output)
    for answer in asked.answers:
        assert re.search(answer, done.output, re.M), (asked.question, done.output)


def test_each_list_is_json_too(office: Office, world: Callable[[str], str]) -> None:
    for asked in EVERY:
        if asked.words.endswith("list"):
            told = office.run(*asked.words.split(), "--json").output
            assert isinstance(json.loads(told), list), asked.question


def commands(group: click.Group, *words: str) -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands(command, *words, name)
        else:
            yield " ".join((*words, name)), command


def test_whatever_is_listed_is_json_too() -> None:
    for name, command in commands(main):
        if name.split()[-1] in (
            "list",
            "show",
            "find",
            "top",
            "audit",
            "status",
            "check",
            "explain",
        ):
            assert any("--json" in parameter.opts for parameter in command.params), name


def test_the_audit_names_who_has_logged_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Though the command runs as the user of the daemon; without a login it is that user."""
    login = tmp_path / "loginuid"
    monkeypatch.setattr(shared, "LOGIN", login)
    monkeypatch.delenv("SUDO_USER", raising=False)
    monkeypatch.setattr("os.getuid", lambda: pwd.getpwnam("nobody").pw_uid)
    assert shared.actor() == "operator nobody"
    login.write_text(f"{2**32 - 1}")
    assert shared.actor() == "operator nobody"
    login.write_text(f"{pwd.getpwnam('mail').pw_uid}\n")
    assert shared.actor() == "operator mail"
    monkeypatch.setenv("SUDO_USER", "ann")
    assert shared.actor() == "operator ann"
