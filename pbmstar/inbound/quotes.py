"""The place where a text quotes a message: found by what is quoted, not by the words around it.

We know our letters in each language: their titles and first lines, our addresses, and the Subject that a
reply repeats. What stands above one of them, with an address or with a date and a time, is the header or the
attribution of its quotation, in whatever language and form. What looks like an attribution but quotes nothing
is a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from . import phrases

QUOTED = re.compile(r" *[^\W\d]{0,3}[>|＞│┃¦]")
RULE = re.compile(r"_{5,}")
DASHED = re.compile(r"---.*[^- ].*---")  # ----- Original message -----, in any language

_TITLES = "|".join(phrases.TITLES)
_TITLE = re.compile(rf"\W*(?:{_TITLES})", re.I)
_ENDS = "|".join(phrases.OPENINGS).replace("NAME", "[a-z][a-z0-9_-]{1,15}")
_OPENING = re.compile(rf"\W{{0,3}}(?:\S.{{0,300}}[.:] )?(?:{_ENDS})\.\Z", re.I)
_BELOW = 80  # lines of a letter, at most, between its first line and its title
_AFTER_COLON = re.compile(rf"[:\uff1a]\s{{0,9}}(?:{_TITLES})\Z", re.I)
_OPENING_AFTER_COLON = re.compile(rf"[:\uff1a]\s{{2,9}}(?:\S.{{0,300}}\. )?(?:{_ENDS})\.\Z", re.I)
_ABOUT = re.compile(rf"\u00b7 (?:{phrases.BOARD}) [0-9]+", re.I)  # below the heading of our HTML
ADDRESS = re.compile(r"[^\s<>()\[\]:;,\"@]{1,64}(?:@|%40)[^\s<>()\[\]:;,\"@]+")
_FIELD = re.compile(r"[*_ ]*[^\W\d_][^:\uff1a\d@<>]{0,29}[:\uff1a](?!//)")
_NAME = re.compile(rf"[*_ ]*(?:{'|'.join(phrases.HEADER_NAMES)})[*_]* ?[:\uff1a]")
_SIGNS = (*">|\uff1e\u2502\u2503\xa6@", "%40", *(f"{word} " for word in phrases.BOARD.split("|")))
_FRAGMENT = re.compile(r"[<>()\[\]\"':]{1,3}")
_DAY = re.compile(r"(?<!\d)(?:\d{4}(?!\d)|\d{1,2}[./-] ?\d{1,2}[./-] ?\d{2})")
_TIME = re.compile(r"(?<!\d)\d{1,2}[:h]\d{2}(?!\d)|(?<![\d.])\d{1,2}\.\d{2}(?![\d.])")
_FIELDS, _ATTRIBUTION = 6, 4  # lines above a quotation that may belong to it
_BLANKS = 3
_LONGEST = 2_000  # characters of a line that are looked at
_PREFIXES = re.compile(
    r"(?:[^\s:\uff1a]{1,12} ?[:\uff1a] *)+"
)  # Re: and its like in other languages
_LEAST = 8  # characters of a Subject that no other line has by chance


class Found(NamedTuple):
    """The quotations of a text.

    end        the first line of one without marks, which has no end; the number of lines if there is none
    around     the lines that a program has put around one with marks
    last       the last line that is ours, -1 if there is none
    has_marks  False if no line can have the mark of a quotation
    """

    end: int
    around: frozenset[int] = frozenset()
    last: int = -1
    has_marks: bool = True


def find(body: Sequence[str], domain: str, author: str = "", subject: str = "") -> Found:
    """Return the quotations in cleaned lines. Words around them may be the writer's.

    ``domain`` is the domain of our addresses, ``author`` the writer's own address. ``subject`` is the Subject
    of a reply, and empty for other mails.
    """
    cut = [line[:_LONGEST] for line in body]
    if not _may_quote(cut):
        return Found(len(cut), has_marks=cut != list(body))
    return _Search(cut, domain, author, subject).found()


def is_title(line: str) -> bool:
    """Return True if a line is the title of a letter of ours, or ends as its first line, in any language."""
    return bool(_TITLE.match(line) or _OPENING.match(line))


def _may_quote(body: Sequence[str]) -> bool:
    """Return False if lines have no mark, address, title of ours and header, as most messages have none."""
    text = "\n".join(body).lower()
    if any(map(text.__contains__, _SIGNS)):
        return True
    fields = [line for line in body if (":" in line or "\uff1a" in line) and _FIELD.match(line)]
    return len(fields) > 1


class _Search:
    def __init__(self, body: Sequence[str], domain: str, author: str, subject: str) -> None:
        self.body = body
        self.author = author.lower()
        self.ours = re.compile(rf"(?:@|%40){re.escape(domain)}(?![\w-]|\.\w)", re.I)
        self.detailed = re.compile(
            rf"(?:\+|%2b)[a-z0-9_-]{{12,}}(?:@|%40){re.escape(domain)}", re.I
        )
        answered = _PREFIXES.sub("", subject.strip(), 1)
        self.subject = answered if len(answered) >= _LEAST else ""
        self.title = next((at for at, line in enumerate(body) if _TITLE.match(line)), -1)

    def found(self) -> Found:
        body, around = self.body, set[int]()
        last = next((at for at in reversed(range(len(body))) if self._is_ours(body[at])), -1)
        for at, line in enumerate(body):
            if not line:
                continue
            if QUOTED.match(line):
                if not at or not QUOTED.match(body[at - 1]):
                    around.update(range(self._attribution(at), at))
                continue
            if (top := self._begins(at, last)) is not None:
                return Found(top, frozenset(around), last)
        return Found(len(body), frozenset(around), last)

    def _is_ours(self, line: str) -> bool:
        """Return True if a line without a mark before it is of a letter of ours, or names our address."""
        if not line or QUOTED.match(line):
            return False
        if _TITLE.match(line) or _ABOUT.search(line):
            return True
        return bool(self.ours.search(line)) and any(
            self.ours.search(found[0]) and found[0].lower() != self.author
            for found in ADDRESS.finditer(line)
        )

    def _begins(self, at: int, last: int) -> int | None:
        """Return the first line of the quotation that a line proves, with what stands above it; or None."""
        line = self.body[at]
        if _TITLE.match(line) or (at < self.title <= at + _BELOW and _OPENING.match(line)):
            return self._above(at)
        if _AFTER_COLON.search(line) or (at < self.title and _OPENING_AFTER_COLON.search(line)):
            return at
        is_token = self.detailed.search(line)
        if not (is_token or self._is_header(at, last)) or self._marks_follow(at):
            return None
        while at and self._belongs(at - 1):
            at -= 1
        return self._above(at)

    def _is_header(self, at: int, last: int) -> bool:
        """Return True if a line is the first of the header lines of a message, one of which proves it."""
        if not _FIELD.match(self.body[at]):
            return False
        lines = [line for line in self.body[at : at + 2 * _FIELDS] if line][:_FIELDS]
        fields = list(_leading(lines))
        if len(fields) < 2:
            return False
        known = sum(bool(_NAME.match(line.lower())) for line in fields)
        is_ruled = at > 0 and _is_rule(self.body[at - 1])
        if known > 2 or (known > 1 and (is_ruled or last > at or any(map(self._has_mark, fields)))):
            return True
        if any(self._is_ours(line) or (self.subject and self.subject in line) for line in fields):
            return True
        return (len(fields) > 2 or last > at) and any(self._is_own(line) for line in fields)

    def _is_own(self, line: str) -> bool:
        return bool(self.author) and self.author in line.lower()

    def _has_mark(self, line: str) -> bool:
        """Return True if a line has an address, a date with a time, or the Subject of the letter."""
        return bool(
            _is_dated(line) or ADDRESS.search(line) or (self.subject and self.subject in line)
        )

    def _belongs(self, at: int) -> bool:
        """Return True if a line above a quotation has the form of a part of its header."""
        line = self.body[at]
        return bool(line) and bool(
            self._has_mark(line) or _FIELD.match(line) or _FRAGMENT.fullmatch(line)
        )

    def _paragraph(self, at: int, most: int) -> range:
        """Return the lines without a blank one between that stand above a line, at most so many."""
        bottom = at
        while bottom and not self.body[bottom - 1] and at - bottom < _BLANKS:
            bottom -= 1
        top = bottom
        while (
            top
            and bottom - top < most
            and self.body[top - 1]
            and not QUOTED.match(self.body[top - 1])
        ):
            top -= 1
        return range(top, bottom)

    def _above(self, at: int) -> int:
        """Return the first line of what stands above a quotation and belongs to it; its own place if none."""
        for _ in range(3):  # a header, what stands alone above it, and a rule
            place = self._paragraph(at, _FIELDS)
            lines = [self.body[each] for each in place]
            is_ruled = bool(place) and place[0] > 0 and _is_rule(self.body[place[0] - 1])
            is_known = sum(bool(_NAME.match(line.lower())) for line in lines) > 1
            if not (
                is_ruled or is_known or any(map(self._has_mark, lines)) or any(map(_is_rule, lines))
            ):
                break
            at = next(
                (each for each in place if self._belongs(each) or _is_rule(self.body[each])), at
            )
        return at

    def _attribution(self, at: int) -> int:
        """Return the first line of the attribution above a quotation with marks; its own place if none."""
        place = self._paragraph(at, _ATTRIBUTION)
        lines = [self.body[each] for each in place]
        text = " ".join(lines)
        is_dated = _is_dated(text)
        ends = text.endswith((":", "\uff1a"))
        quotes_us = is_title(self.body[at].lstrip(" >|"))
        if not (
            ADDRESS.search(text)
            or (is_dated and (ends or quotes_us))
            or (ends and _DAY.search(text))
        ):
            return at
        top = next(each for each in place if self._belongs(each) or _DAY.search(self.body[each]))
        apart = () if is_dated else self._paragraph(top, 1)
        return next((each for each in apart if _is_dated(self.body[each])), top)

    def _marks_follow(self, at: int) -> bool:
        """Return True if a quotation with marks follows the paragraph of a line."""
        body = self.body
        while at < len(body) and body[at] and not QUOTED.match(body[at]):
            at += 1
        following = next(filter(None, body[at:]), "")
        return bool(QUOTED.match(following))


def _leading(lines: Sequence[str]) -> Sequence[str]:
    """Return the first lines that have the form of a field."""
    count = next((n for n, line in enumerate(lines) if not _FIELD.match(line)), len(lines))
    return lines[:count]


def _is_dated(text: str) -> bool:
    """Return True if a text has a date and a time."""
    return bool(_DAY.search(text) and _TIME.search(text))


def _is_rule(line: str) -> bool:
    stripped = line.strip(" ")
    return bool(RULE.fullmatch(stripped) or DASHED.fullmatch(stripped))
