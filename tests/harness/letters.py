"""A letter that came out, and what is true of every letter, whatever it is about."""

from __future__ import annotations

import binascii
import email
import re
import textwrap
from dataclasses import dataclass
from email.header import decode_header, make_header
from email.message import Message
from functools import cached_property
from typing import Any

from reference.meanings import TITLE, is_subject

from harness.common import sentence

SERVER = "star@pbm.example"
PASSWORD = {"alice": "s3cret", "bob": "hunter2", "carol": "tr1angle"}
RULE = "-" * 60  # what scripts read is below it
ALBUM, BIGGER = sentence("album"), f"{sentence('bigger board')}: https://"
FIRST_SCREEN = 24  # lines
MORE = "  ... more below\n"
WORDS = re.compile(
    r"(?m)^(?:\S+ writes(?: \(we can't be sure .*\))?|The rest of \S+'s message):\n((?:  .*\n|\n(?=\n*  \S))+)"
)
_TO_MOVE = re.compile(rf"(?:New |Reminder: )?{TITLE} Board [0-9]+ ([a-z][a-z0-9_-]{{1,15}})(?: |$)")
_ONCE = (
    *("date", "from", "to", "message-id", "subject", "auto-submitted", "mime-version"),
    *("x-auto-response-suppress", "x-pbmstar-loop", "content-type"),
)


_FIELD = re.compile(r"(?m)^([^\s:]+): ?(.*(?:\n[ \t].*)*)")
_TEXT = re.compile(
    rb"\nContent-Type: text/plain; charset=(.+)\nContent-Transfer-Encoding: (.+)\n\n"
)


class Fields(dict[str, Any]):
    """The headers of a letter; None stands for one that it lacks."""

    def __missing__(self, name: str) -> None:
        return None


@dataclass(frozen=True)
class Got:
    """A letter that came out. Of most letters only headers and text are looked at: only they are cut out."""

    to: str
    sender: str
    raw: bytes

    @cached_property
    def head(self) -> list[tuple[str, str]]:
        """The headers, in their order."""
        head = re.split(rb"\r?\n\r?\n", self.raw, maxsplit=1)[0].decode("ascii", "surrogateescape")
        return _FIELD.findall(head.replace("\r\n", "\n"))

    @cached_property
    def mail(self) -> Fields:
        """The headers by their names."""
        return Fields(self.head)

    @cached_property
    def parts(self) -> list[Message]:
        """The whole letter, and the parts in it, as a mail program cuts it."""
        return list(email.message_from_bytes(self.raw).walk())

    def part(self, kind: str) -> str:
        """The content of the first part of this type."""
        part = next(each for each in self.parts if each.get_content_type() == kind)
        content = part.get_payload(decode=True)
        assert isinstance(content, bytes)
        return content.decode(part.get_content_charset() or "ascii")

    @property
    def subject(self) -> str:
        return str(self.mail["Subject"])

    @cached_property
    def text(self) -> str:
        """The text/plain part."""
        found = _TEXT.search(self.raw)
        if found is None:  # it is a mail that is passed on
            return self.part("text/plain").replace("\r\n", "\n")
        content = self.raw[found.end() :]
        above = self.raw[: found.start()].rpartition(b"\n")[2]
        if above.startswith(b"--"):  # a boundary, and the next one ends the text
            content = content.partition(b"\n%s\n" % above)[0]
        if found[2] != b"7bit":
            content = binascii.a2b_qp(content)
        return content.decode(found[1].decode())

    @property
    def words(self) -> str:
        """The text on one line."""
        return " ".join(self.text.split())

    @property
    def html(self) -> str:
        """The text/html part."""
        return self.part("text/html")

    @property
    def comment(self) -> str:
        """What the other player wrote; empty if nothing."""
        return textwrap.dedent("".join(WORDS.findall(self.text)).replace(MORE, "")).strip("\n")

    @property
    def reply_to(self) -> str:
        return str(self.mail["Reply-To"])


_APART = re.compile(  # commands, the rest of the words in English, and moves
    r"(?m)^(?:.+:\n(?:  \S+ (?:move|undo|resign|decline|counter|show|help)\b.*\n)+|The rest of .*\n)(?:.+\n)*"
    r"|^(?:Moves|Züge|Coups|Jugadas) ?:.*\n(?:  .*\n)*"
)
_RESULTS = re.compile(
    r"\n(?:Sunday game|Sonntagspartie|Partie du dimanche|Partida del domingo)[^:\n]*[0-9] ?: "
)
_OTHERS = re.compile(
    r"@(?!(?:pbm|mua)\.example\b)[\w-]+\.example\b"
)  # not ours; what stands before is read then
_DETAIL = re.compile(r"\+([raundglp][a-z0-9_-]{20,})@")
_EMPTY = re.compile(rb'<p[^<>]*"></p>')  # and not the end of a picture
_UNUSUAL = re.compile(
    "[^ -~\n\u00a1-\u06ff\u0900-\u17d3\u1e00-\u1fff\u2010-\u2027\u2032-\u203a\u20ac\u3001-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9d]"
    "|[\u0300-\u036f\u061c\u115f\u1160\u180e\u3164]"
)


class Examiner:
    """Looks at all letters of one server, one by one, and remembers what has to stay the same."""

    def __init__(self) -> None:
        self._owners: dict[str, str] = {}  # token: whose it is
        self.roots: dict[tuple[str, str], str] = {}  # board and recipient: root of their thread
        self._ids: dict[str, int] = {}  # Message-ID: a hash of the bytes that it stands for

    def examine(self, letter: Got) -> None:
        """Assert what is true of every letter of ours."""
        mail = letter.mail
        names = [name.lower() for name, _ in letter.head]
        for name in _ONCE:
            assert names.count(name) == 1, name
        assert not {"cc", "bcc", "sender", "return-receipt-to"} & set(names)
        assert mail["To"] == letter.to
        assert "," not in letter.to
        name, _, address = mail["From"].partition(" <")
        assert re.fullmatch("Star game server|[a-z][a-z0-9_-]+ at Star", name)
        assert address == f"{SERVER}>"
        assert mail["Date"].endswith(" +0000")
        alert = letter.subject.startswith("Star server: ")  # no bounce of it may come back
        sender = "" if alert else r"star\+[bps][a-z0-9_-]+@pbm\.example"
        returned = letter.sender
        if detail := mail["X-Pbmstar-Bounce"]:  # a provider without plus addresses
            assert returned == SERVER
            returned = SERVER.replace("@", f"+{detail}@")
        assert re.fullmatch(sender, returned)
        assert re.fullmatch(r"<pbmstar\.[a-z0-9._-]+@pbm\.example>", mail["Message-ID"])
        detail = mail.get("Reply-To", "").partition("@")[0].partition("+")[2]
        assert mail["Message-ID"].endswith(f".{detail}@pbm.example>" if detail else ">")
        whole = hash(letter.raw)
        assert self._ids.setdefault(mail["Message-ID"], whole) == whole
        assert mail["X-Pbmstar-Loop"] == "pbm.example"
        assert mail["X-Auto-Response-Suppress"] == "OOF, AutoReply, DR, RN, NRN"
        assert len(mail.get("Reply-To", "").partition("@")[0]) <= 64
        subject = str(make_header(decode_header(letter.subject)))
        assert is_subject(subject), subject
        if f"\n{RULE}\n" in letter.text:
            _examine_lines(letter)
        if mail["X-Pbmstar-Move"]:
            named = _TO_MOVE.match(letter.subject)
            assert mail["X-Pbmstar-To-Move"] == (named and named[1]) or letter.subject.endswith(
                ("Error", "?")
            )
            past = "This is the board after move " in letter.text
            known = bool(mail["X-Pbmstar-Result"]) + bool(mail["X-Pbmstar-To-Move"])
            assert known == 1 or (past and not mail["X-Pbmstar-To-Move"])
        self._examine_thread(mail, letter.to)
        assert max(map(len, letter.raw.split(b"\n"))) <= 998
        assert letter.raw.isascii()
        assert len(letter.raw) < (400_000 if b"image/png" in letter.raw else 90_000)
        _examine_text(letter.text)
        assert not _EMPTY.search(letter.raw), "an empty paragraph"
        self._examine_secrets(letter)

    def _examine_thread(self, mail: Fields, to: str) -> None:
        """Only who wrote is answered; each board is one thread for each of its readers."""
        answered = mail["In-Reply-To"] or ""
        replied = [answered] if answered.endswith("@mua.example>") else []
        assert mail["Auto-Submitted"] == ("auto-replied" if replied else "auto-generated")
        references = (mail["References"] or "").split()
        if not mail["X-Pbmstar-Move"]:
            return
        root = references[0]
        assert root.startswith("<pbmstar.board")
        assert references == [root, *replied]
        assert answered in (root, *replied)
        assert self.roots.setdefault((mail["X-Pbmstar-Board"], to), root) == root

    def _examine_secrets(self, letter: Got) -> None:
        everything = letter.raw.decode("ascii")
        if letter.text not in everything:
            everything += letter.text
        # Help pages have examples with passwords.
        if not (
            letter.subject.startswith("Help: ") or "\nHere's the page you asked" in letter.text
        ):
            for password in PASSWORD.values():
                assert password not in everything
        person = _person(letter.to)
        for found in _OTHERS.finditer(everything):
            local = re.split(r"[^\w.-]", everything[max(0, found.start() - 70) : found.start()])[-1]
            assert local.lower() == person, local + found[0]
        for detail in _DETAIL.findall(everything):
            assert self._owners.setdefault(detail, person) == person


def _person(address: str) -> str:
    """Return who reads there: all addresses of a person begin alike."""
    return address.partition("@")[0].lower()


def _examine_lines(letter: Got) -> None:
    """Of a letter "your move" the whole board of 13 lines is in the first 24, and the letter has at most 40.

    The first letter of a game has at most 45. Not counted are the moves, which are as many as they are, the words,
    and the commands with a password.
    """
    asks = letter.mail["X-Pbmstar-To-Move"] == letter.to.partition("@")[0]
    if not asks or letter.subject.endswith(("Error", "?")):
        return
    text = _RESULTS.split(letter.text)[0]  # how all did is told below
    lines = text.split("\n")
    above = next((n for n, line in enumerate(lines) if re.match(" +1-  ", line)), None)
    if above is None:  # the board is not of Star, or not drawn
        return
    rest = _APART.sub("", text)
    rest = WORDS.sub("", rest)
    drawn = sum(bool(re.match(r" +[0-9]+-  | +[\\A-Z ]+$", line)) for line in lines)
    assert drawn > 13 or above <= FIRST_SCREEN - 13, letter.text
    most = 45 if letter.subject.startswith("New ") else 40
    assert len(rest.strip().split("\n")) - drawn + 13 <= most, letter.text


def _examine_text(text: str) -> None:
    head = text.partition(f"\n{ALBUM}\n")[0]  # it tells what was written, as it was written
    head = WORDS.sub("words\n", head)
    widest = 73 if "-size=14" in head else 72
    for line in text.split("\n"):
        assert line == line.rstrip()
        is_address = line.startswith(BIGGER)
        assert len(line) <= (990 if is_address else widest), line
        assert line == RULE or not line.startswith((">", "--", "From ")), line
    assert not _UNUSUAL.search(head)
    assert "\n\n\n" not in head
    assert not text.startswith("\n")
    assert text.endswith("\n")
