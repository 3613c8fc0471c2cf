"""The kit that letters are made with: the macros of ``templates/kit.txt`` and ``templates/kit.html``.

A letter's template is rendered twice, once with each as ``ui``: as text, and as HTML, where Jinja escapes
all values. What only one of them shall show stands in ``{% if html %}`` or ``{% if not html %}``. A letter
whose two parts differ in order has a template for each of them; what both say is in a template of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple

from markupsafe import Markup, escape

from ..errors import Sentence, say
from ..games import BY_WORD
from ..match.dates import DAY, DAY_OF_YEAR, MONTHS
from . import style
from .drawings import Words, word_links
from .letter import of_features
from .text import WIDTH, hang
from .translator import Translator

_NUMBER = re.compile(r"[-+]?[0-9]*\.?[0-9]*\??")  # it may be uncertain: 1500?
_LEFT_OUT = "..."  # some rows are left out here
_HEADLINE = 60  # characters of a title that a notice gives
_CLAUSE, _CLAUSE_OF_YOU = re.compile(r"[:;] | \("), re.compile(r"[:;,] | \(")
_CHALLENGE = "challenge "
_BUTTONS_OF_CORE = {
    "accept": say("Accept"),
    "accept all": say("Accept messages again"),
    "album ": say("Board {name}, move by move"),
    "back": say("I'm back"),
    "bot": say("Play a bot now"),
    "cancel": say("End the game without a result"),
    "claim": say("Claim the win"),
    "decline": say("No, thanks"),
    "hint": say("Give me a hint"),
    "pass": say("Pass"),
    "plan": say("Plan my answer"),
    "plan none": say("Cancel my plan"),
    "extend 7": say("Give another week"),
    "away 14": say("Stop my clocks for 14 days"),
    "public off": say("Hide my games"),
    "public on": say("Show my games"),
    "leave off": say("Keep my leave"),
    "leave auto": say("Use my leave"),
    "help cells": say("How cells are named"),
    "help ratings": say("About ratings"),
    "never": say("Never write to me again"),
    "propose draw": say("Offer a draw"),
    "propose ": say("Propose a score of {name}"),
    "resign": say("I resign"),
    "record ": say("Record of board {name}"),
    "review": say("What was the turning point?"),
    "review ": say("The turning point of board {name}"),
    "say": say("Write a message"),
    "score": say("The score"),
    "show": say("Show the board again"),
    "swap": say("Swap sides"),
    "try ": say("Try {name}"),
    "undo": say("Undo"),
    "language en": say("In English, please"),
    "language": say("Other languages"),
    "letters daily": say("One letter a day"),
    "letters drawing ascii": say("Draw the boards"),
    "letters drawing words": say("Describe the boards in words"),
    "letters each": say("A letter for each move"),
    "letters lobby off": say("No more offers"),
    "letters lobby on": say("Send me new offers"),
    "letters mine": say("Letters only when it's my move"),
    "letters html off": say("Plain text only"),
    "letters html on": say("HTML too"),
    "letters news off": say("No more news"),
    "letters news on": say("Send me news"),
    "letters pictures off": say("No pictures"),
    "letters pictures on": say("Show pictures"),
    "letters reminders off": say("No more reminders"),
    "letters reminders on": say("Remind me"),
    "listed off": say("Don't list me"),
    "listed on": say("List me"),
    "lobby on": say("Tell me who's looking for a game"),
    "match": say("Find me an opponent"),
    "match ": say("Find me an opponent for {name}"),
    "say ": say("Send it to my opponent"),
    "seeks": say("See open offers"),
    "show ": say("Show board {name}"),
    "take ": say("Take offer {name}"),
    "unseek ": say("Withdraw offer {name}"),
    "forgot": say("Set a new password"),
    "forgot ": say("Choose a new password for {name}"),
    "games": say("My games"),
    "help": say("Help"),
    "help account": say("About my account"),
    "help bots": say("About the bots"),
    "help commands": say("All commands"),
    "help letters": say("Get fewer letters"),
    "help opponents": say("How to find opponents"),
    "help playing": say("How to play by mail"),
    "help plans": say("How to plan ahead"),
    "invite friend@example.org": say("Invite a friend"),
    "rematch": say("Play again with sides swapped"),
    "signoff": say("Close my account"),
    _CHALLENGE: say("Play against {name}"),
    "star help": say("The rules of Star"),
    "who": say("See who plays here"),
    "yes": say("Yes, play it"),
    "yes plan": say("Yes, and plan the rest"),
}
_SHORT = 20  # characters of a cell that does not break
_DATE = re.compile(r"(20\d\d)-(\d\d)-(\d\d)")

# -- words to reply


def sent(lines: Iterable[Words], before: str = "") -> list[tuple[str, str]]:
    """Return lines to send, each after ``before``, with what their buttons say; if nothing else, the line."""
    begin = f"{before} " if before else ""
    return [
        (begin + each, begin + each) if isinstance(each, str) else (begin + each[0], each[1])
        for each in lines
    ]


def in_sentence(pairs: Iterable[tuple[str, str]], how: str, rows: bool, between: str) -> str:
    """Return lines to send as text: ``how``, which ends in a colon, and they in a sentence, or, if it is too
    long, in lines below it.

    ``rows``: in lines in any case.
    """
    lines = [line for line, _ in pairs]
    if not lines:
        return ""
    sentence = f"{how} {between.join(lines)}"
    if how and not rows and len(sentence) <= WIDTH:
        return sentence
    return "\n".join((*([hang(how)] if how else []), *(f"  {line}" for line in lines)))


def with_words(how: str, lines: Iterable[Words], between: str) -> str:
    """Return a sentence that ends with lines to send, as text; line ends in ``how`` mean nothing.

    What a link says in place of its line follows in parentheses.
    """
    words = [each if isinstance(each, str) else f"{each[0]} ({each[1]})" for each in lines]
    return hang(f"{' '.join(how.split())} {between.join(words)}".strip())


def spoken(translator: Translator, lines: Iterable[Words]) -> list[Words]:
    """Return lines for buttons that say in people's words what they do, as far as there are words for it.

    A line that has words of its own keeps them.
    """
    pairs = ((each, each) if isinstance(each, str) else each for each in lines)
    return [(line, _spoken(line, translator) if said == line else said) for line, said in pairs]


@cache
def _said_by_buttons() -> Mapping[str, Sentence]:
    """Return what buttons say, by their line or, up to a space, by its beginning."""
    found = dict(_BUTTONS_OF_CORE)
    for each in of_features().values():
        found |= each.buttons
    return found


@lru_cache(1000)  # a letter has ten, mostly the same as the last letter
def _spoken(line: str, translator: Translator) -> str:
    """Return what a button says in place of a line, or the line.

    A row for a word is also for that word after the word of a game or the number of a board: ``review `` for
    ``star review 17``, ``pass`` for ``17 pass``.
    """
    first, _, rest = line.partition(" ")
    for each in (line, rest) if first in BY_WORD or first.isdigit() else (line,):
        for begin, said in _said_by_buttons().items():
            if each == begin.strip() or (begin.endswith(" ") and each.startswith(begin)):
                # A player's own name comes before the opponent's.
                name = each.split()[-1] if begin.endswith(_CHALLENGE) else each[len(begin) :]
                words = translator.tell(said.text, name=name)
                return f"{first}: {words}" if first.isdigit() else words
    return line


# With these a sentence about a plan may end; and what yes means depends on the sentence.
_NO_COMMANDS = frozenset(("pass", "swap", "say", "show", "try", "yes", "yes plan"))
# What stands before a command, in each language.
_REPLY = "(?P<lead>:|eply|ntworte|esponde|éponds)"
_GAP = r"[ \n\xa0]"
_MAY_HAVE_ONE = re.compile(f"{_REPLY}{_GAP}")


@cache
def _commands() -> re.Pattern[str]:
    """Return the pattern of a command at the end of a sentence."""
    words = []
    for begin in sorted(_said_by_buttons(), reverse=True):
        if (first := begin.strip()) not in _NO_COMMANDS:
            more = rf"(?:{_GAP}[\w*#-]+){{1,3}}" if begin.endswith(" ") else ""
            words.append(re.escape(first).replace(r"\ ", _GAP) + more)
    of_game = "|".join(map(re.escape, BY_WORD))
    return re.compile(
        rf"{_REPLY}{_GAP}(?P<line>(?:(?:{of_game}|\d+){_GAP})?(?:{'|'.join(words)}))"
        r"(?=\.?\s*(?:<|\Z)|\.\s)"
    )


def tapped(translator: Translator, content: str, to: str, on_slab: bool = False) -> Markup:
    """Return running text as HTML: a command that ends a sentence is a link to ``to``, in people's words.

    ``on_slab``: it stands on the dark ground above the board, where a link has the color of the text.
    """
    content = escape(content)
    if not _MAY_HAVE_ONE.search(content):  # it is found out much sooner
        return content

    def link(found: re.Match[str]) -> str:
        line = " ".join(found["line"].split())
        said = _spoken(line, translator)
        if said == line:
            return found[0]
        words = str(word_links([(line, said)], to))
        words = words.replace('style="', 'style="color:inherit;') if on_slab else words
        return f"{found['lead']} {words}"

    return Markup(_commands().sub(link, content))  # noqa: S704 - it was escaped above


def headed(notice: str) -> tuple[str, str]:
    """Return a title for a notice, and what is left to say below it.

    The title is its first sentence if that is short; or the beginning of that sentence, which is then
    repeated below it; or empty. What stands before a comma is a title only if it tells what "you" are or do.
    """
    first, _, rest = notice.partition("\n")
    sentence, dot, more = first.partition(". ")
    sentence = sentence.removesuffix(".")
    if len(sentence) <= _HEADLINE:
        return sentence.removesuffix(":"), f"{more}\n{rest}".strip("\n") if dot or rest else ""
    clauses = _CLAUSE_OF_YOU if sentence.startswith(("You ", "You'")) else _CLAUSE
    begins = (sentence[: end.start()] for end in clauses.finditer(sentence))
    titles = [each for each in begins if len(each) <= _HEADLINE and each.count(" ") > 1]
    return titles[-1] if titles else "", notice


# -- tables


class Cell(NamedTuple):
    """A cell of a table: what it says, and what a tap on it sends, or nothing."""

    said: str
    sends: str = ""
    is_number: bool = False

    @property
    def is_short(self) -> bool:
        """Return True if it does not break."""
        return len(self.said) <= _SHORT


class Row(NamedTuple):
    """A row of a table, which may be the reader's."""

    cells: Sequence[Cell]
    is_own: bool = False


class Table(NamedTuple):
    """A table: its head, empty if no column has one, and its rows; without rows it is nothing."""

    heads: Sequence[Cell]
    rows: Sequence[Row]


def columns(
    rows: Iterable[Mapping[str, Any]],
    heads: Mapping[str, str],
    reader: str = "",
    steps: str = "",
    taps: Mapping[str, str] | None = None,
) -> Table:
    """Return the table of these rows: ``table`` in ``templates/kit.txt`` says what the others are for.

    A key that a row of an earlier version does not have is set as nothing.
    """
    lines: list[tuple[dict[str, list[_Tap]], bool]] = []
    last = None
    for number, row in enumerate(rows, 1):
        if steps:
            if last is not None and row[steps] > last + 1:
                lines.append(({next(iter(heads)): [(_LEFT_OUT, "")]}, False))
            last = row[steps]
        cells = {key: _cells(key, _value(key, number, row)) for key in heads}
        for key, words in (taps or {}).items():
            cells[key] = [(said, f"{words} {said}".lstrip()) for said, _ in cells[key]]
        lines.append((cells, bool(reader) and row.get("userid") == reader))
    wide = {key: max((len(cells.get(key, ())) for cells, _ in lines), default=0) for key in heads}
    even = [
        [each for key in heads for each in _even(cells.get(key, ()), wide[key])]
        for cells in ({key: [(head, "")] for key, head in heads.items()}, *(c for c, _ in lines))
    ]
    kept = [_column(each) for each in zip(*even, strict=True) if any(said for said, _ in each)]
    if not (lines and kept):
        return Table((), ())
    titles, *further = zip(*kept, strict=True)
    are_own = (is_own for _, is_own in lines)
    return Table(
        titles if any(each.said for each in titles) else (),
        [Row(cells, is_own) for cells, is_own in zip(further, are_own, strict=True)],
    )


_Tap = tuple[str, str]  # what a cell says and sends


def _value(key: str, number: int, row: Mapping[str, Any]) -> object:
    if "{" in key:
        return key.format_map(row)
    return number if key == "#" else row.get(key, "")


def _cells(key: str, value: object) -> list[_Tap]:
    if isinstance(value, list | tuple):
        return [(_in_line(each), "") for each in value]
    if isinstance(value, bool):
        return [(key if value else "", "")]
    return [(_in_line(value), "")]


def _in_line(value: object) -> str:
    return str(value).replace("\n", " ")


def _even(cells: Sequence[_Tap], count: int) -> list[_Tap]:
    return [*cells, *[("", "")] * (count - len(cells))]


def _column(column: Sequence[_Tap]) -> list[Cell]:
    """Return the cells of a column, its head first: one of numbers is set right."""
    is_number = all(said == _LEFT_OUT or _NUMBER.fullmatch(said) for said, _ in column[1:])
    return [Cell(said, sends, is_number) for said, sends in column]


def in_columns(table: Table) -> str:
    """Return a table as text."""
    rows = (
        [table.heads, *(cells for cells, _ in table.rows)]
        if table.heads
        else [cells for cells, _ in table.rows]
    )
    widths = [max(len(each.said) for each in column) for column in zip(*rows, strict=True)]
    lines = []
    for cells in rows:
        padded = [
            each.said.rjust(width) if each.is_number else each.said.ljust(width)
            for each, width in zip(cells, widths, strict=True)
        ]
        lines.append(hang(f"  {'  '.join(padded)}".rstrip(), "", "      "))
    return "\n".join(lines)


def dated(said: str, year: str, translator: Translator) -> Markup:
    """Return what a cell says as HTML, with dates as people write them, and their year if it is another."""

    def day(date: re.Match[str]) -> str:
        form = DAY if date[1] == year else DAY_OF_YEAR
        month = MONTHS[int(date[2]) - 1]
        return translator.say(form.given(day=int(date[3]), month=month, year=date[1]))

    told, dates = _DATE.subn(day, said)
    return style.unbroken(told) if dates or len(told) > _SHORT else escape(told)


FILTERS = (sent, in_sentence, with_words, headed, columns, in_columns, dated)
