"""What is true of every letter, whatever it is about."""

from __future__ import annotations

import re

from harness.office import PASSWORD, SERVER, Got

RULE = "*" * 60
TITLE = r"(Star|\*Star|Star Y)"
SUBJECTS = re.compile(
    rf"(New |Nag: )?{TITLE} Board [0-9]+( [a-z][a-z0-9_-]{{1,15}})?( \*\*)?"
    rf"|({TITLE} Board [0-9]+|Star) Error"
    rf"|{TITLE} Board [0-9]+ Score"
    rf"|List of {TITLE} Games"
    r"|Star account [a-z][a-z0-9_-]{1,15}"
    rf"|Help: ([a-z]+|{TITLE})"
)
ONCE = (
    "Date",
    "From",
    "To",
    "Message-ID",
    "Subject",
    "Auto-Submitted",
    "X-Auto-Response-Suppress",
    "X-Pbmstar-Loop",
    "MIME-Version",
    "Content-Type",
)


def examine(letter: Got, owners: dict[str, str]) -> None:
    """Asserts what is true of every letter. ``owners``: the tokens seen so far, and whose they are."""
    mail = letter.mail
    for name in ONCE:
        assert len(mail.get_all(name, [])) == 1, name
    for name in ("Cc", "Bcc", "Sender", "Return-Receipt-To"):
        assert mail[name] is None
    assert mail["To"] == letter.to
    assert "," not in letter.to
    assert mail["From"] == f"Star game server <{SERVER}>"
    assert re.fullmatch(r"star\+[bs][a-z0-9_-]+@pbm\.example", letter.sender)
    assert re.fullmatch(r"<pbmstar\.[a-z0-9.]+@pbm\.example>", mail["Message-ID"])
    answered = mail["In-Reply-To"] or ""
    kind = "auto-replied" if "@mua.example" in answered else "auto-generated"
    assert mail["Auto-Submitted"] == kind
    assert mail["X-Pbmstar-Loop"] == "pbm.example"
    assert mail["X-Auto-Response-Suppress"] == "OOF, AutoReply, DR, RN, NRN"
    assert SUBJECTS.fullmatch(letter.subject), letter.subject
    assert all(len(line) <= 998 for line in letter.raw.split(b"\n"))
    assert max(letter.raw) < 128
    _examine_text(letter.text)
    _examine_secrets(letter, owners)


def _examine_text(text: str) -> None:
    said, _, comment = text.partition(RULE + "\n")
    assert said.isascii()
    for line in text.split("\n"):
        assert line == line.rstrip()
        assert len(line) <= (73 if "-size=14" in said else 72), line
        assert not line.startswith((">", "--", "From "))
    for line in said.split("\n"):
        assert all(" " <= c <= "~" for c in line)
    assert "\n\n\n\n" not in said
    assert not text.startswith("\n")
    assert text.endswith("\n")
    if comment:
        assert re.match(r"[a-z][a-z0-9_-]+ writes:\n\n\S", comment)


def _examine_secrets(letter: Got, owners: dict[str, str]) -> None:
    said = letter.raw.decode("ascii") + letter.text
    if not letter.subject.startswith("Help: "):
        for password in PASSWORD.values():
            assert password not in said
    for address in re.findall(r"[\w.-]+@[\w-]+\.example\b", said):
        assert address in (letter.to, SERVER) or address.endswith(("pbm.example", "@mua.example"))
    for detail in re.findall(r"\+([raun][a-z0-9_-]{20,})@", said):
        assert owners.setdefault(detail, letter.to) == letter.to
