"""Handing letters over under TLS, and the URLs of relays."""

from __future__ import annotations

import ssl
from pathlib import Path

import pytest
from harness.sink import Sink
from letters import letter, send
from smart import TLS, at, smart

from pbmstar.delivery import configured, maildir
from pbmstar.delivery.relay import SENT, RelayDown
from pbmstar.delivery.smtp import Smarthost
from pbmstar.errors import BadInput


def contexts() -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """For a server with our certificate, and for a client that knows it."""
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(TLS)
    return server, ssl.create_default_context(cafile=str(TLS))


def test_starttls_and_login() -> None:
    server, client = contexts()
    with Sink(lambda *_: None, tls=server, extensions=("AUTH PLAIN",)) as sink:
        relay = smart(sink, tls=client, login=("user", "s3cret"))
        assert send(relay, letter(1)) == [(1, SENT)]
        relay.close()
        assert [line[:4] for line in sink.log[:4]] == [b"ehlo", b"STAR", b"ehlo", b"AUTH"]


def test_certificate_is_checked() -> None:
    """O1: an unknown certificate: down, and neither password nor letter has been sent."""
    server, _ = contexts()
    with Sink(lambda *_: None, tls=server, extensions=("AUTH PLAIN",)) as sink:
        relay = smart(sink, tls=ssl.create_default_context(), login=("user", "s3cret"))
        with pytest.raises(RelayDown, match="certificate"):
            relay.open()
        assert [line[:4] for line in sink.log] == [b"ehlo", b"STAR"]


@pytest.mark.parametrize(
    ("step", "answer"),
    [("starttls", "454 4.7.0 not now"), ("starttls", "cut"), ("auth", "535 5.7.8 wrong")],
)
def test_tls_troubles(step: str, answer: str) -> None:
    """O1: TLS or the login failing is the relay's trouble; the letters wait."""
    server, client = contexts()
    with Sink(at(step, 0, answer, 9), tls=server, extensions=("AUTH PLAIN LOGIN",)) as sink:
        relay = smart(sink, tls=client, login=("user", "s3cret"))
        with pytest.raises(RelayDown) as raised:
            relay.open()
        assert "s3cret" not in str(raised.value)
        assert sink.count == 0


def test_no_tls_offered() -> None:
    """O1: who was to offer TLS and does not is not talked to in the clear."""
    with Sink(lambda *_: None) as sink:
        with pytest.raises(RelayDown):
            smart(sink, tls=ssl.create_default_context(), login=("user", "s3cret")).open()
        assert not any(b"AUTH" in line or b"MAIL" in line for line in sink.log)


# -- URLs


def test_urls(tmp_path: Path) -> None:
    relay = configured.relay("smtp+starttls://me%40x:p%2Fw@mail.example", "pbm.example")
    assert isinstance(relay, Smarthost)
    assert relay.account[:4] == ("smtp+starttls", "mail.example", 587, "me@x")
    assert (relay.account.secret(), relay.tls is not None) == ("p/w", True)
    relay = configured.relay("smtp://[::1]", "pbm.example")
    assert isinstance(relay, Smarthost)
    assert (relay.account, relay.tls) == (("smtp", "::1", 25, "", "", ""), None)
    assert isinstance(configured.relay(f"maildir:{tmp_path}", "x"), maildir.Maildir)


@pytest.mark.parametrize(
    "url",
    [
        *("", "maildir:", "smtp:", "smtp://", "smtp://h:0x", "smtp://h:99999", "http://h"),
        *("smtp://h/p", "smtp://h?a=b", "smtp://u:s3cret@h", "smtps://u@h"),
        "smtp+starttls://u:s3cret@h:x",
    ],
)
def test_urls_that_are_none(url: str) -> None:
    with pytest.raises(BadInput) as raised:
        configured.relay(url, "pbm.example")
    assert "s3cret" not in str(raised.value)
