"""What a hostile mail meets before anything is carried out: all that reads a stranger's bytes."""

from __future__ import annotations

import time
from contextlib import suppress
from unicodedata import category

from pbmstar import identity, inbound
from pbmstar.command import Command, parse, read_reply, split
from pbmstar.errors import Unreadable, UsageError
from pbmstar.games import GAMES
from pbmstar.inbound import returned

DOMAIN = "star.example"
# Seconds of the processor for a mail: what a slow machine needs tenfold, and nothing grows faster
# than the mail does.
FLOOR, EACH_MEBIBYTE = 1.0, 5.0
_CONTROLS = ("Cc", "Cs", "Zl", "Zp")  # of Unicode: controls, halves of pairs, line ends
_BOUNCES = 32  # of 256 other mails are read as bounces: that takes far longer than all the rest
_LINES = 50  # of a mail that are read as commands one by one


class TooSlow(Exception):
    """A mail has taken longer than its bound."""


def bound(raw: bytes) -> float:
    """How long all of this may take for a mail, in seconds of the processor."""
    return FLOOR + EACH_MEBIBYTE * len(raw) / (1 << 20)


def meet(raw: bytes) -> None:
    """Read a mail in every way. Raises what no reader has declared, TooSlow, AssertionError."""
    begun = time.thread_time()
    with suppress(Unreadable):
        mail = inbound.read(raw, DOMAIN, "mx.example")
        _speak(mail)
        if b"multipart/report" in raw or mail.digest[1] < _BOUNCES:
            with suppress(Exception):  # as in the process that does this
                returned.kind_of(returned.beginning(raw))
    for word in raw[:2000].decode("utf-8", "replace").split():
        identity.read(word)
    took = time.thread_time() - begun
    if took > bound(raw):
        raise TooSlow(f"{took:.2f} s for {len(raw)} bytes, {bound(raw):.2f} s are allowed")


def _speak(mail: inbound.Inbound) -> None:
    """Read the commands. No line has a control character in it."""
    texts = (mail.subject, *mail.lines)
    controls = {each for text in texts for each in text if category(each) in _CONTROLS}
    assert not controls, f"control characters got through: {controls!a}"
    assert not any(set(text) & set("\u200b\ufeff\u202e\xa0") for text in texts)
    assert all(len(text.encode()) <= 8_000 for text in texts)
    assert len(mail.digest) == 32 and len(mail.lines) <= 1_000
    assert not mail.lines or (mail.lines[0] and mail.lines[-1])
    found = [*split(mail.subject, mail.is_reply, mail.lines).commands]
    game = GAMES[mail.digest[0] % len(GAMES)]  # a mail is a reply about one board
    found += read_reply(mail.subject, mail.is_reply, mail.lines, game).commands
    for each in found:
        assert isinstance(each, Command | UsageError)
        assert isinstance(each, Command) or str(each)
    for line in mail.lines[:_LINES]:  # a line that is none of the commands may say anything
        with suppress(UsageError):
            parse(line)
