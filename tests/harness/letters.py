"""A letter that came out, and what is true of every letter, whatever it is about."""

from __future__ import annotations

import re
from dataclasses import dataclass
from email.message import Message
from functools import cached_property

from pbmstar.games import GAMES

SERVER = "star@pbm.example"
PASSWORD = {"alice": "s3cret", "bob": "hunter2", "carol": "tr1angle"}
RULE = "*" * 60
ALBUM = "The album of this game"
TITLE = f"(?:{'|'.join(re.escape(game.title) for game in GAMES)})"
_BOARD = rf"(?:New |Nag: )?{TITLE} Board [0-9]+(?: ([a-z][a-z0-9_-]{{1,15}}))?(?: \*\*)?(?: - (?:Your answer, [a-z][a-z0-9_-]+|[a-z][a-z0-9_-]+ is asked|(?:You (?:won|lost)|[a-z][a-z0-9_-]+ won)(?: by [0-9]+)?|Solved|The end|A draw|No result))?"
_REPORTS = "Score|Review|Notes|Record"
_SUBJECT = re.compile(
    rf"{_BOARD}|(?:{TITLE} Board [0-9]+|Star) Error|{TITLE} Board [0-9]+ (?:{_REPORTS})|{TITLE}(?: Board [0-9]+)? Preview|List of (?:{TITLE} )?Games|Star players"
    r"|Star: (?:news of your boards|1 board waits for you|[0-9]+ boards wait for you)(?: \*\*)?"
    rf"|Star: (?:[0-9]+ open offers?(?: of {TITLE})?|your offers?(?: [0-9]+(?: has ended)?)?)"
    r"|Star: [0-9]+ games? to take|Star: (?:you wait for an opponent|no opponent yet|[a-z][a-z0-9_-]{1,15} invites you to a game)"
    rf"|Star: {TITLE} (?:ladder|league(?: [0-9]+)?(?:, division [0-9]+)?(?: (?:begins|ends|is over|crosstable))?)|Star: leagues"
    rf"|Star ratings|Star: [a-z][a-z0-9_-]{{1,15}}|{TITLE} history of [a-z][a-z0-9_-]{{1,15}}"
    rf"|Best of {TITLE}|Star: [a-z][a-z0-9_-]+ against [a-z][a-z0-9_-]+"
    rf"|Star: (?:welcome|probe|your first move)|Star Course(?: [1-5])?|Star Problem [0-9]+|Star: solvers of 20[0-9]{{2}}|Star: [a-z][a-z0-9_-]{{1,15}} is away|Star account [a-z][a-z0-9_-]{{1,15}}|Help: (?:[a-z]+|{TITLE})|Star (?:server: [a-z ]+|news: .*)"
)
_ONCE = (
    *("Date", "From", "To", "Message-ID", "Subject", "Auto-Submitted", "MIME-Version"),
    *("X-Auto-Response-Suppress", "X-Pbmstar-Loop", "Content-Type"),
)


@dataclass(frozen=True)
class Got:
    """A letter that came out."""

    to: str
    sender: str
    mail: Message
    raw: bytes

    @property
    def subject(self) -> str:
        return str(self.mail["Subject"])

    @cached_property
    def text(self) -> str:
        """The text/plain part."""
        for part in self.mail.walk():
            if part.get_content_type() == "text/plain":
                content = part.get_payload(decode=True)
                assert isinstance(content, bytes)
                return content.decode(part.get_content_charset() or "ascii").replace("\r\n", "\n")
        raise AssertionError("no text part")

    @property
    def words(self) -> str:
        """The text on one line."""
        return " ".join(self.text.split())

    @property
    def html(self) -> str:
        """The text/html part."""
        part = next(each for each in self.mail.walk() if each.get_content_type() == "text/html")
        content = part.get_payload(decode=True)
        assert isinstance(content, bytes)
        return content.decode()

    @property
    def comment(self) -> str:
        """What the other player wrote; empty if nothing."""
        return self.text.partition(" writes:\n\n")[2].rstrip("\n")

    @property
    def reply_to(self) -> str:
        return str(self.mail["Reply-To"])


_DOMAIN = re.compile(r"@[\w-]+\.example\b")  # what stands before it is read where one is found
_DETAIL = re.compile(r"\+([raundglp][a-z0-9_-]{20,})@")


class Examiner:
    """Looks at all letters of one server, one by one, and remembers what has to stay the same."""

    def __init__(self) -> None:
        self._owners: dict[str, str] = {}  # token: whose it is
        self._roots: dict[tuple[str, str], str] = {}  # board and recipient: root of their thread
        self._ids: dict[str, int] = {}  # Message-ID: a hash of the bytes that it stands for

    def examine(self, letter: Got) -> None:
        """Assert what is true of every letter of ours."""
        mail = letter.mail
        for name in _ONCE:
            assert len(mail.get_all(name, [])) == 1, name
        for name in ("Cc", "Bcc", "Sender", "Return-Receipt-To"):
            assert mail[name] is None
        assert mail["To"] == letter.to
        assert "," not in letter.to
        name, _, address = mail["From"].partition(" <")
        assert re.fullmatch("Star game server|[a-z][a-z0-9_-]+ at Star", name)
        assert address == f"{SERVER}>"
        assert mail["Date"].endswith(" +0000")
        alert = letter.subject.startswith("Star server: ")  # no bounce of it may come back
        sender = "" if alert else r"star\+[bps][a-z0-9_-]+@pbm\.example"
        assert re.fullmatch(sender, letter.sender)
        assert re.fullmatch(r"<pbmstar\.[a-z0-9.]+@pbm\.example>", mail["Message-ID"])
        whole = hash(letter.raw)
        assert self._ids.setdefault(mail["Message-ID"], whole) == whole
        assert mail["X-Pbmstar-Loop"] == "pbm.example"
        assert mail["X-Auto-Response-Suppress"] == "OOF, AutoReply, DR, RN, NRN"
        assert len(mail.get("Reply-To", "").partition("@")[0]) <= 64
        subject = _SUBJECT.fullmatch(letter.subject)
        assert subject, letter.subject
        if mail["X-Pbmstar-Move"]:
            assert mail["X-Pbmstar-To-Move"] == subject[1] or letter.subject.endswith("Error")
            past = "\nThe board as it was after move " in letter.text
            known = bool(mail["X-Pbmstar-Result"]) + bool(mail["X-Pbmstar-To-Move"])
            assert known == 1 or (past and not mail["X-Pbmstar-To-Move"])
        self._examine_thread(mail, letter.to)
        assert all(len(line) <= 998 for line in letter.raw.split(b"\n"))
        assert max(letter.raw) < 128
        assert len(letter.raw) < (400_000 if b"image/png" in letter.raw else 90_000)
        _examine_text(letter.text)
        self._examine_secrets(letter)

    def _examine_thread(self, mail: Message, to: str) -> None:
        """Only who wrote is answered; each board is one thread for each of its readers."""
        answered = mail["In-Reply-To"] or ""
        replied = [answered] if answered.endswith("@mua.example>") else []
        assert mail["Auto-Submitted"] == ("auto-replied" if replied else "auto-generated")
        references = (mail["References"] or "").split()
        if not mail["X-Pbmstar-Move"]:
            return
        if mail["Message-ID"].startswith("<pbmstar.board"):
            assert references == replied
            root = mail["Message-ID"]
        else:
            root = references[0]
            assert references == [root, *replied]
            assert answered in (root, *replied)
        assert self._roots.setdefault((mail["X-Pbmstar-Board"], to), root) == root

    def _examine_secrets(self, letter: Got) -> None:
        everything = letter.raw.decode("ascii") + letter.text
        # Help pages have examples with passwords.
        if not (letter.subject.startswith("Help: ") or "\nThe page that you asked" in letter.text):
            for password in PASSWORD.values():
                assert password not in everything
        for found in _DOMAIN.finditer(everything):
            local = re.split(r"[^\w.-]", everything[max(0, found.start() - 70) : found.start()])[-1]
            ours = found[0].endswith(("pbm.example", "@mua.example"))
            assert ours or local.lower() == _person(letter.to), local + found[0]
        for detail in _DETAIL.findall(everything):
            assert self._owners.setdefault(detail, _person(letter.to)) == _person(letter.to)


def _person(address: str) -> str:
    """Return who reads there: all addresses of a person begin alike."""
    return address.partition("@")[0].lower()


def _examine_text(text: str) -> None:
    head, _, comment = text.partition(RULE + "\n")
    head = head.partition(f"\n{ALBUM}\n")[0]  # it tells what was written, as it was written
    for line in text.split("\n"):
        assert line == line.rstrip()
        is_address = line.startswith("Choose on a big board: https://")
        assert len(line) <= (990 if is_address else 73 if "-size=14" in head else 72), line
        assert not line.startswith((">", "--", "From ")), line
    assert all(" " <= character <= "~" for character in head.replace("\n", ""))
    assert "\n\n\n\n" not in head
    assert not text.startswith("\n")
    assert text.endswith("\n")
    if comment:
        assert re.match(r"[a-z][a-z0-9_-]+ writes:\n\n\S", comment)
