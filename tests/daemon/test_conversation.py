"""What the daemon answers to commands, in order and out of it. The ids are those of the catalogue."""

from __future__ import annotations

import json
import re
import ssl
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from peers import Peer, Running, raw

from pbmstar.smtp import status
from pbmstar.smtp.session import Limits

TLS = Path(__file__).parent.parent / "tls.pem"
Start = Callable[..., Running]


def test_a_mail_is_taken(running: Running) -> None:
    """Dots are undone, the envelope is passed on, and the connection ends when the peer says so."""
    peer = running.peer()
    peer.mail(b"..a dot")
    peer.ask("QUIT", "221 2.0.0", "")
    ((envelope, content),) = running.service.seen
    assert envelope[:3] == ("alice@home.example", ("star@pbm.example",), "")
    assert content == raw(b".a dot")


def test_what_is_offered(running: Running) -> None:
    offered = running.peer(hello="").ask("EHLO me", "250").split("\n")
    assert offered == [
        "250-pbm.example",
        "250-PIPELINING",
        "250-SIZE 1048576",
        "250-8BITMIME",
        "250 ENHANCEDSTATUSCODES",
    ]


FLOODS = {"NOOP": 20, "RSET": 200, "VRFY <star>": 20, "HELP": 20, "EHLO me": 20}
# What a peer says, and how the reply begins. A line "* TEXT" stands for a whole mail.
TALKS = {
    "T3 a size over the limit is refused at MAIL": """
        EHLO me                                     250
        MAIL FROM:<a@b.example> SIZE=999999999      552 5.3.4
        MAIL FROM:<a@b.example> SIZE=1048576        250""",
    "T8 NUL is no part of an address, does no harm in a greeting, and stays in a text": """
        EHLO a\0b                                   250
        MAIL FROM:<a\0@b.example>                   553 5.1.3
        MAIL FROM:<a@b.example>                     250
        RCPT TO:<star\0@pbm.example>                553 5.1.3
        RSET                                        250
        * st\0ar                                    250 2.0.0""",
    "T17 without a certificate there is no TLS to begin": """
        EHLO me                                     250
        STARTTLS                                    454""",
    "T30 nothing is relayed; an unknown box of ours is said to be that": """
        EHLO me                                     250
        MAIL FROM:<a@b.example>                     250
        RCPT TO:<victim@elsewhere.example>          550 5.7.1
        RCPT TO:<victim%elsewhere@pbm.example>      550 5.1.1
        RCPT TO:<@pbm.example:v@w.example>          550 5.7.1
        RCPT TO:<v@pbm.example>                     550 5.1.1
        DATA                                        503""",
    "commands have an order": """
        MAIL FROM:<a@b.example>                     503
        EHLO me                                     250
        RCPT TO:<star@pbm.example>                  503
        DATA                                        503
        MAIL FROM:<a@b.example>                     250
        MAIL FROM:<a@b.example>                     503
        DATA                                        503
        RCPT TO:<star@pbm.example>                  250
        DATA now                                    501
        HELO me                                     250
        * hello                                     250 2.0.0""",
    "a line that is too long is no command": f"""
        EHLO {"x" * 600}                            500
        EHLO {"x" * 100_000}                        500
        EHLO me                                     250
        * hello                                     250 2.0.0""",
    "T25 any name in ASCII will do": f"""
        EHLO {"x" * 500}                            250
        EHLO "a b"                                  250
        EHLO a\x1b[31mb                             250
        EHLO [127.0.0.1]                            250
        EHLO \xc3\xa9                               501 5.6.7
        MAIL FROM:<j\xc3\xb6rg@a.example>          501 5.6.7
        MAIL FROM:<a@b.example> SMTPUTF8           555 5.5.4
        * hello                                     250 2.0.0""",
    "T26, T28 the address of MAIL is one, and its parameters are known": """
        EHLO me                                     250
        MAIL FROM:<a@b.example> <c@d.example>       501
        MAIL FROM:a@b.example c@d.example           501
        MAIL FROM:<a@b.example> FOO=BAR             555
        MAIL FROM:<a@b.example> SIZE=               501
        MAIL FROM:<a@b.example                      553
        MAIL FROM:<a@<b@c.example>>                 553
        MAIL FROM:<<a@b.example>>                   553
        MAIL FROM:                                  553
        * hello                                     250 2.0.0""",
    "T29 ours in any case, with any detail; postmaster and abuse; no odd forms": """
        EHLO me                                     250
        MAIL FROM:<a@b.example>                     250
        RCPT TO:<STAR@PBM.EXAMPLE>                  250
        RCPT TO:<star+r1abc@Pbm.Example>            250
        RCPT TO:star@pbm.example                    250
        RCPT TO:<postmaster>                        250
        RCPT TO:<Postmaster@pbm.example>            250
        RCPT TO:<abuse@pbm.example>                 250
        RCPT TO:<star@pbm.example.>                 550
        RCPT TO:<"star"@pbm.example>                550
        RCPT TO:<starr@pbm.example>                 550
        RCPT TO:<>                                  550
        RCPT TO:<star>                              550
        RCPT TO:<star@pbm.example> NOTIFY=NEVER     555""",
    "T9 after some nonsense we close": "\xff\xfe\0\1  500\n" * 4 + "\xff\xfe\0\1  421",
    **{
        f"T15 {count} of {command} are enough": f"{command}  2\n" * count + f"{command}  421 4.7.0"
        for command, count in FLOODS.items()
    },
}


@pytest.mark.few(6)
@pytest.mark.parametrize("name", TALKS)
def test_talk(running: Running, name: str) -> None:
    """A reply 421 is the last."""
    peer = running.peer(hello="")
    peer.talk(TALKS[name])
    assert [text for text in running.texts() if b"\0" in text] == [raw(b"st\0ar")] * ("NUL" in name)
    if TALKS[name].endswith(("421", "421 4.7.0")):
        peer.expect("")


@pytest.mark.parametrize("verb", [b"GET", b"POST", b"PUT", b"HEAD", b"OPTIONS", b"CONNECT"])
def test_http(running: Running, verb: bytes) -> None:
    """T10: a web client is left at its first word, whatever it has sent behind it."""
    smuggled = b"EHLO me\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<star@pbm.example>\r\nDATA\r\n"
    peer = running.peer(hello="")
    peer.say(verb + b" / HTTP/1.1\r\nHost: x\r\n\r\n" + smuggled + raw(b"hello") + b".\r\n")
    peer.expect("")
    assert running.texts() == []


def test_blind_pipelining(running: Running) -> None:
    """T11: a peer that sends everything before it has heard anything is served, once."""
    whole = b"EHLO me\r\n"
    for text in (b"one", b"two"):
        whole += b"MAIL FROM:<a@b.example>\r\nRCPT TO:<star@pbm.example>\r\nDATA\r\n"
        whole += raw(text) + b".\r\n"
    peer = running.connect()
    peer.say(whole + b"QUIT\r\n")
    peer.expect("220", "250", *["250 2.1.0", "250 2.1.5", "354", "250 2.0.0"] * 2, "221")
    assert running.texts() == [raw(b"one"), raw(b"two")]


def test_many_recipients(running: Running) -> None:
    """T12: the eleventh recipient and all after it are too many; the ten are served."""
    peer = running.peer()
    peer.ask("MAIL FROM:<a@b.example>", "250")
    for number in range(30):
        peer.say(b"RCPT TO:<star@pbm.example>\r\n" * 100)
        peer.expect(*(["250 2.1.5"] * 10 + ["452 4.5.3"] * 90 if not number else ["452"] * 100))
    peer.ask("DATA", "354")
    peer.ask("Subject: hello\r\n\r\n.", "250 2.0.0")
    assert len(running.service.seen[0][0].recipients) == 10


def test_authentication(running: Running, logged: Callable[[], list[dict[str, Any]]]) -> None:
    """T16: AUTH is neither offered nor done, and neither it nor a mail's secrets are logged."""
    peer = running.peer()
    peer.ask("AUTH PLAIN AGFsaWNlAHMzY3JldA==", "502 5.5.1")
    peer.ask("AUTH LOGIN", "502 5.5.1")
    reply = peer.mail(b"star move 1 alice s3cret F6")
    (line,) = logged()
    assert (line["outcome"], line["sender_domain"]) == ("applied", "home.example")
    assert reply == f"250 2.0.0 Accepted {line['id']}"
    for secret in ("AGFsaWNl", "s3cret", "alice", "star help"):
        assert secret not in json.dumps(line)


def test_plaintext_before_tls(start: Start) -> None:
    """T17: what was sent behind STARTTLS in the clear is forgotten when TLS begins."""
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(TLS)
    client = ssl.create_default_context(cafile=str(TLS))
    running = start(tls=server)
    peer = running.peer(hello="")
    assert "STARTTLS" in peer.ask("EHLO me", "250")
    peer.say(b"STARTTLS\r\nMAIL FROM:<evil@b.example>\r\nRCPT TO:<star@pbm.example>\r\n")
    peer.expect("220")
    peer.sock = client.wrap_socket(peer.sock, server_hostname="localhost")
    assert "STARTTLS" not in peer.ask("EHLO me", "250")
    peer.ask("RCPT TO:<star@pbm.example>", "503")
    peer.mail()
    assert running.service.seen[0][0].sender == "alice@home.example"


@pytest.mark.parametrize(
    "header",
    [b"PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n", b"\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c" + b"\0" * 12],
)
def test_proxy_header(running: Running, header: bytes) -> None:
    """T27: there is no proxy before us, so a peer that pretends to be one is left."""
    peer = running.peer(hello="")
    peer.say(header + b"\r\n" * 6)
    peer.expect_end()
    running.peer().mail()


SENDERS = {
    "<@relay.example:u@h.example>": "u@h.example",
    "<@r1.example,@r2.example:u@h.example>": "u@h.example",
    "a@b.example": "a@b.example",
    "<a@b.example> BODY=8BITMIME SIZE=100": "a@b.example",
    '<"john doe"@b.example>': '"john doe"@b.example',
    "<" + "(" * 400 + ">": "(" * 400,
    "<>": "",
}


def test_senders(running: Running) -> None:
    """T26, T28: the address is taken as it stands, a source route skipped; the null sender is empty."""
    peer = running.peer()
    for path in SENDERS:
        peer.talk(f"MAIL FROM:{path}  250\nRCPT TO:<star@pbm.example>  250\nDATA  354")
        peer.ask(f"Subject: {path}\r\n\r\n.", "250")
    assert [envelope.sender for envelope, _ in running.service.seen] == list(SENDERS.values())


def test_mails_on_one_connection(start: Start) -> None:
    peer = start(limits=Limits(mails=2)).peer()
    peer.mail(b"1")
    peer.mail(b"2")
    peer.ask("MAIL FROM:<a@b.example>", "421 4.7.0", "")


_KNOWN = {str(known) for known in vars(status).values() if isinstance(known, status.Status)}
_OURS = re.compile(
    r"220 pbm.example ESMTP|250 2.0.0 Accepted [0-9a-f]+-\d+"
    r"|250 pbm.example|250-pbm.example\n250-PIPELINING\n250-SIZE \d+(\n250[- ][A-Z0-9]+)+"
)
_WORDS = st.sampled_from(
    [
        *(
            b"EHLO a\x1b[31mb",
            b"HELO me",
            b"MAIL FROM:<a@b.example>",
            b"RCPT TO:<star@pbm.example>",
        ),
        *(b"DATA", b"RSET", b"NOOP", b"VRFY x", b"EXPN x", b"HELP", b"HELP \xff", b"STARTTLS"),
        *(b"AUTH PLAIN x", b"MAIL FROM:<m\x1bm\x1b>", b"RCPT TO:<v@w.example>", b".", b""),
        b"XYZZY\x1b[1m y",
    ]
)


@settings(
    max_examples=3 * settings.default.max_examples // 5,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(lines=st.lists(_WORDS | st.binary(max_size=40), max_size=12))
def test_no_reply_repeats_a_word_of_the_peer(running: Running, lines: list[bytes]) -> None:
    """Whatever a peer sends, the replies are of the fixed set, or made of our own names."""
    peer = Peer(running.names[0])
    peer.say(b"\r\n".join([*lines, b"", b".", b"QUIT", b""]))
    while reply := peer.hear():
        assert reply in _KNOWN or _OURS.fullmatch(reply), reply
    peer.close()
