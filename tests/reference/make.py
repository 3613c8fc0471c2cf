"""Make the reference pages of docs/ from the program: ``PYTHONPATH=tests python tests/reference/make.py``."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import click
import yaml  # type: ignore[import-untyped]
from reference import found, keys, meanings, sample

from pbmstar import errors, games
from pbmstar.cli import main
from pbmstar.cli.options import example_of
from pbmstar.command.table import GAME_VERBS, SERVER_VERBS, usage
from pbmstar.config import KEYS
from pbmstar.games import sgf
from pbmstar.games.base import Bounds, Ending, Game, Option, Position, Score
from pbmstar.games.grids import Grid
from pbmstar.grammar.verb import Verb, Who
from pbmstar.service.admin.metrics import names
from pbmstar.service.letters.alerts import kinds

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "reference"
NOTE = "<!-- Made from the program by tests/reference/make.py: change it there, and a test compares. -->"


def table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    """Yield the lines of a table."""
    heads = list(heads)
    yield f"| {' | '.join(heads)} |"
    yield f"|{'---|' * len(heads)}"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"
    yield ""


def code(text: str) -> str:
    """Return a text as it is typed; none for no text."""
    return f"`{text}`" if text else ""


# -- players' commands

_WHO = {
    Who.PLAYER: "a player of the board",
    Who.ACCOUNT: "an account",
    Who.ADDRESS: "an account, without proof",
    Who.ANYBODY: "anybody",
}


def commands() -> Iterator[str]:
    """Yield the page about the commands of players."""
    yield "# Players' commands"
    yield ""
    yield (
        "A command is a line of your message, or its Subject. If you're new, start with [Playing](../playing.md). In the"
        " usage lines, replace words such as `userid` and `board#` with your own. You can leave out anything in brackets."
    )
    yield ""
    yield "Who can send it:"
    yield ""
    yield "- *a player of the board*: with the password, or in reply to a letter about the board."
    yield "- *an account*: with the password, or in reply to any letter."
    yield "- *an account, without proof*: from an address of an account. Only that account is answered."
    yield "- *anybody*: from any address."
    yield ""
    yield (
        "In a reply, leave out what the letter knows: game, board, userid and password. *any turn* means that you can also"
        " reply to the letter about an earlier turn."
    )
    yield ""
    star, queens = games.find("star"), games.find("queens")
    yield "## In games for two"
    yield ""
    yield f"`star` stands for the word of the game: {_words(2)}."
    yield ""
    yield from _verbs((verb for verb in GAME_VERBS if 2 in verb.seats), star)
    yield "## In puzzles only"
    yield ""
    yield f"`queens` stands for the word of the puzzle: {_words(1)}."
    yield ""
    yield from _verbs((verb for verb in GAME_VERBS if verb.seats == (1,)), queens)
    yield "Puzzles also have these commands of games for two:"
    both = [verb.name for verb in GAME_VERBS if 1 in verb.seats and 2 in verb.seats]
    yield f"{', '.join(map(code, both))}."
    yield ""
    yield "## Of the server"
    yield ""
    yield from _verbs(SERVER_VERBS, None)
    yield "## Options of a challenge"
    yield ""
    yield "You write each as `-name=value`, or as `-name` if it takes none, before the userids. All games for two take:"
    yield ""
    yield from table(
        ("Option", "Values", "If it is not given", ""),
        ((code(f"-{name}"), *about) for name, about in meanings.TERMS.items()),
    )
    for game in games.GAMES:
        yield f"### {game.title.replace('*', chr(92) + '*')}"
        yield ""
        aliases = f", also {', '.join(map(code, game.aliases))}" if game.aliases else ""
        yield f"`{game.word}`{aliases}"
        yield ""
        if game.options:
            rows = (
                (code(f"-{option.name}"), _values(option), _default(option), option.doc)
                for option in game.options
            )
            yield from table(("Option", "Values", "If it is not given", ""), rows)
        else:
            yield "It has no options."
            yield ""


def _words(seats: int) -> str:
    return ", ".join(code(game.word) for game in games.GAMES if len(game.seats) == seats)


def _verbs(verbs: Iterable[Verb], game: Any) -> Iterator[str]:
    rows = []
    for verb in verbs:
        lines = "<br>".join(map(code, usage(verb, game)))
        also = f"<br>also {', '.join(map(code, verb.aliases))}" if verb.aliases else ""
        reply = "any turn" if verb.any_turn else "yes" if verb.reply else ""
        example = f"{game.word} {verb.example}" if game and verb in GAME_VERBS else verb.example
        rows.append((f"{lines}{also}", verb.doc, _WHO[verb.who], reply, code(example)))
    yield from table(("Command", "What it does", "Who", "First word of a reply", "Example"), rows)


def _values(option: Any) -> str:
    if not option.range:
        return "none"
    least, most = option.range
    return f"{least} to {most}"


def _default(option: Any) -> str:
    return str(option.default) if option.range else ""


# -- the program


def leaves(
    command: click.Command, words: tuple[str, ...] = ()
) -> Iterator[tuple[str, click.Command]]:
    """Yield each command with its words, those in groups too."""
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from leaves(inner, (*words, name))
    else:
        yield " ".join(words), command


def program() -> Iterator[str]:
    """Yield the page about the commands of the program."""
    yield "# The program"
    yield ""
    yield (
        "You can give every key of the [configuration](configuration.md) to every command, as an option before or after its"
        " words. `--help` prints the same as this page. See also [Exit statuses](exit-statuses.md) and [JSON](json.md)."
    )
    yield ""
    every = sorted(leaves(main), key=lambda each: (each[0].startswith("admin "), each[0]))
    yield from table(
        ("Command", ""), ((f"[{name}](#{_anchor(name)})", _summary(each)) for name, each in every)
    )
    for name, each in every:
        context = click.Context(each, info_name=f"pbmstar {name}")
        usage_line = " ".join(each.collect_usage_pieces(context)).removeprefix("[OPTIONS]").strip()
        yield f"## {name}"
        yield ""
        yield f"`{f'pbmstar {name} {usage_line}'.strip()}`"
        yield ""
        for paragraph in (each.help or "").split("\n\n"):
            yield _marked(" ".join(paragraph.split()))
            yield ""
        yield f"For example: `{example_of(each, name)}`"
        yield ""
        records = [
            record
            for parameter in each.get_params(context)
            if (record := parameter.get_help_record(context)) and "--help" not in record[0]
            if isinstance(parameter, click.Option)
        ]
        if records:
            yield from table(("Option", ""), ((code(option), text) for option, text in records))


def _summary(command: click.Command) -> str:
    return (command.help or "").partition("\n\n")[0]


def _marked(text: str) -> str:
    """Return a text of help for a page: signs that Markdown would read are escaped."""
    return text.replace("*", "\\*").replace("<", "&lt;").replace("``", "`")


def _anchor(name: str) -> str:
    return name.lower().replace(" ", "-")


# -- keys, statuses, letters


def configuration() -> Iterator[str]:
    """Yield the page about the keys of the configuration."""
    yield "# Configuration"
    yield ""
    yield (
        "You can set a key as an option of any command (`--nag-days 3`), as an environment variable"
        " (`PBMSTAR_NAG_DAYS=3`), or in a TOML file (`nag_days = 3`). The first of these wins. The file is the one you name"
        " with `--config`, or `./pbmstar.toml`, or `/etc/pbmstar.toml`. `pbmstar config` prints each key, its value, and"
        " where it comes from."
    )
    yield ""
    rows = (
        (
            code(name),
            key.metadata["form"].replace("on|off", "`on` or `off`"),
            code(key.metadata["default"].replace("{spool}", "SPOOL")),
            key.metadata["doc"].replace("*", "\\*"),
        )
        for name, key in KEYS.items()
    )
    yield from table(("Key", "Value", "Default", ""), rows)
    yield "`SPOOL` at the beginning of a path in `relay` and `database` stands for the spool."


def statuses() -> Iterator[str]:
    """Yield the page about exit statuses."""
    yield "# Exit statuses"
    yield ""
    yield "Every command of the program ends with one of these."
    yield ""
    yield from table(
        ("Status", "Meaning"), ((str(n), text) for n, text in meanings.STATUSES.items())
    )
    yield (
        "`pbmstar receive` never ends with 1 or 2, so the mail server keeps the message whatever goes wrong. If the daemon"
        " can't go on, it ends with 75, and systemd starts it again. After 2, it stays down."
    )


def letters() -> Iterator[str]:
    """Yield the page about what programs may read in letters."""
    yield "# Letters"
    yield ""
    yield (
        "Your scripts and email apps can rely on the following in pbmstar's letters. It's all true for letters in English"
        " (`en`), which is the default. In other languages, sentences and whatever follows ` - ` in a Subject are translated,"
        " but headers, Subjects and the order stay the same."
    )
    yield ""
    yield "## Headers"
    yield ""
    yield from table(
        ("Header", "Values", "Meaning"),
        ((code(name), *about) for name, about in meanings.HEADERS.items()),
    )
    yield (
        "Every letter has `Auto-Submitted` and a `Message-ID`, and if a letter arrives twice, both copies have the same one."
        " Keep `Reply-To` secret, because anyone can play for you with it. `List-Unsubscribe` turns off letters you haven't"
        " asked for."
    )
    yield ""
    yield "## Subjects"
    yield ""
    yield (
        "`GAME` is the title of a game, `USERID` an account, `17` any number, and `MOVE` a move or a word. Parts in brackets"
        " can be missing. Of the parts in braces, there's exactly one."
    )
    yield ""
    yield from table(
        ("Subject", "The letter"), ((code(s), t) for s, t in meanings.SUBJECTS.items())
    )
    yield "After a Subject about a board, or of a daily letter, may come:"
    yield ""
    yield from table(("", "Meaning"), ((code(s.strip()), t) for s, t in meanings.ADDED.items()))
    yield f"The titles of games are {', '.join(code(game.title) for game in games.GAMES)}."
    yield ""
    yield f"TOPIC of a letter about an account is one of: {', '.join(map(code, topics()))}."
    yield ""
    yield "## The text part"
    yield ""
    yield (
        "The text of a letter about a board has these parts, in this order. Lines have at most 72 columns of ASCII. Only the"
        " drawing of Star at size 14 (73 columns) and the address of a page can be longer."
    )
    yield ""
    yield from table(
        ("Part", "As a regular expression", ""),
        ((name, code(pattern), text) for name, pattern, text in meanings.PARTS),
    )
    for title, letter in zip(
        ("A letter after a move", "The last letter of a game"), sent().values(), strict=True
    ):
        yield f"### {title}"
        yield ""
        yield "```text"
        yield f"Subject: {letter.subject}"
        yield from (
            f"{name}: {value}" for name, value in letter.head if name.startswith("X-Pbmstar")
        )
        yield ""
        yield letter.text.rstrip("\n")
        yield "```"
        yield ""


@cache
def sent() -> Any:
    """The letters that are shown."""
    return sample.letters()


def topics() -> list[str]:
    """Return the topics of letters about an account, as far as the program's text has them."""
    told = found.topics()
    return sorted(each for each in told if each and "{" not in each)


# -- JSON


def flat(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield each key of an object with the type of its value, those of objects in it as ``moves[].at``."""
    if isinstance(value, dict) and path.rpartition(".")[2].removesuffix("[]") not in keys.FREE:
        if path and not path.endswith("[]"):
            yield path, "object"
        for name, inner in value.items():
            yield from flat(inner, f"{path}.{name}" if path else name)
    elif isinstance(value, list):
        yield path, "list"
        for inner in value:
            if isinstance(inner, dict):
                yield from flat(inner, f"{path}[]")
    else:
        yield path, _TYPES[type(value)]


_TYPES = {
    str: "text",
    int: "number",
    float: "number",
    bool: "true or false",
    type(None): "null",
    dict: "object",
}


@cache
def printed() -> dict[str, dict[str, set[str]]]:
    """Return for each command its keys, each with the types of its values."""
    every: dict[str, dict[str, set[str]]] = {}
    for command, entries in sample.printed().items():
        types = every.setdefault(command, {})
        for entry in entries:
            for path, kind in flat(entry) if isinstance(entry, dict) else ():
                types.setdefault(path, set()).add(kind)
    every["admin user export"] = {}
    return every


def meaning(command: str, path: str) -> str:
    """Return the meaning of a key. Raises LookupError if none is written."""
    name = path.rpartition(".")[2].removesuffix("[]")
    found_one = keys.OWN.get((command, path)) or keys.SHARED.get(name)
    if found_one is None:
        raise LookupError(f"{path} of {command}: write in tests/reference/keys.py what it means")
    return found_one


def json_page() -> Iterator[str]:
    """Yield the page about JSON."""
    yield "# JSON"
    yield ""
    yield (
        "Times are texts like `2026-12-06T14:20:00Z`, in UTC. An empty list is `[]`. We may add keys, so ignore any you"
        " don't know."
    )
    yield ""
    yield "## analyse"
    yield ""
    yield (
        "`pbmstar analyse` reads one object from each line and answers it with one object on a line, in order. If it can't"
        " read a line, it answers with `error` and `message`. Instead of game, options and moves, you can send a game of Hex"
        " or Y as SGF."
    )
    yield ""
    yield "```json"
    yield '{"game": "star", "options": {"size": 6, "maxi": true}, "moves": ["F6", "swap", "G7", "pass", "pass"]}'
    yield '{"sgf": "(;GM[11]SZ[11];B[a2];W[swap-pieces];B[f6])"}'
    yield '{"game": "*star", "options": {"rings": 4}, "setup": {"X": ["*40"], "O": ["T40"]}, "to_move": "O", "moves": []}'
    yield "```"
    yield ""
    yield from table(
        ("Key of an answer", ""), ((code(key), text) for key, text in keys.ANALYSE.items())
    )
    for command, types in printed().items():
        yield f"## {command}"
        yield ""
        yield f"It prints {keys.PRINTS[command]}."
        yield ""
        if types:
            rows = (
                (code(path), _kinds(path, kinds_), meaning(command, path))
                for path, kinds_ in types.items()
            )
            yield from table(("Key", "Value", "Meaning"), rows)


def _kinds(path: str, seen: set[str]) -> str:
    """Return the types of a value; of one that was null in all samples, what it is otherwise too."""
    name = path.rpartition(".")[2]
    known = seen | ({keys.OTHERWISE[name]} if name in keys.OTHERWISE else set())
    return " or ".join(sorted(known, key=lambda kind: (kind == "null", kind)))


# -- log, figures, alerts


def log() -> Iterator[str]:
    """Yield the page about the log."""
    yield "# The log"
    yield ""
    yield (
        "The daemon writes one line of JSON for each event to standard error: `journalctl -o cat -u pbmstar`. You won't find"
        " an email address, a password or a Subject in it. If an event is a sentence, it's from a library, such as asyncio or"
        " psycopg. We may add events and facts."
    )
    yield ""
    yield "## Every line"
    yield ""
    yield from table(("Fact", ""), ((code(name), text) for name, text in meanings.COMMON.items()))
    levels: dict[str, set[str]] = {"mail": {"info", "warning", "error"}}
    for each in found.logged():
        levels.setdefault(each.event, set()).add(each.level)
    yield "## Events"
    yield ""
    for name, event in meanings.EVENTS.items():
        yield f"### {name}"
        yield ""
        yield f"{event.text} Level: {', '.join(code(each) for each in sorted(levels.get(name, {'info', 'warning'} if name == 'delivery' else {'info'})))}."
        yield ""
        if event.facts:
            yield from table(("Fact", ""), ((code(key), text) for key, text in event.facts.items()))
    yield "## Outcomes"
    yield ""
    yield "What came of a message: `outcome` of `mail`, and in `admin explain`."
    yield ""
    yield from table(
        ("Outcome", ""), ((code(name), text) for name, text in meanings.OUTCOMES.items())
    )
    for outcome, reasons in meanings.REASONS.items():
        yield f"`why`, if it was {outcome}:"
        yield ""
        yield from table(("Why", ""), ((code(why), text) for why, text in reasons.items()))
    yield f"`why`, if it was unreadable: {', '.join(code(each) for each in sorted(found.unreadable()))}."
    yield ""
    yield "## Limits"
    yield ""
    yield "`limits` names those that a message has reached; [Security](../security.md) has their sizes."
    yield ""
    yield from table(
        ("Limit", "Of"), ((code(name), text) for name, text in meanings.LIMITS.items())
    )
    yield "## Codes"
    yield ""
    yield (
        "`codes` are the reasons for refusals, in the log, in `admin explain` and in `pbmstar_refusals_total`. The sentence"
        " is an example of what the player reads, with values in braces."
    )
    yield ""
    yield from table(
        ("Code", "For example"),
        (
            (code(name), _sentence(meanings.CODES.get(name) or text))
            for name, text in found.codes().items()
        ),
    )


def _sentence(text: str) -> str:
    return _marked(" ".join(text.split()).replace("{...}", "..."))


def metrics() -> Iterator[str]:
    """Yield the page about figures."""
    yield "# Metrics"
    yield ""
    yield (
        "Prometheus reads these if you set `metrics`, and `pbmstar admin metrics` prints them. We may add more. There are"
        " [alert rules](../monitoring/alerts.yml) and a dashboard ([Set up monitoring](../how-to/set-up-monitoring.md))."
    )
    yield ""
    rows = (
        (code(name), each.kind, ", ".join(map(code, each.labels)), each.text)
        for name, each in sorted(names().items())
    )
    yield from table(("Name", "Kind", "Labels", ""), rows)
    yield "Bounds of the histograms:"
    yield ""
    for name, each in sorted(names().items()):
        if each.bounds:
            yield f"- `{name}`: {', '.join(f'{bound:g}' for bound in each.bounds)}"


def alerts() -> Iterator[str]:
    """Yield the page about alerts."""
    yield "# Alerts"
    yield ""
    yield (
        "You get alerts as letters to the address in `operator`, and as lines in the [log](log.md#alert). There's at most"
        " one letter of a kind in the time in the last column, and the next one says how often it has happened since."
        " `pbmstar admin alerts mute 12h` stops the letters, and `pbmstar admin alerts test` sends one."
    )
    yield ""
    rows = (
        (
            code(name),
            each.title,
            each.sentence,
            each.advice.rstrip(":"),
            code(each.command),
            "an hour" if each.pause == 3600 else "a day",
        )
        for name, each in sorted(kinds().items())
    )
    yield from table(
        ("Kind", "Subject", "What has happened", "What to do", "Start with", "One in"), rows
    )
    yield "## Rules for Prometheus"
    yield ""
    yield "They are in [alerts.yml](../monitoring/alerts.yml)."
    yield ""
    rules = yaml.safe_load((ROOT / "docs" / "monitoring" / "alerts.yml").read_text())
    every = [rule for group in rules["groups"] for rule in group["rules"]]
    yield from table(
        ("Alert", "What has happened", "What to do"),
        (
            (
                code(rule["alert"]),
                rule["annotations"]["summary"],
                code(rule["annotations"]["advice"]),
            )
            for rule in every
        ),
    )


# -- games as a library

# What a program that uses ``pbmstar.games`` needs; the rest of it may change without a word.
LIBRARY: dict[str, tuple[Any, tuple[str, ...]]] = {
    "pbmstar.games": (games, ("find", "make")),
    "Game": (
        Game,
        (
            "start", "setup", "read", "value", "described", "goal", "score", "bounds", "rank", "facts",
            "report", "verdict", "draw",
        ),
    ),
    "Position": (Position, ("over", "winner", "moves", "play", "resign", "end", "hint")),
    "Score": (Score, ("winner",)),
    "Bounds": (Bounds, ("of", "decided", "settled", "is_certain")),
    "Ending": (Ending, ()),
    "Option": (Option, ("usage",)),
    "Grid": (Grid, ("cell", "draw")),
    "pbmstar.games.sgf": (sgf, ("has", "read", "write")),
    "Record": (sgf.Record, ("positions",)),
    "pbmstar.errors": (errors, ("Refusal", "UnknownGame", "BadOption", "InvalidMove", "IllegalMove", "BadInput")),
}  # fmt: skip
EXAMPLE = """\
>>> from pbmstar import games
>>> from pbmstar.errors import IllegalMove
>>> hex5 = games.make("hex", {"size": 5})
>>> position = hex5.start()
>>> for words in ("b2", "D3", "C3", "c4"):
...     position = position.play(hex5.read([words]))
>>> print(hex5.draw(position.stones), end="")
      A B C D E
    1  . . . . .  1
     2  . x . . .  2
      3  . . x o .  3
       4  . . o . .  4
        5  . . . . .  5
            A B C D E
>>> position.to_move, position.played, position.over
('X', 4, False)
>>> list(position.moves())[:4]
['A1', 'B1', 'C1', 'D1']
>>> hex5.bounds(position.stones).decided is None  # both can still win
True
>>> try:
...     position.play("C3")
... except IllegalMove as refused:
...     refused.code
'taken'

A game with points, and what it can still come to:

>>> star = games.make("star", {"size": 4})
>>> board = star.setup(x=["D1", "E1", "C2"], o=["F1"])
>>> star.score(board.stones).points
(3, 1)
>>> star.bounds(board.stones).of("X")
(3, 18)

A game of Little Golem:

>>> from pbmstar.games import sgf
>>> record = sgf.read("(;FF[4]PB[ann]PW[joe]SZ[13]RE[B];W[ac];B[swap];W[ie];B[resign])")
>>> record.moves, record.names
(('A3', 'swap', 'E9'), ('ann', 'joe'))
>>> *_, last = record.positions()
>>> last.winner
'O'
"""


def library() -> Iterator[str]:
    """Yield the page about games as a library."""
    yield "# Games as a library"
    yield ""
    yield (
        "You can use the rules without a server: `pip install` this repository, and import `pbmstar.games`. It doesn't read"
        " files, write a log, or look at the clock, and positions never change: `play` returns a new one. The names on this"
        " page are [promised](../stability.md)."
    )
    yield ""
    for part in re.split(r"\n(?=[A-Z].*:\n\n)", EXAMPLE):
        title, _, code_ = ("", "", part) if part.startswith(">>>") else part.partition("\n\n")
        if title:
            yield title.strip()
            yield ""
        yield "```pycon"
        yield code_.strip()
        yield "```"
        yield ""
    for name, (home, members) in LIBRARY.items():
        yield f"## {code(name)}"
        yield ""
        yield from _explained(home)
        for member in members:
            yield from _member(home, member)


def _member(home: Any, name: str) -> Iterator[str]:
    """Yield a function, a method or a property with its signature."""
    found_one = inspect.getattr_static(home, name)
    if isinstance(found_one, property | cached_property | type):
        yield f"### {code(name)}"
    else:
        told = re.sub(r"\((?:self|cls)(?:, )?", "(", str(inspect.signature(found_one)), count=1)
        told = re.sub(r"(: |-> )'([^']*)'", r"\1\2", told).replace("<class 'str'>", "str")
        yield f"### {code(name + told)}"
    yield ""
    yield from _explained(found_one)


def _explained(what: Any) -> Iterator[str]:
    """Yield a docstring: its paragraphs, and its columns of names and meanings as a list."""
    for paragraph in re.split(r"\n\n", inspect.cleandoc(what.__doc__ or "").replace("``", "`")):
        if re.match(r"\w+  +\S", paragraph):
            joined = re.sub(r"\n +", " ", paragraph)
            for line in joined.splitlines():
                name, _, meaning_ = line.partition(" ")
                yield f"- {code(name)}: {' '.join(meaning_.split())}"
        else:
            yield " ".join(paragraph.split())
        yield ""


def index() -> Iterator[str]:
    """Yield the list of the pages."""
    yield "# Reference"
    yield ""
    yield (
        "These pages are made from the program, and a test compares them. You can rely on everything they name:"
        " [What you can rely on](../stability.md) explains how it may change."
    )
    yield ""
    for name, make in PAGES.items():
        if name != "README":
            yield f"- [{next(make()).removeprefix('# ')}]({name}.md)"


PAGES: dict[str, Callable[[], Iterator[str]]] = {
    "README": index,
    "commands": commands,
    "letters": letters,
    "program": program,
    "exit-statuses": statuses,
    "configuration": configuration,
    "json": json_page,
    "log": log,
    "metrics": metrics,
    "alerts": alerts,
    "games": library,
}


def page(name: str) -> str:
    """Return the text of a page."""
    text = "\n".join([NOTE, "", *PAGES[name]()])
    return re.sub(r"\n{3,}", "\n\n", text).rstrip("\n") + "\n"


def write() -> None:
    """Write all pages."""
    FOLDER.mkdir(exist_ok=True)
    for name in PAGES:
        (FOLDER / f"{name}.md").write_text(page(name))


if __name__ == "__main__":
    write()
