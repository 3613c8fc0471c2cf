"""What the daemon says to commands, in order and out of it. The ids are those of the catalogue."""

from __future__ import annotations

import io
import json
import logging
import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from peers import MAIL, Peer, Running

from pbmstar import log
from pbmstar.smtp import status as replies
from pbmstar.smtp.limits import Limits

TLS = Path(__file__).parent.parent / "tls.pem"


@pytest.fixture
def running(tmp_path: Path, database: str) -> Iterator[Running]:
    with Running(tmp_path / "spool", database) as made:
        yield made


def test_a_mail_is_taken_and_its_letter_delivered(running: Running) -> None:
    with running.peer().hello() as peer:
        assert peer.mail(b"..a dot") == "250 2.0.0 Accepted"
        assert peer.ask(b"QUIT").startswith("221 2.0.0")
        assert peer.has_ended()
    ((envelope, raw),) = running.handled()
    assert envelope == ("alice@home.example", ("star@pbm.example",), "")
    assert raw == (MAIL % b".a dot")[:-3]


def test_what_is_offered(running: Running) -> None:
    with running.peer() as peer:
        offered = peer.ask(b"EHLO me").split("\n")
    assert offered == [
        "250-pbm.example",
        "250-PIPELINING",
        "250-SIZE 1048576",
        "250-8BITMIME",
        "250 ENHANCEDSTATUSCODES",
    ]


def test_oversize_announced(running: Running) -> None:
    """T3: a size over the limit is refused at MAIL."""
    with running.peer().hello() as peer:
        assert peer.ask(b"MAIL FROM:<a@b.example> SIZE=999999999").startswith("552 5.3.4")
        assert peer.ask(b"MAIL FROM:<a@b.example> SIZE=1048576").startswith("250")


def test_nul(running: Running) -> None:
    """T8: NUL is no part of an address; in a greeting it does no harm; a body keeps it here."""
    with running.peer() as peer:
        assert peer.ask(b"EHLO a\0b").startswith("250")
        assert peer.ask(b"MAIL FROM:<a\0@b.example>").startswith("553 5.1.3")
        assert peer.ask(b"MAIL FROM:<a@b.example>").startswith("250")
        assert peer.ask(b"RCPT TO:<star\0@pbm.example>").startswith("553 5.1.3")
        assert peer.ask(b"RSET").startswith("250")
        assert peer.mail(b"st\0ar") == replies.ACCEPTED
    assert b"st\0ar" in running.handled()[0][1]


def test_binary_nonsense(running: Running) -> None:
    """T9: some replies 500, then the end."""
    with running.peer() as peer:
        told = [peer.ask(b"\xff\xfe\x00\x01") for _ in range(6)]
    assert [word[:3] for word in told] == ["500"] * 4 + ["421", ""]


@pytest.mark.parametrize("verb", [b"GET", b"POST", b"PUT", b"HEAD", b"OPTIONS", b"CONNECT"])
def test_http(running: Running, verb: bytes) -> None:
    """T10: a web client is left at its first word, whatever it has sent behind it."""
    smuggled = b"EHLO me\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<star@pbm.example>\r\nDATA\r\n"
    with running.peer() as peer:
        peer.say(verb + b" / HTTP/1.1\r\nHost: x\r\n\r\n" + smuggled + MAIL % b"hello")
        assert peer.hear() == ""
    assert running.handled() == []


def test_blind_pipelining(running: Running) -> None:
    """T11: who sends everything before it has heard anything is served, once."""
    whole = (
        b"EHLO me\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<star@pbm.example>\r\nDATA\r\n"
        + MAIL % b"one"
        + b"MAIL FROM:<a@b.example>\r\nRCPT TO:<star@pbm.example>\r\nDATA\r\n"
        + MAIL % b"two"
        + b"QUIT\r\n"
    )
    with Peer(running.names[0]) as peer:
        peer.say(whole)
        told = [peer.hear()[:3] for _ in range(11)]
    assert told == ["220", "250", *["250", "250", "354", "250"] * 2, "221"]
    assert [raw for _, raw in running.handled()] == [(MAIL % w)[:-3] for w in (b"one", b"two")]


def test_many_recipients(running: Running) -> None:
    """T12: the eleventh recipient and all after it are too many; the ten are served."""
    with running.peer().hello() as peer:
        peer.ask(b"MAIL FROM:<a@b.example>")
        told = []
        for start in range(0, 3000, 100):
            peer.say(b"RCPT TO:<star@pbm.example>\r\n" * 100)
            told += [peer.hear() for _ in range(start, start + 100)]
        assert told == [replies.RECIPIENT_OK] * 10 + [replies.TOO_MANY_RECIPIENTS] * 2990
        assert peer.ask(b"DATA").startswith("354")
        peer.say(MAIL % b"hello")
        assert peer.hear() == replies.ACCEPTED
    assert len(running.handled()[0][0].recipients) == 10


@pytest.mark.parametrize("command", [b"NOOP", b"RSET", b"VRFY <star>", b"HELP", b"EHLO me"])
def test_command_floods(running: Running, command: bytes) -> None:
    """T15: enough is enough."""
    with running.peer() as peer:
        for _ in range(250):
            told = peer.ask(command)
            if told[:1] != "2":
                break
        assert told == replies.TOO_MANY_COMMANDS
        assert peer.has_ended()


def test_authentication(running: Running) -> None:
    """T16: AUTH is neither offered nor done, and what came with it is not logged."""
    stream = io.StringIO()
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    try:
        log.setup(stream)
        with running.peer().hello() as peer:
            assert peer.ask(b"AUTH PLAIN AGFsaWNlAHMzY3JldA==").startswith("502 5.5.1")
            assert peer.ask(b"AUTH LOGIN").startswith("502 5.5.1")
            assert peer.mail(b"star move 1 alice s3cret F6") == replies.ACCEPTED
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
    (line,) = stream.getvalue().splitlines()
    told = json.loads(line)
    assert told["outcome"] == "applied"
    assert told["sender_domain"] == "home.example"
    for secret in ("AGFsaWNl", "s3cret", "alice", "star help"):
        assert secret not in line


def test_plaintext_before_tls(tmp_path: Path, database: str) -> None:
    """T17: what was sent behind STARTTLS in the clear is forgotten when TLS begins."""
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(TLS)
    client = ssl.create_default_context(cafile=str(TLS))
    with Running(tmp_path / "spool", database, tls=server) as running, running.peer() as peer:
        assert "STARTTLS" in peer.ask(b"EHLO me")
        peer.say(b"STARTTLS\r\nMAIL FROM:<evil@b.example>\r\nRCPT TO:<star@pbm.example>\r\n")
        assert peer.hear().startswith("220")
        peer.sock = client.wrap_socket(peer.sock, server_hostname="localhost")
        assert "STARTTLS" not in peer.ask(b"EHLO me")
        assert peer.ask(b"RCPT TO:<star@pbm.example>").startswith("503")
        assert peer.mail() == replies.ACCEPTED
    assert running.handled()[0][0].sender == "alice@home.example"


def test_no_tls(running: Running) -> None:
    """T17: without a certificate there is no TLS to begin."""
    with running.peer().hello() as peer:
        assert peer.ask(b"STARTTLS").startswith("454")


@pytest.mark.parametrize("name", [b"x" * 500, b'"a b"', b"a\x1b[31mb", b"[127.0.0.1]", b"\xc3\xa9"])
def test_odd_greetings(running: Running, name: bytes) -> None:
    """T25: any name will do, or is refused; none is said again."""
    with running.peer() as peer:
        told = peer.ask(b"EHLO " + name)
        assert told[:3] in ("250", "500", "501")
        assert name.decode("latin-1") not in told
        assert peer.hello().mail() == replies.ACCEPTED


@pytest.mark.parametrize(
    ("path", "code", "sender"),
    [
        (b"<a@b.example> <c@d.example>", "501", None),
        (b"<@relay.example:u@h.example>", "250", "u@h.example"),
        (b"<@r1.example,@r2.example:u@h.example>", "250", "u@h.example"),
        (b"a@b.example", "250", "a@b.example"),
        (b"a@b.example c@d.example", "501", None),
        (b"<a@b.example> FOO=BAR", "555", None),
        (b"<a@b.example> SIZE=", "501", None),
        (b"<a@b.example> BODY=8BITMIME SIZE=100", "250", "a@b.example"),
        (b'<"john doe"@b.example>', "250", '"john doe"@b.example'),
        (b"<a@b.example", "553", None),
        (b"<a@<b@c.example>>", "553", None),
        (b"<<a@b.example>>", "553", None),
        (b"<" + b"(" * 400 + b">", "250", "(" * 400),
        (b"", "553", None),
        (b"<>", "250", ""),
    ],
)
def test_paths(running: Running, path: bytes, code: str, sender: str | None) -> None:
    """T26, T28: one address, taken as it stands, or none; the null sender stays empty."""
    with running.peer().hello() as peer:
        assert peer.ask(b"MAIL FROM:" + path)[:3] == code
        if sender is not None:
            assert peer.ask(b"RCPT TO:<star@pbm.example>")[:3] == "250"
            assert peer.ask(b"DATA")[:3] == "354"
            peer.say(MAIL % b"hello")
            assert peer.hear() == replies.ACCEPTED
            assert running.handled()[0][0].sender == sender


@pytest.mark.parametrize(
    "header",
    [b"PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n", b"\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c" + b"\0" * 12],
)
def test_proxy_header(running: Running, header: bytes) -> None:
    """T27: there is no proxy before us, so who says so is left."""
    with running.peer() as peer:
        peer.say(header + b"\r\n" * 6)
        assert peer.has_ended()
    with running.peer().hello() as peer:
        assert peer.mail() == replies.ACCEPTED


@pytest.mark.parametrize(
    ("recipient", "code"),
    [
        (b"<STAR@PBM.EXAMPLE>", "250"),
        (b"<star+r1abc@Pbm.Example>", "250"),
        (b"star@pbm.example", "250"),
        (b"<postmaster>", "250"),
        (b"<Postmaster@pbm.example>", "250"),
        (b"<abuse@pbm.example>", "250"),
        (b"<star@pbm.example.>", "550"),
        (b'<"star"@pbm.example>', "550"),
        (b"<starr@pbm.example>", "550"),
        (b"<>", "550"),
        (b"<star>", "550"),
        (b"<star@pbm.example> NOTIFY=NEVER", "555"),
    ],
)
def test_recipients(running: Running, recipient: bytes, code: str) -> None:
    """T29: ours in any case, with any detail; postmaster and abuse; no odd forms."""
    with running.peer().hello() as peer:
        peer.ask(b"MAIL FROM:<a@b.example>")
        assert peer.ask(b"RCPT TO:" + recipient)[:3] == code


@pytest.mark.parametrize(
    "recipient",
    [
        b"victim@elsewhere.example",
        b"victim%elsewhere.example@pbm.example",
        b"@pbm.example:v@w.example",
    ],
)
def test_relaying(running: Running, recipient: bytes) -> None:
    """T30: nothing is relayed."""
    with running.peer().hello() as peer:
        peer.ask(b"MAIL FROM:<a@b.example>")
        told = peer.ask(b"RCPT TO:<" + recipient + b">")
        assert told in (replies.NO_RELAY, replies.NO_MAILBOX)
        assert peer.ask(b"DATA").startswith("503")


def test_no_relay_says_so(running: Running) -> None:
    """T30: another domain is refused as relaying, an unknown box of ours as unknown."""
    with running.peer().hello() as peer:
        peer.ask(b"MAIL FROM:<a@b.example>")
        assert peer.ask(b"RCPT TO:<v@w.example>") == replies.NO_RELAY
        assert peer.ask(b"RCPT TO:<v@pbm.example>") == replies.NO_MAILBOX


def test_order_of_commands(running: Running) -> None:
    with running.peer() as peer:
        assert peer.ask(b"MAIL FROM:<a@b.example>").startswith("503")
        peer.hello()
        assert peer.ask(b"RCPT TO:<star@pbm.example>").startswith("503")
        assert peer.ask(b"DATA").startswith("503")
        assert peer.ask(b"MAIL FROM:<a@b.example>").startswith("250")
        assert peer.ask(b"MAIL FROM:<a@b.example>").startswith("503")
        assert peer.ask(b"DATA").startswith("503")
        assert peer.ask(b"RCPT TO:<star@pbm.example>").startswith("250")
        assert peer.ask(b"DATA now").startswith("501")
        assert peer.ask(b"HELO me").startswith("250")
        assert peer.mail() == replies.ACCEPTED


def test_long_command_lines(running: Running) -> None:
    with running.peer() as peer:
        assert peer.ask(b"EHLO " + b"x" * 600).startswith("500")
        assert peer.ask(b"EHLO " + b"x" * 100_000).startswith("500")
        assert peer.hello().mail() == replies.ACCEPTED


def test_mails_on_one_connection(tmp_path: Path, database: str) -> None:
    with (
        Running(tmp_path / "spool", database, limits=Limits(mails=2)) as running,
        running.peer().hello() as peer,
    ):
        assert peer.mail(b"1") == peer.mail(b"2") == replies.ACCEPTED
        assert peer.ask(b"MAIL FROM:<a@b.example>") == replies.TOO_MANY_MAILS
        assert peer.has_ended()


_KNOWN = {str(reply) for reply in vars(replies).values() if isinstance(reply, replies.Reply)}
_WORDS = st.sampled_from(
    [
        *(b"EHLO me", b"HELO me", b"MAIL FROM:<a@b.example>", b"RCPT TO:<star@pbm.example>"),
        *(b"DATA", b"RSET", b"NOOP", b"VRFY x", b"EXPN x", b"HELP", b"HELP \xff", b"STARTTLS"),
        *(b"AUTH PLAIN x", b"MAIL FROM:<m\x1bm\x1b>", b"RCPT TO:<v@w.example>", b".", b""),
        b"XYZZY\x1b[1m y",
    ]
)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(lines=st.lists(_WORDS | st.binary(max_size=40), max_size=12))
def test_all_that_is_said_is_ours(running: Running, lines: list[bytes]) -> None:
    """Whatever a peer sends, the replies are of the fixed set, with no word of the peer's."""
    with running.peer() as peer:
        peer.say(b"\r\n".join([*lines, b"", b".", b"QUIT", b""]))
        while told := peer.hear():
            assert told in _KNOWN or told.startswith(("250-pbm.example", "250 pbm.example"))
