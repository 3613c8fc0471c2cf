"""How a script shows letters: whole, in brief, or by their Subjects; script.py says what that looks like.

A letter is cut into pieces: a sentence, or a line of a table. What a script has shown already is told by a
piece's first words, so that a letter that says anything else is still another one.
"""

from __future__ import annotations

import re
import textwrap
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher

from harness.common import named
from harness.letters import ALBUM, MORE, RULE, WORDS, Got

WIDE = 110  # characters of a line
_OWN = re.compile(  # what a letter says to its own reader alone
    r"(?m)^(?:(?:\S+ has challenged you to a game|Your game) of (?:.+\n)+|You have .*\n|Your first move could .*\n)"
)
_MOVED = r"(?:You|[a-z][\w-]*) (?:played [^.]+|accepted [^.]+|passed|swapped|resigned|ended the game|claimed the end)"
_ENDED = (
    r"(?:You|[a-z][\w-]*) (?:won|lost)(?: by \d+(?: points?)?)?|A draw|No result|Solved|The end"
)
_OPENING = re.compile(  # what the Subject and the last move tell too
    rf"\A(?:{_MOVED}\.\s)*|(?:\A|(?<=\s))(?:Your (?:move|answer), \S+|[a-z]\S* to move|{_ENDED})\.\n"
)
_REPLIES = re.compile(
    r"(?m)^Reply with (?:a cell|a move|one of these words)\b.*:(.*)\n((?:  .*\n)*)"
)
_CAN = re.compile(r"(?m)^You can:\n(?:.+\n)+")
_MINE = re.compile(r"(?m)^This letter just confirms your move(?:.+\n)+")
_RECORD = re.compile(
    r"(?m)^(?:Summary of .*|Options: .*|(?:It is|It was|Game |The game has ended ).*\.|  .*|Moves:.*)\n"
)
_SETTINGS = "All your settings:"
_PAGES = re.compile(r"Help: |Star Course|Star Problem|Star: welcome|.* (?:Score|Review)$")
_CONSTANT = ("show", "help")  # offered in each letter
_SCORES = re.compile(r"[a-z]\S* \([xo]\)[ :.,]")
_RATING = re.compile(r"(?m)^(?:Your rating: |Rated: \S+ against ).*$")
_RATINGS = re.compile(
    r"(?m)(?:(?<=\n\n)(?:{0})+\n)|{0}".format(
        r"^(?:(?:Your rating|Practice|(?:Not r|R)ated): [^.]*|While a rating is uncertain .*)\.\n"
    )
)
_TIPS = "|".join(
    (
        "There's a new problem each week",
        "We can send you one letter a day",
        "If you'd like to play someone new",
        "Would you like to play a friend",
        "Every Sunday, everyone who",
        "To show this game to a friend",
        "In a cup, eight players",
        r"[^\n]+ cup \d+ needs",
    )
)
_TIP = re.compile(rf"\n(?:\n(?:{_TIPS})(?:.+\n)+)+(?=\n|\Z)")
_WINDOW = re.compile(r"(?m)^- Also list what else is waiting \(letters window\): .*\n")
_REVIEW = re.compile(r"(?m)(  |words: )review(?:  |$)")
_WRITTEN = re.compile(r"(?m)^(\S+, (?:before the first|after) .*:)\n\n((?:  .*\n)+)")
_TABLE = re.compile(r"(?m)^ |\S  +\S")
_PROSE = re.compile(r"[a-z]{3}")
_TOKEN = re.compile(r"\b[a-z2-7]{32}\b")
_SENTENCE = re.compile(r"(?<=[.?!])(?: +(?=[A-Z(])|\n)")
_YOUR_LINE = re.compile(r"We read: (.*(?:\n  .*)*)\n\n")
# What a letter usually offers: before the first move, after it, later and in the end, to the player whose
# move is due and to the one who waits.
USUAL = {
    ("due", 0): "pass, say, decline, try, score, resign",
    ("due", 1): "pass, swap, say, decline, try, score, resign",
    ("due", 2): "pass, say, undo, try, score, resign",
    ("waits", 0): "say, plan, decline, score, resign",
    ("waits", 1): "say, undo, plan, score, resign",
    ("waits", 2): "say, undo, plan, score, resign",
    ("over", 0): "rematch, say, score",
}
UNRATED = "Rated: 1500? against 1500?, win +107, loss -107."  # what a game of new players is worth
ENOUGH = 20  # characters that dots must save
LONG = 12  # lines of a comment, of which not all are shown
SHORT = 4  # words of a piece, at least, that stand before the dots


@dataclass(frozen=True)
class Piece:
    """A sentence, or a line of a table."""

    text: str
    is_line: bool = False
    begins: bool = True  # a paragraph
    is_score: bool = False


@dataclass(frozen=True)
class View:
    """What a script shows of a letter."""

    head: tuple[Piece, ...] = ()
    own: str = ""  # what one reader alone is told
    offers: str | None = None  # of a board's letter: what its reader can send
    tail: tuple[str, ...] = ()  # the comment


@dataclass(frozen=True)
class Mail:
    """The mail that letters answer: who wrote it, and its lines."""

    who: str = ""
    lines: tuple[str, ...] = ()

    def is_only(self, line: str) -> bool:
        """Whether the mail is this line, in which passwords are masked."""
        masked = re.escape(line).replace(re.escape("******"), r"\S+")
        return len(self.lines) == 1 and bool(re.fullmatch(masked, self.lines[0]))

    def has_played(self, told: str, got: Got) -> bool:
        """Whether a sentence of a letter says no more than that this mail's move was played."""
        found = re.fullmatch(r"Last move: (?:(\d+) )?(.+) by (\S+)\.", told)
        if (
            not found
            or not self.lines
            or found[3] != self.who
            or found[1]
            not in (
                None,
                got.mail["X-Pbmstar-Move"],
            )
        ):
            return False
        said = re.sub(r"#\d+|\W+$", "", self.lines[0]).casefold()
        return f" {said}".endswith(f" {found[2].casefold()}")


def text_of(got: Got, feature: str) -> str:
    """Return the text for a script of a feature; only those of ratings show what it says of ratings, only
    those of bots the word that asks for a review, only those of the window its setting, and only those of
    the first week its tips: else these features could not be left out.
    """
    text = got.text if feature == "ratings" else _RATINGS.sub("", got.text)
    text = text if feature == "firstweek" else _TIP.sub("\n", text)
    text = text if feature == "window" else _WINDOW.sub("", text)
    text = text if feature == "bots" else _REVIEW.sub(r"\1", text)
    return _TOKEN.sub("TOKEN", text)


def whole(got: Got, feature: str = "") -> View:
    """Return all of a text, below what its Subject ends with for this reader alone."""
    return View(own=f"{_stress(got)}\n".lstrip("\n") + text_of(got, feature))


def brief(got: Got, mail: Mail, feature: str = "") -> View:
    """Return a letter without its heading, drawings and lists of moves; of a page its beginning."""
    if refuses(got):
        return reason(got, mail)
    head, choices, tail = _parts(got, feature)
    if _PAGES.match(got.subject):
        first, _, rest = head.partition("\n\n")
        grows = got.subject in ("Help: commands", "Star: welcome")  # with every feature; with bots
        more = "" if grows else rest + tail
        return View((*_pieces([first]), *_more(more)))
    head, _, album = head.partition(f"\n{ALBUM}\n")
    head, _, settings = head.partition(_SETTINGS)
    told = [each.strip("\n") for each in head.split("\n\n") if _is_new(each)]
    comment = tuple(_words(tail))
    if not got.mail["X-Pbmstar-Move"] or got.subject.endswith((" Record", " Preview")):
        return View((*_pieces(told), *_more(settings)), choices.strip("\n"), None, comment)
    pieces = [each for each in _of_a_board(told, got) if not mail.has_played(each.text, got)]
    if album:
        words = [" ".join(" ".join(found).split()) for found in _WRITTEN.findall(album)]
        pieces.append(Piece(" ".join(["+ album", *words]), begins=False))
    ratings = [each for each in _RATING.findall(head) if each != UNRATED]
    own = "; ".join(each.rstrip(".") for each in [_stress(got), *ratings] if each)
    return View(tuple(pieces), own, _offered(choices), comment)


def _of_a_board(told: list[str], got: Got) -> Iterator[Piece]:
    """Yield what a board's letter says in these paragraphs, but for what its Subject and its reader know."""
    for each in told:
        if got.subject.startswith("New ") and each.startswith("Players "):
            continue
        lines = each.split("\n")
        at = next((n for n, line in enumerate(lines) if _SCORES.match(line)), None)
        if at is None:
            yield from _sentences(_RATING.sub("", each))
            continue
        yield from _sentences("\n".join(lines[:at]))
        score, *more = _sentences("\n".join(lines[at:]))
        yield replace(score, is_score=True)
        if got.subject.startswith("New "):
            yield from (piece for piece in more if not piece.text.startswith("Still possible"))


def refuses(got: Got) -> bool:
    """Whether a letter says that a line was not done, or offers to do what it may mean."""
    return bool(re.search(r"Error$| - (?:play )?\S+\?$|^Star: help$", got.subject))


_LISTED = re.compile(r"(one of:|help on:)\s[^.]{60,}\.")


def reason(got: Got, mail: Mail) -> View:
    """Return why something was refused, each behind what was understood of it if that is not the mail's line."""
    head, _, _ = _parts(got)
    told = re.split('\n\n(?:Nothing has changed|Summary of |Send the command "help")', head)[0]
    told = _LISTED.sub(r"\1 ...", told)  # it grows with every verb and every help page
    told, count = _YOUR_LINE.subn(r"\0\1\n\n", told)
    pieces = [] if count else [Piece("(no line)")]
    for each in told.split("\n\n"):
        if not each.startswith("\0"):
            pieces += (replace(said, begins=False) for said in _said(each, each.startswith(" ")))
        elif not mail.is_only(" ".join(each[1:].split())):
            pieces.append(Piece(f"({' '.join(each[1:].split())})"))
    return View(tuple(pieces))


def _stress(got: Got) -> str:
    """Return what a Subject ends with for its reader alone."""
    _, dash, stressed = got.subject.partition(" - ")
    return dash.lstrip() + stressed


def _parts(got: Got, feature: str = "") -> tuple[str, str, str]:
    """The text of a letter, the words that its reader can reply, and the comment.

    Of a letter about a board without what is on the record; what is said to the reader alone counts as a part of
    the words to reply.
    """
    text = text_of(got, feature)
    above, rule, below = text.partition(f"{RULE}\n")
    if not rule:
        return text, "", ""
    comment = "".join(found[0] for found in WORDS.finditer(above))
    above = _OPENING.sub("", WORDS.sub("", above), 2)
    choices = "".join(" ".join(found.groups()) for found in _REPLIES.finditer(above))
    below = _RECORD.sub("", _MINE.sub("", _CAN.sub("", below)))
    head = f"{_REPLIES.sub('', above)}\n{below}"
    return _OWN.sub("", head), "".join(_OWN.findall(head)) + choices, comment


def _more(rest: str) -> list[Piece]:
    count = rest.count("\n")
    return [Piece(f"+ {count} lines")] if count else []


def _is_new(paragraph: str) -> bool:
    """Whether a paragraph of a board's letter is neither a heading, the record nor a drawing."""
    return bool(_PROSE.search(paragraph))


def _pieces(paragraphs: list[str]) -> Iterator[Piece]:
    """Yield sentences and, of paragraphs that are tables, lines."""
    for each in paragraphs:
        text = re.sub(r"={60}\n", "== ", each.strip("\n"))
        yield from _said(text, text.startswith("== ") or bool(_TABLE.search(text)))


def _said(paragraph: str, is_table: bool) -> Iterator[Piece]:
    if is_table:
        yield from (Piece(named(line), True) for line in paragraph.splitlines())
    else:
        yield from (replace(said, begins=not n) for n, said in enumerate(_sentences(paragraph)))


def _sentences(text: str) -> list[Piece]:
    told = [" ".join(said.split()) for said in _SENTENCE.split(text)]
    return [Piece(named(said), begins=False) for said in told if said]


def _words(comment: str) -> list[str]:
    """What a player wrote, on the line of the player's name if it is one line."""
    lines = [named(line) for line in comment.replace(MORE, "").splitlines() if line]
    if len(lines) in (2, 3) and lines[0].endswith(":"):
        lines[:2] = [f"{lines[0]} {lines[1].strip()}"]
    return lines if len(lines) < LONG else [*lines[:3], "...", *lines[-2:]]


def _offered(choices: str) -> str:
    """The words that a reply may begin with, on one line."""
    words = re.split(r" {2,}|\n", _OWN.sub("", choices).strip())
    return (
        f"reply: {', '.join(each for each in words if each not in _CONSTANT)}" if any(words) else ""
    )


def filled(text: str) -> str:
    """Return a text in lines of at most so many characters."""
    return textwrap.fill(
        " ".join(text.split()), WIDE - 2, break_long_words=False, break_on_hyphens=False
    )


def together(names: list[str], texts: list[list[str]]) -> Iterator[tuple[str, str]]:
    """Yield the lines of texts to several readers, in order, each with its reader, or "" if all got it."""
    alike, *others = texts
    for text in others:
        matches = SequenceMatcher(None, alike, text, autojunk=False).get_matching_blocks()
        alike = [line for found in matches for line in alike[found.a : found.a + found.size]]
    at = [0] * len(texts)
    for line in [*alike, None]:
        for n, (name, text) in enumerate(zip(names, texts, strict=True)):
            end = len(text) if line is None else text.index(line, at[n])
            yield from ((name, each) for each in text[at[n] : end])
            at[n] = end + 1
        if line is not None:
            yield "", line


@dataclass
class Read:
    """What somebody who reads a script has read so far."""

    after: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    scores: dict[str, str] = field(default_factory=dict)  # of boards
    offers: dict[tuple[str | int, ...], str] = field(default_factory=dict)

    def new(self, pieces: tuple[Piece, ...], board: str) -> tuple[Piece, ...]:
        """Leave out a score that has not changed since the last letter about a board."""
        before = self.scores.get(board)
        self.scores.update((board, piece.text) for piece in pieces if piece.is_score)
        return tuple(each for each in pieces if not (each.is_score and each.text == before))

    def shorten(self, pieces: tuple[Piece, ...], names: set[str]) -> list[str]:
        """Return the lines of a letter to people of these names: a run that stood already ends in dots."""
        keys = [_key(piece.text, names) for piece in pieces]
        lines: list[str] = []
        flow: list[str] = []
        at = 0
        while at < len(pieces):
            end = self._known(keys, at)
            piece = pieces[at]
            if piece.is_line or (piece.begins and flow and not flow[-1].endswith(" ...")):
                lines += [filled(" ".join(flow))] * bool(flow)
                flow = []
            short = None if end == at else self._shortened(pieces[at:end], keys[at])
            if short is None:
                (lines if piece.is_line else flow).append(piece.text)
                at += 1
            else:
                (lines if piece.is_line else flow).extend(short)
                at = end
        lines += [filled(" ".join(flow))] * bool(flow)
        for at, key in enumerate(keys, 1):
            if not re.fullmatch(r"\(.*\)", key):  # what was understood of a line stands for itself
                self.after[key].add("".join(keys[at : at + 1]))
        return "\n".join(lines).splitlines()

    def _known(self, keys: list[str], at: int) -> int:
        """Return where a run ends that stood so, piece after piece, and was not longer."""
        end = at
        while end < len(keys) and keys[end] in self.after:
            end += 1
            if end < len(keys) and keys[end] not in self.after[keys[end - 1]]:
                break
        if end == len(keys) and end > at and "" not in self.after[keys[-1]]:
            end -= 1
        return end

    def _shortened(self, run: tuple[Piece, ...], key: str) -> list[str] | None:
        """Return the beginning of a run, and dots, if that is shorter."""
        if run[0].is_line:
            return [run[0].text, "..."] if len(run) > 2 else None
        words = key.split(" ")
        alike = [each.split(" ") for each in self.after if each != key]
        count = next(
            (
                count
                for count in range(SHORT, len(words))
                if not any(each[:count] == words[:count] for each in alike)
            ),
            len(words),
        )
        begin = " ".join(run[0].text.split(" ")[:count]) + " ..."
        return [begin] if len(begin) + ENOUGH <= sum(len(each.text) + 1 for each in run) else None

    def own(self, who: str, got: Got, view: View) -> list[str]:
        """Return what one reader alone is told, and what can be sent if it is neither usual nor as before."""
        if view.offers is None:
            return named(view.own).splitlines()
        moves, due = int(got.mail["X-Pbmstar-Move"]), got.mail["X-Pbmstar-To-Move"]
        role = ("due" if due == who else "waits") if due else "over"
        kind = (role, min(moves, 2) if due else 0)
        shape = re.sub(r"\btry [^,]+", "try", view.offers.removeprefix("reply: "))
        key = (who, got.mail["X-Pbmstar-Game"], *kind)
        is_known = self.offers.get(key, USUAL[kind]) == shape
        self.offers[key] = shape
        told = [named(" ".join(view.own.split())), "" if is_known else view.offers]
        return filled("; ".join(each for each in told if each)).splitlines()


def _key(text: str, names: set[str]) -> str:
    """Return a text in which people of these names are nobody in particular."""
    for name in names:
        text = re.sub(rf"(?<![\w@-]){re.escape(name)}(?![\w-])", "\1", text)
    return text
