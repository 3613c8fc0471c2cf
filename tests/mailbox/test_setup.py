"""Somebody who has only an account makes a server of it by one command; a script can do the same."""

from __future__ import annotations

import ssl
import stat
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from harness.imap import TLS, Imap
from harness.program import REFUSED, TRY_AGAIN, Program
from harness.sink import Sink, Taken

from pbmstar.cli.setup import Servers, find, with_password

Provider = Callable[[str], Iterator[Sink]]


@pytest.fixture
def program(tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch) -> Program:
    monkeypatch.chdir(tmp_path)
    return Program(tmp_path, database)


@pytest.fixture
def sink(imap: Imap) -> Iterator[Sink]:
    """What is sent comes to the mailbox, except what ``lost`` says."""

    def rule(step: str, _count: int, letter: Taken) -> str | None:
        to = "".join(letter.recipients)
        if step == "data" and "+" in to and "refused" in imap.boxes:
            return "550 5.1.1 no such user"
        if step == "dot" and not ("+" in to and "lost" in imap.boxes):
            imap.add(letter.content)
        return None

    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(TLS)
    with Sink(rule, implicit=server, extensions=("AUTH PLAIN",)) as running:
        yield running


def options(imap: Imap, sink: Sink) -> list[str]:
    return [
        *("--address", "star.club@provider.example", "--mailbox", imap.url),
        *(
            "--relay",
            f"smtps://star@localhost:{sink.port}",
            "--mailbox-password-command",
            "echo s3cret",
        ),
    ]


def test_a_script_sets_up_a_server_that_plays(program: Program, imap: Imap, sink: Sink) -> None:
    program.spool.mkdir(exist_ok=True)
    program.spool.chmod(0o755)  # as a clone has it
    said = program.run(*options(imap, sink), "setup").stdout.splitlines()
    assert stat.S_IMODE(program.spool.stat().st_mode) == 0o700
    assert said[:3] == [
        "Signed in at localhost.",
        "Read the inbox: the server will handle 0 messages that arrived since yesterday; 0 older ones "
        "stay as they are.",
        "The server can IDLE and MOVE and UIDPLUS.",
    ]
    assert "It came back." in said
    assert "Start the server now:     pbmstar serve" in said
    file = program.folder / "pbmstar.toml"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    found = tomllib.loads(file.read_text())
    assert (found["detail"], found["listen"], found["mailbox"]) == ("plus", "", imap.url)
    assert "s3cret" not in file.read_text().replace("echo s3cret", "")
    assert (imap.count(), imap.count("pbmstar/done")) == (0, 2)

    imap.add(b"From: a@x.example\r\nTo: star.club@provider.example\r\nSubject: hello\r\n\r\n")
    assert program.run("fetch").stdout == "1 message from the mailbox handled.\n"
    sink.wait(3)
    assert sink.letters[2].recipients == ["a@x.example"]


@pytest.mark.parametrize("fate", ["refused", "lost"])
def test_a_provider_without_plus_addresses(
    program: Program, imap: Imap, sink: Sink, fate: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbmstar.cli.setup.PATIENCE", 0.5)
    imap.boxes[fate] = type(imap.boxes["INBOX"])()
    said = program.run(*options(imap, sink), "setup").stdout
    assert "recognize replies by In-Reply-To." in said
    assert tomllib.loads((program.folder / "pbmstar.toml").read_text())["detail"] == "none"


def test_a_person_answers_questions(program: Program, imap: Imap, sink: Sink) -> None:
    """The password is asked for only if nothing tells it, and it is in the file alone."""
    relay = f"smtps://star@localhost:{sink.port}"
    answers = f"star.club@provider.example\n{imap.url}\n{relay}\ns3cret\n"
    said = program.run("setup", mail=answers).stdout
    assert "Email address of the account that plays: " in said
    assert "s3cret" not in said
    found = tomllib.loads((program.folder / "pbmstar.toml").read_text())
    assert found["mailbox"] == imap.url.replace("@", ":s3cret@", 1)
    assert found["relay"] == relay.replace("@", ":s3cret@", 1)


def test_nothing_is_written_if_a_step_fails(program: Program, imap: Imap, sink: Sink) -> None:
    imap.passwords = {"other"}
    result = program.run(*options(imap, sink), "setup", status=TRY_AGAIN)
    assert "localhost refuses the user or the password" in result.output
    assert not (program.folder / "pbmstar.toml").exists()


def test_a_file_that_is_there_is_left_alone(program: Program, imap: Imap, sink: Sink) -> None:
    (program.folder / "pbmstar.toml").write_text("address = 'star@x.example'\n")
    assert "already exists" in program.run("setup", status=REFUSED).output


# -- the servers of an address


def records(**told: str) -> Callable[[str, str], list[str]]:
    return lambda name, _kind: [told[name.split(".")[0]]] if name.split(".")[0] in told else []


def test_servers_by_dns() -> None:
    """RFC 6186: the service under TLS before the other; a lone dot says that there is none."""
    asked = records(_imaps="0 1 993 mx.x.example.", _submission="0 1 587 out.x.example.")
    assert find("a@x.example", asked) == Servers(
        "imaps://a%40x.example@mx.x.example:993", "smtp+starttls://a%40x.example@out.x.example:587"
    )
    assert find("a@x.example", records(_imaps="0 0 0 .")) == Servers("", "")


def test_servers_by_the_table() -> None:
    def none(_name: str, _kind: str) -> list[str]:
        raise OSError("no DNS")

    assert find("a@gmail.com", none).mailbox == "imaps://a%40gmail.com@imap.gmail.com"
    assert find("a@x.example", none) == Servers("", "")


def test_a_password_in_a_url() -> None:
    assert with_password("imaps://a@h", "p@:/w") == "imaps://a:p%40%3A%2Fw@h"
    assert with_password("imaps://a:b@h", "x") == "imaps://a:b@h"
    assert with_password("imaps://a@h", "") == "imaps://a@h"
