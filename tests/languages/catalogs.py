"""The catalogs of translations: ``python tests/languages/catalogs.py`` writes anew what follows from others.

``locale/pbmstar.pot`` has the sentences of all templates, of ``say`` and ``say_many`` in Python, and of the
tables of verbs and games. Each ``locale/<language>/LC_MESSAGES/pbmstar.po``, which a person edits, is brought
up to it, and the ``.mo`` beside it, which the server reads, is made from that. A sentence that was
changed keeps its translation, marked as fuzzy: it is not used until somebody has looked at it and taken the
mark away. ``locale/complete.txt`` says how much of its letters each language has: the server offers
those that have enough. Babel is needed here alone.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import redirect_stderr
from copy import deepcopy
from datetime import UTC, datetime
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from unittest import mock

import helppages
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from jinja2 import Environment

import pbmstar
from pbmstar import command, games
from pbmstar.render import trans

CHECKOUT = Path(pbmstar.__file__).parents[1]
LOCALE = CHECKOUT / "locale"
TEMPLATE = LOCALE / "pbmstar.pot"
KEYWORDS = {"say": None, "say_many": (1, 2), "tell": None, "tell_many": (1, 2)}
_SAYS = re.compile(rb"\b(?:%s)\(" % "|".join(KEYWORDS).encode())
OF_SITE = re.compile(r"templates/\w+/pages/|pbmstar/features/website/")  # what no letter says
# They change without a sentence that changes.
UNSTABLE = (
    "POT-Creation-Date",
    "PO-Revision-Date",
    "Last-Translator",
    "Generated-By",
    "Project-Id",
)
_NO_DAY = datetime(2000, 1, 1, tzinfo=UTC)  # so that the same sentences are the same bytes
_ALIKE = 0.6  # a changed sentence is at least so like the former one, by difflib
Found = tuple[str, str, str]  # the file, the sentence, its plural form or nothing


def of_templates() -> Iterator[Found]:
    """Yield the sentences of templates and help pages."""
    environment = Environment(extensions=[trans.Trans], trim_blocks=True, lstrip_blocks=True)
    for folder in ("templates", "help"):
        for path in sorted((CHECKOUT / folder).rglob("*.*")):
            name = path.relative_to(CHECKOUT).as_posix()
            tree = environment.parse(path.read_text("utf-8"), name, name)
            for each in trans.messages(tree):
                yield name, each.text, each.plural


def of_modules() -> Iterator[Found]:
    """Yield the sentences that Python says."""
    for path in sorted((CHECKOUT / "pbmstar").rglob("*.py")):
        content = path.read_bytes()
        if not _SAYS.search(content):
            continue
        # It warns of values of sentences that are put together.
        with redirect_stderr(io.StringIO()):
            found = list(extract("python", io.BytesIO(content), KEYWORDS))
        for _, said, _, _ in found:
            one, many = (said, "") if isinstance(said, str) else said
            yield path.relative_to(CHECKOUT).as_posix(), one, many


def of_scripts() -> Iterator[Found]:
    """Yield the sentences of the scripts of web pages."""
    for path in sorted((CHECKOUT / "pbmstar").rglob("*.js")):
        for text in trans.of_script(path.read_text("utf-8")):
            yield path.relative_to(CHECKOUT).as_posix(), text, ""


def of_tables() -> Iterator[Found]:
    """Yield what help pages say of commands and of the options of games."""
    for game in (None, *games.GAMES):
        for verb in command.verbs(game):
            yield "help/commands.txt", verb.doc, ""
        for option in game.options if game else ():
            yield "help/commands.txt", option.doc, ""


@cache
def extracted() -> Catalog:
    """Return the catalog without translations, which nobody changes."""
    catalog = Catalog(
        project="pbmstar", header_comment="# The sentences of pbmstar.\n#", fuzzy=False
    )
    for name, one, many in (*of_templates(), *of_modules(), *of_scripts(), *of_tables()):
        catalog.add((one, many) if many else one, locations=[(name, 0)])
    return catalog


def written(catalog: Catalog) -> bytes:
    """Return a catalog as text, the same for the same sentences."""
    file = io.BytesIO()
    write_po(file, catalog, width=100, include_lineno=False)
    lines = file.getvalue().decode("utf-8").splitlines(keepends=True)
    return "".join(
        line for line in lines if not line.startswith(tuple(f'"{u}' for u in UNSTABLE))
    ).encode()


def compiled(catalog: Catalog) -> bytes:
    """Return a catalog as the server reads it."""
    catalog.creation_date = _NO_DAY
    file = io.BytesIO()
    with mock.patch("babel.messages.catalog.VERSION", ""):  # it differs from machine to machine
        write_mo(file, catalog)
    return file.getvalue()


def languages() -> dict[str, Path]:
    """Return the catalog of each language."""
    return {path.parts[-3]: path for path in sorted(LOCALE.glob("*/LC_MESSAGES/pbmstar.po"))}


def read(language: str) -> Catalog:
    """Return the catalog of a language, brought up to the sentences that there are."""
    with languages()[language].open("rb") as file:
        return brought_up(read_po(file, locale=language), extracted())


def brought_up(catalog: Catalog, sentences: Catalog) -> Catalog:
    """Return a catalog with exactly these sentences.

    A sentence that has been changed keeps its translation, marked as fuzzy: it is no longer used until a person
    has looked at it. Only the translations of sentences that are gone are tried, as nobody else needs them.
    """
    gone = {_words(each): each for each in lost(catalog, sentences)}
    new = [each.id for each in sentences if each.id and each.id not in catalog]
    changed = [
        each.id
        for each in catalog
        if each.id in sentences and each.id != sentences[each.id].id  # its plural form alone
    ]
    catalog.update(deepcopy(sentences), no_fuzzy_matching=True)  # it takes the messages themselves
    catalog.obsolete.clear()
    for each in changed:
        catalog[each].flags.add("fuzzy")
    for each in new:
        message = catalog.get(each)
        assert message is not None
        for former in get_close_matches(_words(message), gone, 1, _ALIKE):
            text = gone.pop(former).string
            if isinstance(text, str) == isinstance(each, str):
                message.string = text
                message.flags.add("fuzzy")
    return catalog


def lost(catalog: Catalog, sentences: Catalog) -> list[Message]:
    """Return the messages with a translation whose sentences are gone."""
    return [
        each for each in catalog if each.id and any(each.string or ()) and each.id not in sentences
    ]


def _words(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[-1]


def fuzzy(catalog: Catalog) -> list[str]:
    """Return the sentences whose translations belong to what they were before."""
    return [_words(each) for each in catalog if each.id and each.fuzzy]


def complete(catalog: Catalog) -> int:
    """Return the part of the sentences of letters that a catalog has, in per cent, rounded down."""
    of_letters = [
        each
        for each in catalog
        if each.id and not all(OF_SITE.match(name) for name, _ in each.locations)
    ]
    has = sum(bool(each.string) and all(each.string) and not each.fuzzy for each in of_letters)
    return 100 * has // len(of_letters)


def files() -> dict[Path, bytes]:
    """Return all files that follow from others."""
    made, lines = {TEMPLATE: written(extracted())}, []
    for language, path in languages().items():
        catalog = read(language)
        made |= {path: written(catalog), path.with_suffix(".mo"): compiled(catalog)}
        lines.append(f"{language} {complete(catalog)}\n")
    return {**made, LOCALE / "complete.txt": "".join(lines).encode()}


def _told(language: str, before: Catalog, after: Catalog) -> Iterator[str]:
    """Yield what a translator must look at, and what has been thrown away."""
    for each in fuzzy(after):
        yield f"{language}: look at the translation, and take the mark fuzzy away: {each}"
    kept = {each.string for each in after if each.id}
    for former in lost(before, after):
        if former.string not in kept:
            yield f"{language}: thrown away, its sentence is gone: {_words(former)}"


if __name__ == "__main__":
    told = []
    for language, path in languages().items():
        with path.open("rb") as file:
            told += _told(language, read_po(file, locale=language), read(language))
    for path, content in files().items():
        path.write_bytes(content)
    print((LOCALE / "complete.txt").read_text(), end="")
    print(*told, sep="\n", end="\n" if told else "")
    for page in filter(lambda each: each.is_stale, helppages.translated()):
        print(f"{page.path.relative_to(CHECKOUT)}: the English page has changed")
