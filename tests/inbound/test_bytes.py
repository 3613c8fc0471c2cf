"""What mail programs, gateways and phones do to a text on its way: forty forms of each kind.

Each form has its name, its message, and the own lines that are read: a move and words as people write them.
``None`` stands for a message that was cut: nothing of the line in which it ends may be among them.
"""

from __future__ import annotations

import base64
import quopri
from collections.abc import Iterator

import pytest

from pbmstar.inbound import TROUBLE_CUT, Inbound, read

from .written import ALTERNATIVE, DOMAIN, MIXED, mail, part, parts

Form = tuple[str, bytes, tuple[str, ...]]
PLAIN = "text/plain; charset=utf-8"
BASE64 = "Content-Transfer-Encoding: base64\n"
PHOTO = part("image/jpeg; name=photo.jpg", "/9j/4AAQSkZJRgABAQ==", BASE64)


def letters(text: str, charset: str = "utf-8") -> str:
    """Return a text in base64, in one line."""
    return base64.b64encode(text.encode(charset)).decode()


def encoded(body: str, kind: str = PLAIN) -> bytes:
    """Return a message whose body is base64 already."""
    return mail(body, kind=kind, more="Content-Transfer-Encoding: base64")


def read_of(raw: bytes) -> Inbound:
    return read(raw, DOMAIN)


# -- base64 without its padding, in pieces, with footers; and what is cut


def whole_base64() -> Iterator[Form]:
    long = "A12\n\n" + "Ich wünsche dir ein schönes Wochenende am See. " * 3 + "Grüße"
    words = tuple(long.split("\n"))
    for name, text in {
        "a move": "A12", "a short move": "D4", "a blank before it": " A12", "Spanish": "A12\n\n¡Hasta mañana!", "Czech": "A12\n\nPříště víc",
        "Russian": "A12\n\nхорошая партия", "Japanese": "A12\n\nまた明日", "long": long,
    }.items():  # fmt: skip
        told = tuple(line.rstrip() for line in text.split("\n"))
        yield f"{name}, no padding", encoded(letters(text).rstrip("=")), told
        yield f"{name}, one too many", encoded(letters(text) + "="), told
    for at, length in enumerate((57, 60, 76, 100)):
        lines = base64.b64encode(long.encode()).decode().rstrip("=")
        cut = "\n".join(lines[n : n + length] for n in range(0, len(lines), length))
        yield f"lines of {length}", encoded(cut + "\n" * at), words
    yield "half its padding", encoded("IEExMg="), (" A12",)
    yield (
        "HTML",
        encoded(letters("<p>A12</p><p>see you</p>").rstrip("="), "text/html"),
        ("A12", "see you"),
    )
    yield (
        "HTML, a letter too few",
        encoded(letters("<p>A12<p>hej").rstrip("="), "text/html"),
        ("A12", "hej"),
    )
    alone = part(PLAIN, letters("A12\n\nà demain").rstrip("="), BASE64)
    yield "a part", mail(parts("x", alone), kind=MIXED), ("A12", "", "à demain")
    both = part("text/html", letters("<p>A12").rstrip("="), BASE64)
    yield "an alternative", mail(parts("x", alone, both), kind=ALTERNATIVE), ("A12", "", "à demain")
    for name, pieces in {
        "two pieces": ("A1", "2\n"), "pieces of a line": ("A12\n", "\n", "see you"), "three": ("A", "1", "2"),
    }.items():  # fmt: skip
        told = tuple("".join(pieces).rstrip("\n").split("\n"))
        yield f"{name}, in lines", encoded("\n".join(map(letters, pieces))), told
        yield f"{name}, in one line", encoded("".join(map(letters, pieces))), told
    footers = (
        "____________\nlist mailing list\nhttp://lists.example.org", "This message was scanned.\n",
        "-- \nSent through a gateway", "Virengeprüft.",
    )  # fmt: skip
    for footer in footers:
        yield footer[:12], encoded(f"{letters('A12')}\n\n{footer}"), ("A12",)
    yield "a footer, no padding", encoded(f"{letters('A12').rstrip('=')}\n\n{footers[0]}"), ("A12",)
    url = letters("A12 ??>>~~").replace("+", "-").replace("/", "_").rstrip("=")
    yield "letters for URLs", encoded(url), ("A12 ??>>~~",)


def cut_base64() -> Iterator[Form]:
    for name, text in {
        "a move": "A12", "a blank": " A12", "below words": "Hi\nA12", "a command": "star move 3 alice s A12",
        "Greek": "γεια\nA12", "with a line": "C3\nA12 A11",
    }.items():  # fmt: skip
        body = letters(text).rstrip("=")
        told = tuple(text.split("\n")[:-1])
        for gone in (1, 2):
            # Nothing shows it at a boundary of four letters, nor where the bits left over are 0 by chance.
            if len(body) % 4 != gone and not (
                len(body) % 4 == 0 and gone == 1 and body[-2] in "AEIMQUYcgkosw048"
            ):
                yield f"{name}, {gone} gone", encoded(body[:-gone]), told
    yield (
        "UTF-16",
        encoded(letters("C3\nA12", "utf-16-le")[:-3], "text/plain; charset=utf-16"),
        ("C3",),
    )
    yield "an open part", mail(b"--x\n\nC3\nA12", kind=MIXED), ("C3",)
    yield (
        "half an escape",
        mail("C3\nA12=C", more="Content-Transfer-Encoding: quoted-printable"),
        ("C3",),
    )


# -- text above, between and below pictures


def pictures() -> Iterator[Form]:
    def told(*texts: str) -> tuple[str, ...]:
        return tuple("\n".join(texts).split("\n"))

    def plain(text: str, more: str = "") -> str | bytes:
        return part(PLAIN, text, more)

    def html(text: str) -> str | bytes:
        return part("text/html; charset=utf-8", f"<html><body><div>{text}</div></body></html>")

    def within(kind: str, *pieces: str | bytes) -> bytes:
        head = f"Content-Type: multipart/{kind}; boundary=y\n\n".encode()
        return head + parts("y", *pieces)

    def message(*pieces: str | bytes, kind: str = MIXED, more: str = "") -> bytes:
        return mail(parts("x", *pieces), kind=kind, more=more)

    files = {
        "PNG": part("image/png; name=board.png", "iVBORw0KGgo=", BASE64),
        "HEIC": part("image/heic", "AAAA", BASE64 + "Content-Disposition: inline; filename=IMG_2.HEIC\n"),
        "PDF": part("application/pdf", "JVBERi0=", BASE64 + "Content-Disposition: attachment; filename=a.pdf\n"),
        "video": part("video/mp4; name=a.mp4", "AAAA", BASE64), "sound": part("audio/amr; name=a.amr", "AAAA", BASE64),
        "a message": part("message/rfc822", "From: a@b.example\n\nA1"),
        "a named text": part("text/plain; name=moves.txt", "A1"),
    }  # fmt: skip
    for name, file in files.items():
        yield f"{name} between", message(plain("Hej,"), file, plain("D4")), told("Hej,", "D4")
        yield f"{name}, HTML", message(html("D4"), file, html("à bientôt")), told("D4", "à bientôt")
    yield (
        "words below",
        message(plain("D4"), PHOTO, plain("見てください")),
        told("D4", "見てください"),
    )
    yield "picture first", message(PHOTO, plain("D4"), PHOTO, plain("hei")), told("D4", "hei")
    many = (plain("D4"), PHOTO, plain("one"), PHOTO, PHOTO, plain("two"), PHOTO, plain("three"))
    yield "many pictures", message(*many), told("D4", "one", "two", "three")
    yield (
        "related",
        message(html("D4"), PHOTO, html("så fint"), kind="multipart/related; boundary=x"),
        told("D4", "så fint"),
    )
    signature = part("application/pgp-signature; name=signature.asc", "AAAA")
    mixed = within("mixed", plain("D4"), PHOTO, plain("kuva"))
    yield (
        "signed",
        message(mixed, signature, kind="multipart/signed; boundary=x"),
        told("D4", "kuva"),
    )
    yield (
        "signed, in a list",
        message(within("signed", plain("D4"), signature), PHOTO, plain("z")),
        told("D4", "z"),
    )
    alternative = within("alternative", plain("D4"), html("D4"))
    yield (
        "an alternative, then words",
        message(alternative, PHOTO, plain("ahoj")),
        told("D4", "ahoj"),
    )
    apple = within("mixed", html("D4"), PHOTO, html("ciao"))
    yield "Apple, HTML only", message(apple, kind=ALTERNATIVE), told("D4", "ciao")
    yield (
        "Apple, plain wins",
        message(plain("D4\nciao"), apple, kind=ALTERNATIVE),
        told("D4", "ciao"),
    )
    yield "Apple, plain empty", message(plain(" \n"), apple, kind=ALTERNATIVE), told("D4", "ciao")
    yield (
        "plain in pieces",
        message(within("mixed", plain("D4"), PHOTO, plain("x")), html("z"), kind=ALTERNATIVE),
        told("D4", "x"),
    )
    yield (
        "mixed in mixed",
        message(plain("D4"), within("mixed", PHOTO, plain("oi"))),
        told("D4", "oi"),
    )
    yield "no picture left", message(plain("Hi Bob,"), plain("D4")), told("Hi Bob,", "D4")
    yield (
        "inline",
        message(plain("D4", "Content-Disposition: inline\n"), PHOTO, plain("ok")),
        told("D4", "ok"),
    )
    yield "plain, then HTML", message(plain("D4"), PHOTO, html("Gruß")), told("D4", "Gruß")
    yield (
        "base64",
        message(plain(letters("D4"), BASE64), PHOTO, plain(letters("då"), BASE64)),
        told("D4", "då"),
    )
    other = part("text/plain; charset=iso-2022-jp", "写真".encode("iso2022_jp"))
    yield "two charsets", message(plain("D4"), PHOTO, other), told("D4", "写真")
    footer = plain("_______________________________________________\nlist mailing list")
    yield "a list's footer", message(plain("D4"), PHOTO, plain("ok"), footer), told("D4", "ok")
    yield "a footer below a picture", message(plain("D4"), PHOTO, footer), told("D4")
    note = plain("This e-mail and its files are confidential and intended only for the addressee.")
    yield "a disclaimer", message(plain("D4"), note), told("D4")
    yield "a disclaimer below a picture", message(plain("D4"), PHOTO, note), told("D4")
    scanned = plain("Scanned by an antivirus gateway")
    yield "a scanner", message(html("D4"), scanned), told("D4")
    yield "a list", message(plain("D4"), plain("the park"), more="List-Id: <x.example>"), told("D4")
    empty = plain("\n\n")
    yield "empty texts", message(empty, PHOTO, plain("D4"), PHOTO, empty), told("D4")
    yield (
        "parallel",
        message(plain("D4"), PHOTO, plain("hei"), kind="multipart/parallel; boundary=x"),
        told("D4", "hei"),
    )
    flowed = part(f"{PLAIN}; format=flowed", "a long \nline")
    yield "flowed", message(plain("D4"), PHOTO, flowed), told("D4", "a long line")
    yield (
        "a list, a picture",
        message(plain("D4"), PHOTO, plain("hi"), more="List-Id: <x.example>"),
        told("D4", "hi"),
    )


# -- parts with names, types, charsets


def kinds() -> Iterator[Form]:
    told = ("D4", "", "see you")
    text = "D4\n\nsee you"
    for kind in (
        "plain/text", "text/markdown; charset=utf-8", "text/x-markdown", "text/x-plain", "text/unknown", "TEXT/FLOWED",
        "text/plaintext", "text/x-web-markdown; variant=GFM", "application/text", "text/csv", "text; charset=utf-8",
    ):  # fmt: skip
        yield kind, mail(text, kind=kind), told
    yield (
        "text/enriched",
        mail("<bold>D4</bold>\n\nsee\nyou", kind="text/enriched"),
        ("D4", "see you"),
    )
    yield (
        "text/richtext",
        mail("<bold>D4</bold><nl>see <lt> you", kind="text/richtext"),
        ("D4", "see < you"),
    )
    yield "html/text", mail("<p>D4<p>see you", kind="html/text"), ("D4", "see you")
    yield "XHTML", mail("<p>D4</p><p>see you</p>", kind="application/xhtml+xml"), ("D4", "see you")
    for name, head in {
        "a phone": "text/plain; charset=utf-8; name=text_0.txt", "inline": "text/plain; name=a.txt\nContent-Disposition: inline",
        "a file's name": "text/plain\nContent-Disposition: inline; filename=message.txt",
        "RFC 2231": "text/plain; name*=utf-8''m%C3%B6.txt", "in pieces": "text/plain; name*0=a; name*1=.txt",
    }.items():  # fmt: skip
        yield f"{name}, alone", mail(text, kind=head), told
        yield f"{name}, with a photo", mail(parts("x", PHOTO, part(head, text)), kind=MIXED), told
    mms = (
        part("application/smil; name=a.smil", "<smil/>"),
        part("text/plain; name=text_0.txt", text),
        PHOTO,
    )
    yield "MMS", mail(parts("x", *mms), kind="multipart/related; boundary=x"), told
    named = (
        part("text/plain; name=0.txt", "D4\n"),
        PHOTO,
        part("text/plain; name=1.txt", "see you"),
    )
    yield "all have names", mail(parts("x", *named), kind=MIXED), told
    file = part("text/plain; name=moves.txt", "A1")
    yield "a file too", mail(parts("x", part("text/plain", text), file), kind=MIXED), told
    for words, codec, charset in (
        ("שלום", "iso8859_8", "iso-8859-8-i"), ("שלום", "iso8859_8", "iso-8859-8-e"), ("お元気", "iso2022_jp", ""),
        ("schön", "utf-16", "unicode"), ("שלום", "cp1255", "x-cp1255"), ("مرحبا", "iso8859_6", "iso-8859-6-i"),
        ("мир", "utf-16-be", "unicode"), ("schön", "utf-16", "x-unknown"), ("schön", "utf-16-le", "iso-8859-1"),
        ("お元気", "iso2022_jp", "us-ascii"), ("お元気", "iso2022_jp", "utf-8"), ("안녕", "iso2022_kr", ""),
        ("囲碁", "utf-16-le", "ucs-2"), ("мир", "koi8_u", "koi8-ru"), ("囲碁", "cp932", "x-sjis-win"),
    ):  # fmt: skip
        raw = f"D4\n\n{words}".encode(codec)
        kind = f"text/plain; charset={charset}" if charset else "text/plain"
        yield f"{codec} as {charset}", mail(raw, kind=kind, cte="base64"), ("D4", "", words)
    for name, raw, charset, words in (
        ("NEC row 13", b"\x1b$B-!\x1b(B \x1b(I1\x1b(B", "iso-2022-jp", "① ｱ"),
        ("NEC row 13 in EUC", b"\xad\xa1 \xb0\xa1", "euc-jp", "① 亜"),
        ("a bad byte in UTF-8", "schön".encode() + b" gr\xfc\xdfe", "utf-8", "schön grüße"),
        ("a bad byte in cp1252", b"sch\xf6n \x93\x81", "iso-8859-1", "schön “"),
        ("half a character in GBK", "围棋围棋".encode("gbk") + b"\xff ok", "gb2312", "围棋围棋\ufffd ok"),
        ("half a character in Big5", "圍棋圍棋".encode("big5") + b"\xff ok", "big5", "圍棋圍棋\ufffd ok"),
        ("a bad byte in Shift-JIS", "囲碁囲碁".encode("cp932") + b"\x81 ok", "shift_jis", "囲碁囲碁\ufffd ok"),
    ):  # fmt: skip
        yield name, mail(b"D4\n\n" + raw, kind=f"text/plain; charset={charset}"), ("D4", "", words)
    meta = '<meta charset="windows-1251"><p>D4<p>мир'.encode("cp1251")
    yield "HTML tells its charset", mail(meta, kind="text/html"), ("D4", "мир")
    tab = quopri.encodestring(b"<p>D&#11;4<p>see you").decode()
    yield (
        "a vertical tab",
        mail(tab, kind="text/html", more="Content-Transfer-Encoding: quoted-printable"),
        ("D4", "see you"),
    )


@pytest.mark.parametrize("forms", [whole_base64, pictures, kinds])
def test_nothing_is_lost_or_read_wrong(forms) -> None:  # type: ignore[no-untyped-def]
    found = {name: (raw, told) for name, raw, told in forms()}
    for name, (raw, told) in found.items():
        mail = read_of(raw)
        said = tuple(filter(None, mail.lines)), mail.trouble, mail.cut_short
        assert said == (tuple(filter(None, told)), None, False), name


def test_what_ends_in_the_middle_says_nothing_at_its_end() -> None:
    for name, raw, told in cut_base64():
        mail = read_of(raw)
        assert mail.lines == told and mail.cut_short, name
        assert mail.trouble is (None if told else TROUBLE_CUT), name
