"""Sending through a provider's Postfix: TLS is demanded, and Dovecot knows the passwords."""

from __future__ import annotations

import shutil
import smtplib
import ssl
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from harness.dovecot import PASSWORD, TLS, Dovecot
from harness.postfix import Postfix, is_possible
from harness.program import TRY_AGAIN, Program
from harness.server import free_port, until
from harness.sink import Sink, Taken

pytestmark = pytest.mark.slow
_SETTINGS = f"""\
myhostname = provider.example
mydestination =
mynetworks =
smtpd_tls_cert_file = {TLS}
smtpd_tls_key_file = {TLS}
smtpd_tls_security_level = encrypt
smtpd_tls_auth_only = yes
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = %s
smtpd_relay_restrictions = permit_sasl_authenticated, reject
"""
_SERVICES = """\
tlsmgr unix - - n 1000? 1 tlsmgr
127.0.0.1:{port} inet n - n - - smtpd -o smtpd_tls_wrappermode=yes
"""


class Submission(NamedTuple):
    """A running Postfix.

    urls   of relays without a password, by their scheme
    world  what all its mail goes to; from there, that to friends comes to Dovecot
    """

    urls: dict[str, str]
    world: Sink
    postfix: Postfix


@pytest.fixture(scope="module")
def submission(provider: Dovecot) -> Iterator[Submission]:
    if not is_possible():
        pytest.skip("only root can start a Postfix, and there must be one")
    # Not below pytest's folder, where only its owner may look.
    folder = Path(tempfile.mkdtemp(prefix="pbmstar-submission-", dir="/tmp"))
    folder.chmod(0o755)

    def rule(step: str, _count: int, letter: Taken) -> str | None:
        if step == "dot" and letter.recipients[0].startswith("friends"):
            provider.append("friends", letter.content)
        return None

    try:
        with Sink(rule) as world:
            port = free_port()
            services = _SERVICES.format(port=port)
            postfix = Postfix(folder, world.port, _SETTINGS % provider.auth, services)
            try:
                postfix.start()
                urls = {
                    "smtp+starttls": f"smtp+starttls://club@localhost:{postfix.port}",
                    "smtps": f"smtps://club@localhost:{port}",
                }
                yield Submission(urls, world, postfix)
            finally:
                postfix.stop()
    finally:
        shutil.rmtree(folder)


@pytest.mark.parametrize("scheme", ["smtp+starttls", "smtps"])
def test_a_wrong_password_loses_nothing_and_the_right_one_sends(
    submission: Submission, provider: Dovecot, tmp_path: Path, database: str, scheme: str
) -> None:
    provider.add("club")
    program, world = Program(tmp_path, database), submission.world
    told = {
        "PBMSTAR_ADDRESS": "club@provider.example",
        "PBMSTAR_RELAY": submission.urls[scheme],
        "PBMSTAR_RELAY_PASSWORD_COMMAND": "echo wr0ng",
    }
    mail = (
        "From: alice@alice.example\nTo: club@provider.example\nSubject: help\nMessage-ID: <1@x>\n\n"
    )
    program.run("receive", mail=mail, **told)
    before = world.count
    (said,) = program.run("deliver", status=TRY_AGAIN, **told).stdout.splitlines()
    assert "535 5.7.8 Error: authentication failed" in said
    assert "wr0ng" not in said
    assert world.count == before
    (waiting,) = program.json("admin", "outbox", "list")
    assert (waiting["state"], waiting["tries"]) == ("new", 0)

    told["PBMSTAR_RELAY_PASSWORD_COMMAND"] = f"echo {PASSWORD}"
    assert program.run("deliver", **told).stdout.startswith("1 letter sent, ")
    world.wait(before + 1)
    assert world.letters[-1].recipients == ["alice@alice.example"]
    assert program.json("admin", "outbox", "list") == []
    until(lambda: not submission.postfix.waiting(), "an empty queue")
    assert world.count == before + 1


def test_nobody_sends_without_a_password(submission: Submission) -> None:
    """The Postfix of these tests is no open relay: so a letter that it takes shows that we signed in."""
    context = ssl.create_default_context(cafile=str(TLS))
    with smtplib.SMTP("localhost", submission.postfix.port, timeout=60) as smtp:
        assert smtp.ehlo()[0] == 250
        assert not smtp.has_extn("auth")
        smtp.starttls(context=context)
        with pytest.raises(smtplib.SMTPRecipientsRefused):
            smtp.sendmail("club@provider.example", "alice@alice.example", "Subject: x\n\nx\n")


def test_somebody_who_has_only_an_account_has_a_server(
    submission: Submission,
    provider: Dovecot,
    tmp_path: Path,
    database: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One command sets it up at a real provider, and a letter to it is answered."""
    monkeypatch.chdir(tmp_path)
    program, world = Program(tmp_path, database), submission.world
    words = (
        *("--address", "friends@provider.example", "--mailbox", provider.add("friends")),
        *("--relay", submission.urls["smtps"].replace("club", "friends")),
        *("--mailbox-password-command", f"echo {PASSWORD}", "setup"),
    )
    said = program.run(*words).stdout
    assert "The server can IDLE and MOVE and UIDPLUS." in said
    assert "The letter to the address with a + came back, too" in said
    assert (provider.count("friends"), provider.count("friends", "pbmstar/done")) == (0, 2)

    mail = b"From: a@x.example\r\nTo: friends@provider.example\r\nSubject: hello\r\n\r\n"
    provider.append("friends", mail)
    before = world.count
    assert program.run("fetch").stdout == "1 message from the mailbox handled.\n"
    world.wait(before + 1)
    assert world.letters[-1].recipients == ["a@x.example"]
