"""Counts of the house, to look at and never a reason to fail: ``python tests/bench/counts.py [CHECKOUT]``.

A count of another checkout is made by its own program: its modules are read as text, and a move is played
with what it has. Modules that cannot be imported first are looked for with ``--first``, each in a process of its own,
which takes some minutes. The sentences that stand in more than four files are named with ``--sentences``: whoever
changes a word of one changes all these.
"""

from __future__ import annotations

import argparse
import ast
import html
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.office import Office

ROOT = Path(__file__).parents[2]
ENOUGH = 4  # files for a sentence: its source, one letter, and two that quote it
_WORD = re.compile(r"[^\W_]\w*(?:['’]\w+)*|[.?!:](?!\w)")
_VALUE = "(?: [^ .?!:]+){1,8}? "  # the words of a value in a sentence
# No words of a sentence: the Subject by which a script names a letter, and what stands around line ends.
_JOINT = re.compile(r"""(?m)^< [^|\n]*|^[^\s|]*\| |=\n|\\n?|["']\s*\n\s*f?["']""")


def modules(root: Path) -> dict[str, str]:
    """Return the text of each module of the program by its full name, without migrations."""
    found = {}
    for path in sorted((root / "pbmstar").rglob("*.py")):
        if {"migrations", "packaging"} & set(path.parts):
            continue
        name = ".".join(path.relative_to(root).with_suffix("").parts)
        found[name.removesuffix(".__init__")] = path.read_text("utf-8")
    return found


def lines(text: str) -> int:
    """Return the number of lines of a text."""
    return len(text.splitlines())


def lines_below(folder: Path, *endings: str) -> int:
    """Return how many lines the files of a folder have whose names end so."""
    files = [path for path in folder.rglob("*") if path.name.endswith(endings)]
    return sum(lines(path.read_text("utf-8")) for path in files)


def functions(text: str) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Yield the functions of a module."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def public(text: str, name: str) -> list[str]:
    """Return the public names that a class leaves to others to make; none if the module lacks the class."""
    for node in ast.parse(text).body:
        if isinstance(node, ast.ClassDef) and node.name == name:
            named = [
                each.name
                if isinstance(each, ast.FunctionDef)
                else ast.unparse(each).split()[0].rstrip(":")
                for each in node.body
                if isinstance(each, ast.Assign | ast.AnnAssign)
                or (isinstance(each, ast.FunctionDef) and not each.decorator_list)
            ]
            return [each for each in named if not each.startswith("_")]
    return []


def imported(name: str, texts: dict[str, str], whole: bool = False) -> set[str]:
    """Return the modules of ours that a module imports while it is imported, and those that it gathers.

    ``whole``: also those that it imports for a type alone, or within a function, without what it gathers.
    """
    tree, found = ast.parse(texts[name]), set()
    is_package = any(other.startswith(f"{name}.") for other in texts)
    package = name.split(".") if is_package else name.split(".")[:-1]
    gathered: set[str] = set()
    for node in ast.walk(tree) if whole else _at_import(tree.body):
        if not whole and isinstance(node, ast.stmt):
            gathered |= set(re.findall(r"\bmodules\(['\"](\w+)['\"]\)", ast.unparse(node)))
        if isinstance(node, ast.Import):
            found |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) + 1 - node.level] if node.level else []
            stem = ".".join([*base, *([node.module] if node.module else [])])
            found |= {f"{stem}.{each.name}" for each in node.names}
    for kind in gathered:
        found |= {
            f"{other}.x"
            for other in texts
            if re.fullmatch(rf"pbmstar\.features\.\w+\.{kind}", other)
        }
    ours = set()
    for used in found:
        while used and used not in texts:
            used = used.rpartition(".")[0]
        ours |= {used} - {"", name, "pbmstar"}
    return ours


def _at_import(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        yield node
        for part in ("body", "orelse", "handlers"):
            yield from _at_import(getattr(node, part, []))


def circles(texts: dict[str, str], whole: bool = False) -> list[set[str]]:
    """Return the sets of modules that import one another in a circle (Tarjan); ``whole`` as above."""
    edges = {name: imported(name, texts, whole) for name in texts}
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found = []

    def visit(name: str) -> None:
        number[name] = low[name] = len(number)
        stack.append(name)
        for other in edges[name]:
            if other not in number:
                visit(other)
                low[name] = min(low[name], low[other])
            elif other in stack:
                low[name] = min(low[name], number[other])
        if low[name] == number[name]:
            at = stack.index(name)
            found.append(set(stack[at:]))
            del stack[at:]

    sys.setrecursionlimit(10_000)
    for name in texts:
        if name not in number:
            visit(name)
    return [each for each in found if len(each) > 1]


def not_first(texts: dict[str, str], root: Path) -> list[str]:
    """Return the modules that cannot be imported first in a fresh process."""
    return [
        name
        for name in texts
        if not name.endswith("__main__")
        and subprocess.run(
            [sys.executable, "-c", f"import {name}"],
            cwd=root, env={**os.environ, "PYTHONPATH": str(root)}, capture_output=True, check=False,
        ).returncode
    ]  # fmt: skip


def sentences(root: Path) -> dict[str, set[str]]:
    """Return the sentences of four words or more that are translated, and the sources of each."""
    found: dict[str, set[str]] = defaultdict(set)
    catalog = (root / "locale" / "pbmstar.pot").read_text("utf-8")
    for entry in catalog.split("\n\n")[1:]:
        sources = {name for line in re.findall("#: (.*)", entry) for name in line.split()}
        for said in re.findall(r'(?m)^msgid(?:_plural)? ((?:".*"\n)+)', entry):
            text = "".join(re.findall(r'"(.*)"', said)).replace("\\n", " ").replace("\\", "")
            for sentence in re.split(r"(?<=[.?!])\s+", text):
                if len(re.findall(r"[a-z]{2,}\b|\b[aA]\b", re.sub(r"{\w*}", "", sentence))) >= 4:
                    found[sentence] |= sources
    return found


@cache
def places(root: Path) -> dict[str, set[str]]:
    """Return the files besides locale/ in which each sentence stands: its sources, tests, and whatever quotes it."""
    listed = subprocess.run(
        ["git", "ls-files"], cwd=root, capture_output=True, text=True, check=True
    )
    texts = {}
    for name in listed.stdout.splitlines():
        if not name.startswith(("locale/", "pbmstar/", "templates/")) and (root / name).is_file():
            text = _JOINT.sub(" ", (root / name).read_text("utf-8", "replace"))
            texts[name] = f" {_words(html.unescape(text))} "
    found = {}
    for sentence, sources in sentences(root).items():
        parts = [*filter(None, map(_words, re.split(r"{\w*}", sentence)))]
        pattern = re.compile(f" {_VALUE.join(map(re.escape, parts))} ")
        likely = {name for name, text in texts.items() if max(parts, key=len) in text}
        found[sentence] = sources | {name for name in likely if pattern.search(texts[name])}
    return found


def _words(text: str) -> str:
    return " ".join(_WORD.findall(text))


def stays(office: Office, raw: bytes, *rooms: str) -> tuple[int, int]:
    """Return how often a message changes modules within rooms, and to how many it comes.

    A stay is a run of calls in one module, by the order in which functions are entered.
    """
    entered: list[str] = []

    def note(frame: FrameType, event: str, _argument: object) -> None:
        name = frame.f_code.co_filename
        is_there = any(f"/pbmstar/{room}/" in name for room in rooms)
        if event == "call" and is_there and entered[-1:] != [name]:
            entered.append(name)

    sys.setprofile(note)
    try:
        office.deliver(raw)
    finally:
        sys.setprofile(None)
    return len(entered), len(set(entered))


def stays_of_a_move(office: Office) -> tuple[int, int]:
    """Return the stays of a move in service/. The password is known, and the opponent is a person."""
    board = office.begun()
    for player, move in (("alice", "H8"), ("bob", "E5")):
        office.deliver(_written(office, player, f"move {board}", move))
    return stays(office, _written(office, "alice", f"move {board}", "D4"), "service")


def stays_of_a_league_game(office: Office) -> tuple[int, int]:
    """Return the stays of the end of a league's game in service/ and features/, after four moves."""
    from pbmstar.features.contests.rows import Contests, Entrant
    from pbmstar.features.league import cli, seasons

    office.add("carol")
    office.add("dave", password="s3cret")
    with office.store.transaction() as tx:
        work = office.work(tx)
        league = cli.open_league(work, "star", None, ["-size=4"], 40)
        for userid in ("alice", "bob", "carol", "dave"):
            tx.of(Contests).set_entry(Entrant(league.id, userid, office.now))
        cli.begin_season(work, "star")
    seasons.carry_on(office.context, office.store)
    with office.store.transaction() as tx:
        pairings = tx.of(Contests).pairings(league.id)
    (game,) = (each for each in pairings if {*each.seats} == {"alice", "bob"})
    for player, move in zip(game.seats * 2, ("B4", "C3", "C5", "D2"), strict=True):
        office.deliver(_written(office, player, f"move {game.board}", move))
    return stays(office, _written(office, "alice", f"resign {game.board}"), "service", "features")


def _written(office: Office, player: str, command: str, more: str = "") -> bytes:
    from harness.office import PASSWORD

    return office.write(player, f"star {command} {player} {PASSWORD[player]} {more}")


def counts(root: Path) -> dict[str, int]:
    """Return each count of a checkout by its name."""
    texts = modules(root)
    from harness.office import Office

    with (
        tempfile.TemporaryDirectory() as home,
        closing(Office(f"sqlite:///{home}/db", Path(home, "spool"))) as office,
    ):
        entered, among = stays_of_a_move(office)
        # Of this program only: others have other leagues.
        of_league = stays_of_a_league_game(office)[0] if root == ROOT else 0
    each = [node for text in texts.values() for node in functions(text)]
    stems = Counter(name.rpartition(".")[2] for name in texts)
    questions = public(
        texts.get("pbmstar.service.work.feature") or texts["pbmstar.features.feature"], "Feature"
    )
    everything = "\n".join(texts.values())
    stand = places(root).values()
    looked_up = set(re.findall(r"getattr\((?:commands|module), (f?\"\w+|\w+)", everything))
    return {
        "lines of the program": sum(map(lines, texts.values())),
        "lines of templates and help": lines_below(root / "templates", ".txt", ".html")
        + lines_below(root / "help", ".txt"),
        "lines of documents": lines_below(root / "docs", ".md"),
        "lines of tests": lines_below(root / "tests", ".py"),
        "golden lines": lines_below(root / "tests", ".mails", ".letters", ".txt"),
        "modules": len(texts),
        "modules of features": sum(name.startswith("pbmstar.features.") for name in texts),
        "file names that stand twice": sum(count - 1 for count in stems.values()),
        "sentences in more than four files": sum(len(files) > ENOUGH for files in stand),
        "longest function": max((node.end_lineno or 0) - node.lineno + 1 for node in each),
        "questions and marks of Feature": len(questions),
        "ways of asking features": sum(
            bool(re.search(way, everything))
            for way in (
                r"for \w+ in \w*\.?context\.features\b",
                r"for \w+ in features\(",
                r"that_answer\(",
                r"\bowner\(",
                r"\bplayer_of\(",
            )
        ),
        "names looked up in modules at run time": len(looked_up),
        "circles of imports": len(circles(texts)),
        "modules in circles": sum(map(len, circles(texts))),
        "the same, with what is only for types": sum(map(len, circles(texts, whole=True))),
        "stays of a move in service/": entered,
        "returns of a move in service/": entered - among,
        "stays of a league game's end": of_league,
    }


def main() -> None:
    """Print the counts."""
    parser = argparse.ArgumentParser(description="Counts of the house.")
    parser.add_argument("checkout", nargs="?", type=Path, default=ROOT)
    parser.add_argument("--first", action="store_true", help="import each module first")
    parser.add_argument("--sentences", action="store_true", help="name those in many files")
    asked = parser.parse_args()
    root = asked.checkout.resolve()
    sys.path[:0] = [str(root), str(root / "tests")]
    for what, count in counts(root).items():
        print(f"{what:<40}{count:>8}")
    if asked.first:
        cannot = not_first(modules(root), root)
        print(f"{'modules that cannot be imported first':<40}{len(cannot):>8}", *cannot)
    for sentence, files in places(root).items() if asked.sentences else ():
        if len(files) > ENOUGH:
            print(f"{len(files):>4} {sentence}", *sorted(files), sep="\n       ")


if __name__ == "__main__":
    main()
