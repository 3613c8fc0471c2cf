"""Hostile mails: a catalogue of shapes, each in any size, and what can be made of them by chance.

The catalogue has the rows of the threats to a reader (H headers, M MIME, C what is written, with their
numbers) and the shapes that attacks on the server have used. Everything is made from a seed.
"""

from __future__ import annotations

import base64
import quopri
from collections.abc import Callable, Iterator
from random import Random

from pbmstar import games
from pbmstar.command import GAME_VERBS, SERVER_VERBS

MOVE = "star move 17 alice sesame F6"
Shape = Callable[[int], bytes]


def _mail(body: bytes = MOVE.encode(), more: bytes = b"", kind: bytes = b"text/plain") -> bytes:
    head = b"From: alice@example.net\r\nTo: star@star.example\r\nMessage-ID: <1@example.net>\r\n"
    return head + more + b"Content-Type: " + kind + b"\r\n\r\n" + body + b"\r\n"


def _head(more: bytes) -> bytes:
    return _mail(more=more)


def _html(body: bytes) -> bytes:
    return _mail(body, kind=b"text/html; charset=utf-8")


def _times(piece: bytes, size: int) -> bytes:
    return piece * (size // len(piece) + 1)


def _nested(kind: bytes, size: int) -> bytes:
    depth = size // 70
    opened = b"".join(
        b'Content-Type: multipart/%s; boundary="b%d"\r\n\r\n--b%d\r\n' % (kind, n, n)
        for n in range(depth)
    )
    return b"From: alice@example.net\r\n" + opened + MOVE.encode() + b"\r\n"


def _near_boundaries(size: int) -> bytes:
    lines = b"".join(b"--b%d\r\n" % n for n in range(size // 8))
    return _mail(lines, kind=b'multipart/mixed; boundary="b"')


def _report(body: bytes) -> bytes:
    kind = b'multipart/report; report-type=delivery-status; boundary="b"'
    status = b"--b\r\nContent-Type: message/delivery-status\r\n\r\n" + body + b"\r\n--b--\r\n"
    return _mail(status, b"Auto-Submitted: auto-replied\r\n", kind)


CATALOGUE: dict[str, Shape] = {
    "H1 From of quotation marks": lambda n: b"From: " + b'"' * n + b"@x\r\n\r\nhelp\r\n",
    "H1 From of comments": lambda n: b"From: " + b"(" * n + b" a@b.example\r\n\r\nhelp\r\n",
    "H1 From of angles": lambda n: b"From: " + b"<" * n + b"a@b.example\r\n\r\nhelp\r\n",
    "H2 Subject": lambda n: _head(b"Subject: " + b"star " * (n // 5) + b"\r\n"),
    "H2 folded Subject": lambda n: _head(b"Subject: x\r\n" + _times(b" y\r\n", n)),
    "H3 fields": lambda n: _head(_times(b"X-A: b\r\n", n)),
    "H3 Received": lambda n: _head(_times(b"Received: from a by b; c\r\n", n)),
    "H4 parameters": lambda n: _mail(kind=b"text/plain" + _times(b"; a=b", n)),
    "H4 parameters in pieces": lambda n: _mail(
        kind=b"text/plain" + b"".join(b"; charset*%d*=utf-8''x" % k for k in range(n // 22))
    ),
    "H5 two authors": lambda n: _head(_times(b"From: b@b.example\r\n", min(n, 600))),
    "H8 encoded line ends": lambda n: _head(
        b"Subject: " + _times(b"=?utf-8?q?a=0D=0ABcc:_v@x?= ", n) + b"\r\n"
    ),
    "H9 encoded words": lambda n: _head(
        b"Subject: " + _times(b"=?utf-8?b?c3Rhcg=?= ", n) + b"\r\n"
    ),
    "H9 unknown charsets": lambda n: _head(b"Subject: " + _times(b"=?x-y?q?a?=", n) + b"\r\n"),
    "H9 half words": lambda n: _head(b"Subject: " + _times(b"=?utf-8?q?", n) + b"\r\n"),
    "H22 raw bytes": lambda n: _head(b"Subject: " + bytes(range(128, 256)) * (n // 128) + b"\r\n"),
    "H20 results": lambda n: _head(
        b"Authentication-Results: mx.example; " + _times(b"spf=pass (a) b=c; ", n) + b"\r\n"
    ),
    "H20 results of comments": lambda n: _head(
        b"Authentication-Results: mx.example" + b"(" * n + b"; spf=pass\r\n"
    ),
    "M1 multiparts": lambda n: _nested(b"mixed", n),
    "M1 alternatives": lambda n: _nested(b"alternative", n),
    "M1 messages": lambda n: (
        b"From: a@b.example\r\n" + _times(b"Content-Type: message/rfc822\r\n\r\n", n)
    ),
    "M2 parts": lambda n: _mail(
        _times(b"--b\r\n\r\nx\r\n", n), kind=b"multipart/mixed; boundary=b"
    ),
    "M3 near boundaries": _near_boundaries,
    "M3 a long boundary": lambda n: _mail(
        b"x", kind=b'multipart/mixed; boundary="' + b"b" * n + b'"'
    ),
    "M9 comments": lambda n: _html(_times(b"<!--", n)),
    "M9 angles": lambda n: _html(b"<" * n),
    "M9 tables": lambda n: _html(_times(b"<table><tr><td>", n)),
    "M9 quotes": lambda n: _html(_times(b"<blockquote>", n) + MOVE.encode()),
    "M9 entities": lambda n: _html(_times(b"&amp;&#x1F600;&bogus", n)),
    "M9 attributes": lambda n: _html(b"<p " + _times(b'a="b" ', n) + b">"),
    "M9 a tag without end": lambda n: _html(b"<a" + b" b" * (n // 2)),
    "M9 CDATA": lambda n: _html(_times(b"<![CDATA[", n)),
    "M13 uuencode": lambda n: _mail(b"begin 644 x\r\n" + _times(b"M" + b"`" * 60 + b"\r\n", n)),
    "M13 base64": lambda n: _mail(
        base64.encodebytes(b"star " * (n // 8)), b"Content-Transfer-Encoding: base64\r\n"
    ),
    "M13 spoilt base64": lambda n: _mail(
        _times(b"=A ", n), b"Content-Transfer-Encoding: base64\r\n"
    ),
    "M15 soft line breaks": lambda n: _mail(
        _times(b"=\r\n", n), b"Content-Transfer-Encoding: quoted-printable\r\n"
    ),
    "M15 quoted-printable": lambda n: _mail(
        quopri.encodestring(("ﾊﾛｰ" * (n // 24)).encode()),
        b"Content-Transfer-Encoding: quoted-printable\r\n",
    ),
    "M16 flowed": lambda n: _mail(
        _times(b"> > x \r\n", n), kind=b"text/plain; format=flowed; delsp=yes"
    ),
    "M17 punycode": lambda n: _mail(b"a" * n + b"-", kind=b"text/plain; charset=punycode"),
    "M17 utf-7": lambda n: _mail(_times(b"+AGE-", n), kind=b"text/plain; charset=utf-7"),
    "M17 idna": lambda n: _mail(b"xn--" + b"a" * n, kind=b"text/plain; charset=idna"),
    "M17 zlib": lambda n: _mail(b"x" * n, kind=b"text/plain; charset=zlib"),
    "M17 hz": lambda n: _mail(_times(b"~{~}", n), kind=b"text/plain; charset=hz"),
    "M18 signed": lambda n: _mail(_times(b"-----BEGIN PGP SIGNED MESSAGE-----\r\n\r\n", n)),
    "C5 combining marks": lambda n: _mail(b"a" + "̈".encode() * (n // 2)),
    "C5 ligatures": lambda n: _mail("\ufdfa".encode() * (n // 3)),
    "C9 blanks": lambda n: _mail(b"star" + b" " * n + b"move"),
    "C9 tabs and blanks": lambda n: _mail(_times(b" \t", n)),
    "C9 blank lines": lambda n: _mail(b"\r\n" * (n // 2)),
    "C19 marks of quotes": lambda n: _mail(b">" * n + MOVE.encode()),
    "C19 quotes": lambda n: _mail(_times(b"> " + MOVE.encode() + b"\r\n", n)),
    "C20 attributions": lambda n: _mail(
        _times(b"On Tue, 3 Nov 2026 at 10:00, a <a@b.c> wrote:\r\n", n)
    ),
    "C20 beginnings of attributions": lambda n: _mail(b"On " + b"a " * (n // 2) + b"\r\nx:"),
    "C26 lines of text": lambda n: _mail(_times(b"a line of text\r\n", n)),
    "C27 a long word": lambda n: _mail(b"star move " + b"x" * n),
    "C27 words": lambda n: _mail(b"star move" + b" 1" * (n // 2)),
    "C27 asterisks": lambda n: _mail(b"*" * n),
    "C27 options": lambda n: _mail(b"star challenge" + b" -size=3" * (n // 8) + b" alice bob"),
    "C27 a number": lambda n: _mail(b"star show " + b"9" * n),
    "C30 shells and templates": lambda n: _mail(
        _times(b"star help; $(id) `id` {{7*7}} ../../etc/passwd %s ' OR 1=1 --\r\n", n)
    ),
    "two hundred letters by one mail": lambda n: _mail(
        b"\r\n".join([b"star show" + b" 1" * 10] * max(20, n // 40))
    ),
    "a password for each userid": lambda n: _mail(
        b"\r\n".join(b"star move 1 u%dq wrongpw F6" % k for k in range(n // 28))
    ),
    "a bounce of line feeds": lambda n: _report(b"\n" * n),
    "a bounce of CRLF": lambda n: _report(b"\r\n" * (n // 2)),
    "a bounce of quotes": lambda n: _report(_times(b">\r\n", n)),
    "a bounce of recipients": lambda n: _report(
        _times(
            b"Final-Recipient: rfc822; a@b.example\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n", n
        )
    ),
    "a bounce of prose": lambda n: _mail(
        _times(b"The following addresses had permanent fatal errors\r\n<a@b.example>\r\n", n)
    ),
}

_PIECES = [
    *(
        b"\r\n",
        b"\n",
        b"\r",
        b"\0",
        b"\t",
        b" ",
        b"\xff",
        b"=\r\n",
        b"=?utf-8?q?",
        b"?=",
        b"--b\r\n",
    ),
    *(b"--b--\r\n", b"Content-Type: ", b"multipart/mixed; boundary=b\r\n", b"text/html\r\n", b"> "),
    *(b"charset=utf-7", b"charset=utf-16", b"base64\r\n", b"Subject: ", b"From: ", b"Re: ", b"*"),
    *(
        "–".encode(),
        "＊30".encode(),
        "\u200b".encode(),
        "\u202e".encode(),
        b"#",
        b"-- \r\n",
        b"multiple",
    ),
    *(b"<", b">", b"&", b'"', b"'", b"(", b"\\", b"%00", b"{{", b"+", b"@", b";", b"=", b"/*"),
]


def _words() -> list[str]:
    words = {word for game in games.GAMES for word in (game.word, *game.aliases)}
    words |= {word for verb in (*GAME_VERBS, *SERVER_VERBS) for word in verb.name.split()}
    more = "alice bob 17 -3 0 99999999999 F6 Z60 *30 F6#3 pass -- swap -size=8 -size= -maxi 11-10 a@b.example"
    return [*sorted(words), *more.split()]


_WORDS = _words()


_FIELDS = (
    b"From|Subject|Message-ID|Content-Type|Content-Transfer-Encoding|Content-Disposition|Received|"
    b"Auto-Submitted|Precedence|List-Id|X-Pbmstar-Loop|X-Auto-Response-Suppress|X|".split(b"|")
)
_VALUES = (
    b"=?utf-8?q?a=0Db?=|=?utf-8?b?x?=|=?x-klingon?q?a?=|=?utf-8?b?4pyT|text/plain|text/html|text/calendar|"
    b"multipart/mixed|multipart/alternative|multipart/signed|message/rfc822|; boundary=x|; boundary=|;|"
    b'; charset="a\0b"|; charset=zlib|; charset=idna|; charset=utf-7|; charset=utf-16|; format=flowed|'
    b"; boundary*0=x; boundary*1=y|; name*=utf-8''%FF%00|; a=\"|base64|quoted-printable|uuencode|<|>|\"|(|@|,|"
    b"a@b.example|<[abc]@>|<a@b>|\xff\xfe|\0|\r|\n | |--x|[a]|Re: |***SPAM***|\\".split(b"|")
)
_ODD_LINES = (
    b"|star move 17 alice sesame F6|> star|--|-- |--x|--x--|On 3 Nov 2026, a <a@b.example> wrote:|wrote:|"
    b"From: a|Sent: b|____________|-----Original Message-----|Content-Type: text/html|<b>x|<!--|=3D=|=E2=80|"
    b"begin 644 a|-----BEGIN PGP SIGNED MESSAGE-----|-----BEGIN PGP SIGNATURE-----|AAAA|\xff\x00\xfe|"
    b"  star|\xe2\x80\xae|thanks|quit".split(b"|")
)


def _odd(random: Random) -> bytes:
    """Return a mail of odd pieces, in its header and in its text."""
    head = [
        random.choice(_FIELDS) + b": " + b"".join(random.choices(_VALUES, k=random.randrange(7)))
        for _ in range(random.randrange(11))
    ]
    body = random.choices(_ODD_LINES, k=random.randrange(31))
    return random.choice((b"\r\n", b"\n", b"\r", b" \n")).join([*head, b"", *body])


def chance(seed: int) -> bytes:
    """A mail by chance: words of the language, odd pieces, or a shape of the catalogue, then spoilt."""
    random = Random(seed)
    kind = random.random()
    if kind < 0.02:
        return random.randbytes(random.randrange(4_000))
    if kind < 0.3:
        raw = _odd(random)
    elif kind < 0.6:
        lines = [
            " ".join(random.choices(_WORDS, k=random.randrange(1, 9)))
            for _ in range(random.randrange(1, 30))
        ]
        subject = f"Subject: {random.choice(['', 'Re: ', 'multiple '])}{lines.pop()}\r\n"
        raw = _mail("\r\n".join(lines).encode(), subject.encode())
    else:
        raw = random.choice(list(CATALOGUE.values()))(random.randrange(1, 4000))
    for _ in range(random.choice((0, 1, 3, 10))):
        raw = _spoilt(raw, random)
    return raw


def _spoilt(raw: bytes, random: Random) -> bytes:
    place, length = random.randrange(len(raw) + 1), random.randrange(1, 40)
    kind = random.randrange(4)
    if kind == 0:  # something between
        return raw[:place] + random.choice(_PIECES) * random.choice((1, 1, 30)) + raw[place:]
    if kind == 1:  # something missing
        return raw[:place] + raw[place + length :]
    if kind == 2:  # something twice
        return raw[: place + length] + raw[place:]
    spoilt = bytearray(raw)
    for at in range(place, min(place + 3, len(raw))):
        spoilt[at] = random.randrange(256)
    return bytes(spoilt)


def several(seed: int, count: int) -> Iterator[tuple[int, bytes]]:
    """So many mails by chance, each with the seed that makes it again."""
    return ((number, chance(number)) for number in range(seed, seed + count))
