"""Read bounces in a process of their own, because the library for that has quadratic expressions.

``python -m pbmstar.inbound.returned`` is that process: a JSON line goes in and a JSON line comes back. It
ends when its standard input does, when nothing comes for a minute, or when one bounce takes it too long.
"""

from __future__ import annotations

import atexit
import email
import json
import logging
import quopri
import re
import select
import sys
import threading
import time
from base64 import b64decode
from collections.abc import Iterator
from contextlib import suppress
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message
from email.policy import compat32
from email.utils import parseaddr

from ..machine.child import Child, ChildDown
from . import nature, phrases
from .gate import admit

# Bytes, lines, and bytes of a line that are read. A bounce has short lines.
SIZE, LINES, WIDTH = 65_536, 2_000, 1_000
PATIENCE = 10.0  # seconds; the worst known bounce takes a tenth of one
COMPLAINT, PERMANENT, PASSING, REPORT = "complaint", "permanent", "passing", "report "
_IDLE = 60.0  # seconds

# Feedback-Type of what a reader has done (RFC 5965). The others, such as not-spam and auth-failure, are no
# complaint: they tell the operator something.
_COMPLAINTS = frozenset(("abuse", "fraud", "opt-out", "opt-out-list"))
_OTHER_REPORTS = frozenset(("auth-failure", "not-spam", "virus"))
_STATUS_PARTS = frozenset(("message/delivery-status", "message/global-delivery-status"))
_AWAY = re.compile("|".join(phrases.OUT_OF_OFFICE))
# The header of our own letter, which programs put below their words: numbers in it mean nothing.
_OLD_LETTER = re.compile(
    r"^[ \t>|]*(?:[a-z][a-z0-9-]*: .*\n(?:[ \t]+.*\n)*){0,40}?[ \t>|]*message-id: <pbmstar\."
    r"|^-{2,}[^\n]*(?:original|header|copy of|returned)[^\n]*\n",
    re.M,
)
_FIVE = r"(?<![\w.:/-])5(?:[0-5][0-9](?=[\s,;:.)\]-]|$)|\.[0-9]\.[0-9]{1,3}(?![\w.]))"
_FOUR = r"(?<![\w.:/-])4(?:[2-5][0-9](?=[ -][^\W\d]|[ -]4\.)|\.[0-9]\.[0-9]{1,3}(?![\w.]))"
_FAILS = re.compile(_FIVE)
_GONE = re.compile(
    r"(?<![\w.:/-])5(?:50(?=[\s,;:.)\]-]|$)|\.1\.[0-9]{1,3}(?![\w.]))|\bunknown\b|\bpermanent(?:ly)?\b"
)
_WAITS = re.compile(
    rf"{_FOUR}|\bdelay|\bwarning\b|\bwill (?:be retried|retry|keep trying|continue (?:to try|trying))"
    r"|verzögert|verzögerung|retardé|retard de|retras|ritard|vertraagd|vertraging|atrasad|atraso|opóźni"
    r"|задерж|försenad|forsink|viivästy|延迟|延遲|遅延|遅れ|지연"
)

_CHILD, _ONE = Child([sys.executable, "-m", __name__], {}), threading.Lock()
atexit.register(_CHILD.close)
log = logging.getLogger("pbmstar")


def read(raw: bytes, to: str = "", *, null: bool = False) -> str:
    """Return COMPLAINT, PERMANENT or PASSING; "report TYPE" of another feedback report, which is for the
    operator; empty if it is none of these or cannot be read in time.

    ``to``: the address to which our letter went, if it is known; ``null``: the mail has the null sender.
    Only its beginning is read, one bounce at a time. Any thread may call this.
    """
    request = {"text": beginning(raw), "to": to, "null": null}
    until, trouble = time.monotonic() + PATIENCE, ""
    with _ONE:
        for _ in range(2):  # the process may just have ended, since nothing came
            try:
                return str(_CHILD.ask(request, PATIENCE)["kind"])
            except ChildDown as error:
                trouble = str(error)
                if time.monotonic() >= until:
                    break
    log.warning("bounce", extra={"facts": {"trouble": trouble}})
    return ""


def beginning(raw: bytes) -> str:
    """Return the beginning of a bounce, the part that is read, a letter for each byte. Raises Unreadable."""
    lines = admit(raw)[:SIZE].split(b"\n", LINES)[:LINES]
    return b"\n".join(line[:WIDTH] for line in lines).decode("latin-1")


def kind_of(text: str, to: str = "", *, null: bool = False) -> str:
    """Return the result of ``read``, computed in this process.

    The parts for machines come first (RFC 3464, RFC 5965, RFC 6533). Without them the library that knows the
    words of many programs is asked, and then the words that all of them have in common.
    """
    mail = email.message_from_bytes(text.encode("latin-1"), policy=compat32)
    for part in mail.walk():
        kind = part.get_content_type()
        if kind == "message/feedback-report" or _report_type(part) == "feedback-report":
            return _of_feedback(part)
        if kind == "message/disposition-notification":
            return ""
    if stated := [each for part in mail.walk() for each in _stated(part)]:
        return next((kind for kind in (PERMANENT, PASSING) if kind in stated), "")
    said = _said(mail)
    if null and _is_answer(mail, to, said):
        return ""
    return _in_words(text, mail, said, to, null=null)


def _report_type(part: Message) -> str:
    kind = str(part.get_param("report-type", "")).lower()
    return kind if part.get_content_type() == "multipart/report" else ""


def _of_feedback(report: Message) -> str:
    """Return COMPLAINT for a reader's complaint, otherwise "report TYPE"."""
    fields = "".join(
        _text(part)
        for part in report.walk()
        if part.get_content_type().startswith("message/feedback")
    )
    found = re.search(r"^Feedback-Type:[ \t]*([\w-]{1,20})", fields, re.I | re.M)
    kind = found[1].lower() if found else ""
    if kind in _COMPLAINTS:
        return COMPLAINT
    return REPORT + (kind if kind in _OTHER_REPORTS else "other")


def _stated(part: Message) -> Iterator[str]:
    """Yield the verdict on each recipient in a part for machines; empty for one that was reached."""
    if part.get_content_type() not in _STATUS_PARTS:
        return
    for block in re.split(r"\n[ \t]*\n", _text(part)):
        fields = dict(re.findall(r"^([\w-]+):[ \t]*(.*)$", block.lower(), re.M))
        action, status = fields.get("action", ""), fields.get("status", "")
        if action.startswith(("fail", "error")):
            yield PASSING if status.startswith("4") else PERMANENT
        elif action:
            yield PASSING if action.startswith("delayed") else ""


def _text(part: Message) -> str:
    """Return the text of a part, decoded; of one that contains messages or blocks of fields, as it stands.

    The library does not decode the kind message: its first payload is then the encoded text.
    """
    payload = part.get_payload()
    if isinstance(payload, str):
        raw = part.get_payload(decode=True)
        assert isinstance(raw, bytes)
        return _decoded(raw, part.get_content_charset() or "utf-8")
    text = "\n\n".join(map(str, payload))
    encoding = str(part.get("content-transfer-encoding", "")).strip().lower()
    with suppress(ValueError):
        if encoding == "base64":
            return _decoded(b64decode("".join(text.split())), "utf-8")
        if encoding == "quoted-printable":
            return _decoded(quopri.decodestring(text.encode("ascii", "replace")), "utf-8")
    return text


def _decoded(raw: bytes, charset: str) -> str:
    with suppress(LookupError, UnicodeError):
        return raw.decode(charset)
    return raw.decode("utf-8", "replace")


def _said(mail: Message) -> str:
    """Return the Subject and the words to people, in small letters, without the letter that is returned."""
    texts = [_subject(mail)]
    texts += [_text(part) for part in _own_parts(mail) if part.get_content_maintype() == "text"]
    text = re.sub(r"<(style|script)\b.*?</\1>|<[^<>@]*>", " ", "\n".join(texts).lower(), flags=re.S)
    return _OLD_LETTER.split(text, maxsplit=1)[0]


def _subject(mail: Message) -> str:
    subject = str(mail.get("subject", ""))
    with suppress(LookupError, ValueError, MessageError):
        return " ".join(str(make_header(decode_header(subject))).split())
    return subject


def _own_parts(mail: Message) -> Iterator[Message]:
    """Yield the parts of a message, but no parts of a message in it."""
    payload = mail.get_payload()
    if mail.get_content_maintype() == "multipart" and isinstance(payload, list):
        for part in payload:
            if isinstance(part, email.message.Message):
                yield from _own_parts(part)
    elif mail.get_content_type() not in ("message/rfc822", "message/global", "text/rfc822-headers"):
        yield mail


def _is_answer(mail: Message, to: str, said: str) -> bool:
    """Return True if a message with the null sender is the answer of the reader's program, not a mailer's."""
    author = parseaddr(str(mail.get("from", "")))[1].lower()
    answers = any(name.lower() in nature.RESPONDER_FIELDS for name in mail)
    return author == to != "" or answers or bool(_AWAY.match(said))


def _in_words(text: str, mail: Message, said: str, to: str, *, null: bool) -> str:
    """Return the verdict of the words of a message."""
    from flufl.bounce import all_failures  # noqa: PLC0415 - most messages are no bounces

    # It logs each bounce that it stumbles over, with a trace.
    logging.getLogger("flufl.bounce").setLevel(logging.CRITICAL)
    passing = permanent = frozenset[bytes]()
    with suppress(Exception):  # it raises errors of any kind on texts of no mailer
        # As ASCII: a field of other bytes would be no text to it.
        plain = text.encode("latin-1").decode("ascii", "replace")
        passing, permanent = all_failures(email.message_from_string(plain, policy=compat32))
    is_named = null and bool(to) and to in _whole(mail)
    fails = null and bool(_FAILS.search(said))
    if not (passing or permanent or is_named or fails):
        return ""
    if _WAITS.search(said):
        return PASSING
    is_gone = null and bool(_GONE.search(said))
    return PERMANENT if permanent or is_gone else PASSING


def _whole(mail: Message) -> str:
    texts = (_text(part) for part in mail.walk() if not part.is_multipart())
    return "\n".join(texts).lower()


def main() -> None:
    """Answer one line after the other."""
    while select.select([sys.stdin], [], [], _IDLE)[0] and (line := sys.stdin.buffer.readline()):
        try:
            asked = json.loads(line)
            kind = kind_of(asked["text"], asked["to"], null=asked["null"])
        except Exception:  # the libraries raise errors of any kind on texts of no mailer
            kind = ""
        print(json.dumps({"kind": kind}), flush=True)


if __name__ == "__main__":
    main()
