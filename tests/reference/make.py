"""Make the reference pages of docs/ from the program: ``PYTHONPATH=tests python tests/reference/make.py``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import click
import yaml  # type: ignore[import-untyped]
from reference import found, keys, meanings, sample

from pbmstar import games
from pbmstar.cli import main
from pbmstar.cli.options import Group
from pbmstar.command.table import GAME_VERBS, SERVER_VERBS, usage
from pbmstar.command.verb import Verb, Who
from pbmstar.config import KEYS
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
        "A command is a line of a message, or its Subject. [Playing](../playing.md) shows how to begin. In the usage lines"
        " you replace words such as `userid` and `board#` by your own; what stands in brackets may be left out."
    )
    yield ""
    yield "Who may send it:"
    yield ""
    yield "- *a player of the board*: with the password, or in reply to a letter about the board."
    yield "- *an account*: with the password, or in reply to any letter."
    yield "- *an account, without proof*: from an address of an account. Only that account is answered."
    yield "- *anybody*: from any address."
    yield ""
    yield (
        "In a reply you leave out the words that the letter knows: game, board, userid and password. *any turn* says that"
        " the reply may also be to the letter of an earlier turn."
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
    """Yield each command with its words, those in groups too, without former names."""
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
        "Each command takes every key of the [configuration](configuration.md) as an option, before or after its words."
        " `--help` after any of them prints what stands here. [Exit statuses](exit-statuses.md) and"
        " [JSON](json.md) have pages of their own."
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
        records = [
            record
            for parameter in each.get_params(context)
            if (record := parameter.get_help_record(context)) and "--help" not in record[0]
            if isinstance(parameter, click.Option)
        ]
        if records:
            yield from table(("Option", ""), ((code(option), text) for option, text in records))
    yield "## Former names"
    yield ""
    yield "They work until 1.1, and say what to write in their place."
    yield ""
    yield from table(("Before 1.0", "Now"), ((code(old), code(new)) for old, new in _former()))


def _summary(command: click.Command) -> str:
    return (command.help or "").partition("\n\n")[0]


def _marked(text: str) -> str:
    """Return a text of help for a page: signs that Markdown would read are escaped."""
    return text.replace("*", "\\*").replace("<", "&lt;").replace("``", "`")


def _anchor(name: str) -> str:
    return name.lower().replace(" ", "-")


def _former() -> Iterator[tuple[str, str]]:
    def walk(command: click.Command, words: tuple[str, ...]) -> Iterator[tuple[str, str]]:
        if not isinstance(command, click.Group):
            return
        context = click.Context(command)
        if isinstance(command, Group):
            for old, new in command.renamed.items():
                yield " ".join((*words, old)), " ".join((*words, new))
            for old, unread in command.unread.items():
                if unread.now:
                    yield " ".join((*words, old)), unread.now
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from walk(inner, (*words, name))

    yield from sorted(
        [
            *walk(main, ()),
            ("admin suppress ADDRESS", "admin suppress add ADDRESS"),
            ("admin suppress --lift ADDRESS", "admin suppress remove ADDRESS"),
            ("admin alerts mute 0h", "admin alerts unmute"),
            ("bot --bench", "bot bench"),
        ]
    )


# -- keys, statuses, letters


def configuration() -> Iterator[str]:
    """Yield the page about the keys of the configuration."""
    yield "# Configuration"
    yield ""
    yield (
        "Each key is, in this order of precedence, an option of every command (`--nag-days 3`), an environment variable"
        " (`PBMSTAR_NAG_DAYS=3`), or a line of a TOML file (`nag_days = 3`): the one that `--config` names, else"
        " `./pbmstar.toml`, else `/etc/pbmstar.toml`. `pbmstar config` prints each key, its value, and where it comes"
        " from."
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
        "`pbmstar receive` never ends with 1 or 2: whatever is wrong here, the mail server keeps the message. The daemon"
        " ends with 75 if it cannot go on now, and systemd starts it again; with 2 it stays ended."
    )


def letters() -> Iterator[str]:
    """Yield the page about what programs may read in letters."""
    yield "# Letters"
    yield ""
    yield (
        "What mail programs and scripts may rely on in the letters that pbmstar sends. All of it holds for accounts with"
        " the language `en`, which is the default; with another one, what stands after ` - ` in a Subject and the"
        " sentences of the text part are translated, and headers, Subjects and order stay."
    )
    yield ""
    yield "## Headers"
    yield ""
    yield from table(
        ("Header", "Values", "Meaning"),
        ((code(name), *about) for name, about in meanings.HEADERS.items()),
    )
    yield (
        "Every letter has `Auto-Submitted` and a `Message-ID` that a second copy of it has too. `Reply-To` is an address"
        " that speaks for its reader: keep it secret. `List-Unsubscribe` ends letters that come unasked."
    )
    yield ""
    yield "## Subjects"
    yield ""
    yield (
        "`GAME` is the title of a game, `USERID` an account, `17` any number, `MOVE` a move or a word. What stands in"
        " brackets may be missing; of what stands in braces there is one."
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
        "A letter about a board has a text part with these parts in this order. Lines have at most 72 columns of ASCII,"
        " except the drawing of Star at size 14, which has 73, and the address of a page."
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
        "Times are texts like `2026-12-06T14:20:00Z`, in UTC. More keys may come: ignore those that you do not know. A list"
        " without entries is `[]`."
    )
    yield ""
    yield "## analyse"
    yield ""
    yield (
        "`pbmstar analyse` reads one object a line, and answers each with one object a line, in order. A line that cannot"
        " be read is answered with `error` and `message`."
    )
    yield ""
    yield "```json"
    yield '{"game": "star", "options": {"size": 6, "maxi": true}, "moves": ["F6", "swap", "G7", "pass", "pass"]}'
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
        "One line of JSON for each event, on standard error: `journalctl -o cat -u pbmstar`. No line names a mail address,"
        " a password or a Subject. An event that is a sentence is a library's, such as asyncio's or psycopg's. More"
        " events and facts may come."
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
        "`codes` are the reasons why commands were refused, in the log, in `admin explain` and in"
        " `pbmstar_refusals_total`. The sentence is one that is said with the code; what it fills in stands in braces."
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
        "The figures that Prometheus reads, if the key `metrics` is set, and that `pbmstar admin metrics` prints. More may"
        " come. [Monitoring](../monitoring/alerts.yml) has rules for them, and a dashboard."
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
        "Letters to the address in the key `operator`, and lines of the [log](log.md#alert) with the kind. There is at most"
        " one letter of a kind in the time that the table says; what happens meanwhile is counted in the next one."
        " `pbmstar admin alerts mute 12h` keeps them to the log, `pbmstar admin alerts test` sends one."
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
        ("Kind", "Subject", "What has happened", "What to do", "Begin with", "One in"), rows
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


def index() -> Iterator[str]:
    """Yield the list of the pages."""
    yield "# Reference"
    yield ""
    yield (
        "These pages are made from the program, and a test compares them with it. What they name is promised:"
        " [Releasing](../releasing.md#what-is-promised) says how it may change."
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
