"""The writer's own lines of a text: cleaned, without quotes, signatures and attributions.

``quotes`` finds what programs write around quotes; other additions are recognised by form, with the tables of
words in ``phrases``. A quote with prefixes is left out and reading goes on below it; a quote without
prefixes has no visible end, so it ends the mail.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from .. import games
from . import phrases, quotes
from .quotes import DASHED, QUOTED, RULE

LINES = 1_000  # own lines kept
LENGTH = 2_000  # characters of each
_CUT = " (cut)"  # at the end of a line that was longer

# -- cleaning

# Control and format characters, zero-width ones, bidi marks, byte order marks, lone surrogates.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
# Blanks of all kinds. Separators of lines and paragraphs too: part of a line never becomes a line.
_BLANK = re.compile(
    "[\t\x0b\x0c\r\x1c-\x1f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]"
)


_PROGRAMS_MARK = "-- "  # above a signature, as mail programs set it


def clean(text: str) -> list[str]:
    """Return the lines of a text without invisible characters and trailing blanks, all blanks plain.

    Nothing else is changed: the command parser handles asterisks, dashes and digits of other forms.
    The blank of a signature mark "-- " stays: a player who types dashes puts none after them.
    """
    if not text.replace("\n", "").isprintable():
        text = _BLANK.sub(" ", _INVISIBLE.sub("", text))
    return [
        line.rstrip(" ") if line[-1:] == " " and line != _PROGRAMS_MARK else line
        for line in text.split("\n")
    ]


def clean_line(text: str) -> str:
    """Return a text in one line, cleaned in the same way, without blanks at either end."""
    return " ".join(clean(text)).strip(" ")


# -- own lines

_DASHES = "-_\u2013\u2014\u2015"
_TYPED_MARK = "--"  # above a signature, as people type it, and as mail programs leave it of theirs
_SIGNATURES = frozenset((_TYPED_MARK, "---", "\u2013", "\u2014", "\u2015"))
_PASSES = _SIGNATURES - {"---"}
_SHOWN = 40  # characters of a line that its writer is shown
_SIGNED = 12  # lines at most below thanks, that are not read as words
_FENCED = 10  # lines within which a rule above a banner has its pair
_BANNER_LENGTH = 400  # characters

# All of these are matched against lines in lower case.
_ENDS = re.compile(
    rf"(?P<word>{'|'.join(sorted(phrases.END))})[.,!;]{{0,17}}\Z|{'|'.join(phrases.FORWARDED)}"
)
_CLOSING = re.compile(
    rf"(?:{'|'.join((*sorted(phrases.THANKS), *phrases.CLOSINGS))})(?:[.,!;]* *\Z|, *(?P<name>[^,]+)\Z)"
)
_LONGEST_CLOSING = 80  # characters
_CLOSING_BLANKS = 5  # before its comma, at most: "with my all the best wishes"
_REACHED = (
    "@",
    "www.",
    "http",
    "+",
    "/",
    "|",
    ",",
    "\u00b7",
)  # in lines with an address or a number
_ADVERTISED = re.compile("|".join(phrases.ADVERTISED))
_BANNER = re.compile("|".join(phrases.BANNERS))
_BANNER_GOES_ON = re.compile(phrases.BANNERS_GO_ON)
_WROTE = re.compile("|".join(phrases.WROTE))
# Words of the writer, and an attribution with a date behind them.
_WITHIN = re.compile(
    r"(\W*\w.{0,300}?) ((?:On|Am|Le|El|Il|Op|Em|W dniu|Dnia|Den|På) (?=.{0,40}(?:\d{4}|\d{1,2}[./-]))"
    r".{5,200}?[:\uff1a](?:\s.{0,80})?)"
)
_LONGEST_ATTRIBUTED = 600  # characters of a line
_WROTE_LAST = re.compile(rf"(?:{'|'.join(phrases.WROTE)}) ?[:\uff1a]\Z")
_ADDRESS_LAST = re.compile(r"< ?(?:mailto:)?[^<>\s@]+@[^<>\s@]+ ?> ?[)\]]? ?[:\uff1a]\Z")
_BEGINS = re.compile(
    rf"\W*(?:(?:{'|'.join(phrases.ATTRIBUTION_WORDS)})(?![a-zа-я])"
    r"|\w{2,12}[.,]{0,2} [0-9]|[0-9]{1,4}[ .年/-]|[^<>]{0,80}< ?[^<>\s@]+@)"
)
_DATE = re.compile(
    r"(?<![0-9])(?:(?:19|20)[0-9]{2}|[0-9]{1,2}[:.h][0-9]{2})(?![0-9])"
    r"|(?<![0-9])[0-9]{1,2}[./-][0-9]{1,2}[./-][0-9]{2}"
)
# A sentence that ends as an attribution does: "On Tuesday I wrote:".
_TOLD = re.compile(rf"(?:.* )?(?:{phrases.WE}) ")
_ATTRIBUTION = 400  # characters at most
_COLONS = ":\uff1a"
_COMMAND = re.compile(  # with a password: it is quoted below an attribution
    rf"\W*(?:{'|'.join(re.escape(game.word) for game in games.GAMES)}) [a-z]+ [0-9]+ \S+ \S"
)


class Own(NamedTuple):
    """The writer's own lines of a text, without blank ones at either end.

    left_out  the number of lines, perhaps the writer's too, ``below`` the line that ends the others
    """

    lines: tuple[str, ...]
    left_out: int = 0
    below: str = ""


def own(body: Sequence[str], domain: str = "", author: str = "", subject: str = "") -> Own:
    """Return the writer's own lines among cleaned lines, in order.

    Dashes stand above a signature, unless the writer has said nothing else: then they are a pass. In the
    same way the word that ends a message is its only line if it asks for no more mail. At most LINES lines of
    LENGTH characters are kept; a line that is cut says so. The other arguments are as in ``quotes.find``.
    """
    if not body:
        return Own(())
    body = [
        part
        for line in body
        for part in (_apart(line) if ":" in line or "\uff1a" in line else (line,))
    ]
    found = quotes.find(body, domain, author, subject)
    above_all = _above_all(body, found.end)
    own_lines: list[str] = []
    dashes = ""  # in the place of the first own line
    end, is_sure = found.end, True  # whether all below ``end`` is somebody else's
    for at, line in enumerate(body[: found.end]):
        if not line:
            if own_lines:
                own_lines.append("")
            continue
        if at in above_all or at in found.around or (found.has_marks and QUOTED.match(line)):
            continue
        if len(own_lines) >= LINES:
            break
        lower = line.strip(" ").lower()
        if lower[0] in _DASHES:
            if not own_lines and not dashes and lower in _PASSES and line != _PROGRAMS_MARK:
                dashes = line
                continue
            if not own_lines and DASHED.fullmatch(lower):
                continue
            if _is_mark(lower):
                end, is_sure = at, lower == _TYPED_MARK
                break
        ends = _ENDS.match(lower)
        if ends and ends["word"]:
            if not own_lines and ends["word"] == phrases.NO_MORE:
                own_lines.append(line)
            end, is_sure = at, False
            break
        if ends or (own_lines and _closes(body, at, lower)):
            break
        if lower[-1] in _COLONS:
            above = _attribution(body, at)
            quotes_marked = above is not None and _quote_follows(body, at)
            if above is not None and (
                quotes_marked
                or at < found.last
                or _has_address(body, at, above)
                or _COMMAND.match(_next(body, at).lower())
            ):
                if above and own_lines[-above:] == [
                    part[:LENGTH] for part in body[at - above : at]
                ]:
                    del own_lines[-above:]
                if not quotes_marked:
                    end, is_sure = at, at < found.last
                    break
                continue
        if len(lower) <= 120 and _ADVERTISED.fullmatch(lower):
            continue
        if dashes:  # the text below them is a signature
            return Own(())
        own_lines.append(line if len(line) <= LENGTH else line[: LENGTH - len(_CUT)] + _CUT)
    if dashes:
        return Own((dashes,))
    del own_lines[LINES:]
    while own_lines and not own_lines[-1]:
        own_lines.pop()
    rest = () if is_sure else range(end + 1, found.end)
    left_out = sum(at not in found.around and _may_be_own(body[at]) for at in rest)
    return Own(
        tuple(own_lines),
        left_out,
        quotes.ADDRESS.sub("...", body[end].strip(" ")) if left_out else "",
    )


def _apart(line: str) -> tuple[str, ...]:
    """Return a line with a colon in two, if an attribution follows the writer's words in it."""
    within = _WITHIN.fullmatch(line) if len(line) <= _LONGEST_ATTRIBUTED else None
    return (within[1], within[2]) if within and not QUOTED.match(line) else (line,)


def _may_be_own(line: str) -> bool:
    """Return True if a line below one that ends a message may be the writer's."""
    lower = line.strip(" ").lower()
    of_program = QUOTED.match(line) or _is_mark(lower) or _ADVERTISED.fullmatch(lower[:120])
    return bool(line) and not of_program


def _has_address(body: Sequence[str], at: int, above: int) -> bool:
    return any("@" in line for line in body[at - above : at + 1])


def _above_all(body: Sequence[str], end: int) -> set[int]:
    """Return the lines that gateways and programs have put above a message: banners, and rules."""
    lines, at, is_banner = set[int](), 0, False
    while at < end:
        lower = body[at].strip(" ").lower()
        is_fence = RULE.fullmatch(lower)
        if lower == phrases.BANNER_BEGINS:
            last = next((each for each in range(at, end) if _ends_banner(body[each])), at)
            lines.update(range(at, last + 1))
            at = last
        elif is_fence or _is_banner(lower) or (is_banner and _BANNER_GOES_ON.fullmatch(lower)):
            lines.add(at)
            is_banner = True
            if is_fence:  # what is between two rules stays, unless it is a banner
                lines.update(
                    n
                    for n in range(at, min(end, at + _FENCED))
                    if RULE.fullmatch(body[n].strip(" "))
                )
        elif lower:
            break
        else:
            is_banner = False
        at += 1
    return lines


def _is_banner(lower: str) -> bool:
    return 0 < len(lower) <= _BANNER_LENGTH and _BANNER.fullmatch(lower) is not None


def _ends_banner(line: str) -> bool:
    return line.strip(" ").lower() == phrases.BANNER_ENDS


def _is_mark(lower: str) -> bool:
    """Return True if a line of dashes stands above a signature, or above forwarded or quoted text."""
    if lower in _SIGNATURES or RULE.fullmatch(lower):
        return True  # the next: ----- Original message -----, in any language
    return lower.startswith("---") and lower.endswith("---") and bool(lower.strip("- "))


def shortened(line: str) -> str:
    """Return a line of a message as its writer is shown it."""
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 3]}..."


def _closes(body: Sequence[str], at: int, lower: str) -> bool:
    """Return True if a line, here in lower case, closes a letter, and only a signature stands below it."""
    # Most lines have too many words, and to count them is much quicker than the pattern.
    if lower.partition(",")[0].count(" ") > _CLOSING_BLANKS or len(lower) > _LONGEST_CLOSING:
        return False
    closing = _CLOSING.fullmatch(lower)
    return closing is not None and _is_signature(body, at, closing)


def _is_signature(body: Sequence[str], at: int, closing: re.Match[str]) -> bool:
    """Return True if only a name, an office and the like stand below a line that closes a letter.

    With nothing below it, thanks and good wishes are the writer's words.
    """
    names = closing["name"]
    signed = int(bool(names) and _is_name(body[at].strip(" ")[-len(names) :].split()))
    if names and not signed:
        return False
    for line in filter(None, (each.strip(" ") for each in body[at + 1 :])):
        lower = line.lower()
        if _ends_signature(line, lower):
            break
        if _ADVERTISED.fullmatch(lower[:120]):
            continue
        signed += 1
        if signed > _SIGNED or not _is_of_signature(line, signed == 1):
            return False
    return signed > 0


def _ends_signature(line: str, lower: str) -> bool:
    """Return True if a line belongs to what mail programs put below a signature."""
    return bool(QUOTED.match(line)) or _is_mark(lower) or lower.endswith((":", "\uff1a"))


def _is_of_signature(line: str, is_first: bool) -> bool:
    """Return True if a line may stand in a signature: a name first; then an office, a street, a number."""
    words = line.split()
    if is_first or not any(mark in line for mark in _REACHED):
        return _is_name(words)
    return len(line) <= 80


def _is_name(words: Sequence[str]) -> bool:
    """Return True if words are a name or a telephone number, and no sentence or move."""
    if sum(letter.isdigit() for word in words for letter in word) in range(1, 5):
        return False
    if words[0].lower().strip(".,!;") in phrases.ANSWERS:
        return False
    return len(words) <= 4 and (len(words) == 1 or not any(word[0].islower() for word in words))


def _attribution(body: Sequence[str], at: int) -> int | None:
    """Return the number of lines above that belong to an attribution that ends here; None if none does.

    The line ends in a colon.
    """
    last = body[at][-_ATTRIBUTION:].lower()
    text = ""
    for above in range(3):
        if at - above < 0 or not body[at - above]:
            break
        text = f"{body[at - above].lower()} {text}".strip(" ")
        if len(text) > _ATTRIBUTION:
            break
        if (
            _DATE.search(text)
            and _BEGINS.match(text)
            and (_WROTE.search(text) or _ADDRESS_LAST.search(text))
        ):
            return above
    if _ADDRESS_LAST.search(last):
        return 0
    if not _WROTE_LAST.search(last):
        return None
    is_sure = "@" in last or _DATE.search(last) or _quote_follows(body, at)
    return 0 if is_sure or not _TOLD.match(last) else None


def _quote_follows(body: Sequence[str], at: int) -> bool:
    """Return True if the next line that is not blank has the prefix of a quote."""
    return bool(QUOTED.match(_next(body, at)))


def _next(body: Sequence[str], at: int) -> str:
    """Return the next line that is not blank; empty if there is none."""
    return next((body[place] for place in range(at + 1, len(body)) if body[place]), "")
