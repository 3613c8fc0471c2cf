"""Counts of the project, each beside what it was: to be looked at, never a reason to fail.

``python tests/counts.py`` prints them; ``tests/check.sh`` does so in the end, with the processor time of its
tests. ``--keep NAME`` writes them into ``counts.json`` beside this file, under the name of a release or commit.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from types import FrameType

from harness.office import PASSWORD, Office

ROOT = Path(__file__).parents[1]
HOUSE = ROOT / "pbmstar"
KEPT = Path(__file__).with_name("counts.json")
# By which words a file mentions a feature; a file whose name has one of them is the feature's own. Some are
# words of English too: an offer to end a game, the site of a listener.
FEATURES = {
    "ratings": r"rating|rated",
    "ladder": r"ladder|placing",
    "league": r"league|season",
    "offers": r"offer|seek|lobby",
    "watching": r"watch",
    "problem": r"problem|posing",
    "course": r"course|lesson",
    "bots": r"bots?(?![a-z])|botplay|thinker|thinking",
    "website": r"site",
}
SHARED = "features/contests/"  # what ladder and league have in common: counted, and said apart
SECONDS = "processor seconds of the tests"
_REMEMBERS = r"(?m)^ *@(?:lru_cache|cache|cached_property)\b|= lru_cache\("


def modules() -> dict[str, str]:
    """Return the text of each module of the program by its name in the house, without migrations."""
    return {
        path.relative_to(HOUSE).as_posix(): path.read_text("utf-8")
        for path in sorted(HOUSE.rglob("*.py"))
        if "migrations" not in path.parts
    }


def lines(text: str) -> int:
    """Return the number of lines of a text."""
    return len(text.splitlines())


def lines_below(folder: str, *endings: str) -> int:
    """Return how many lines the files of a folder have whose names end so."""
    files = [path for path in (ROOT / folder).rglob("*") if path.name.endswith(endings)]
    return sum(lines(path.read_text("utf-8")) for path in files)


def longest_function(texts: dict[str, str]) -> int:
    """Return the number of lines of the longest function."""
    return max(
        (node.end_lineno or 0) - node.lineno + 1
        for text in texts.values()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )


def subjects_of_a_transaction(text: str) -> int:
    """Return how many public names a transaction of the store has, of subjects and of its own."""
    (tx,) = (
        node
        for node in ast.parse(text).body
        if isinstance(node, ast.ClassDef) and node.name == "Tx"
    )
    names = {node.name for node in tx.body if isinstance(node, ast.FunctionDef)}
    names |= {
        node.attr
        for node in ast.walk(tx)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
    }
    return sum(not name.startswith("_") for name in names)


def mentions(texts: dict[str, str], words: str) -> list[str]:
    """Return the modules that mention a feature and aren't its own."""
    found = re.compile(rf"(?i)(?<![a-z])(?:{words})")
    named = re.compile(rf"(?i)(?:{words})")
    return [name for name, text in texts.items() if found.search(text) and not named.search(name)]


def stays_of_a_move() -> tuple[int, int]:
    """Return how often a move changes modules within service/, and to how many it comes.

    A stay is a run of calls in one module, by the order in which functions are entered. The password is
    known, and the opponent is a person.
    """
    entered: list[str] = []
    service = f"{HOUSE / 'service'}/"

    def note(frame: FrameType, event: str, _argument: object) -> None:
        name = frame.f_code.co_filename
        if event == "call" and name.startswith(service) and entered[-1:] != [name]:
            entered.append(name)

    with tempfile.TemporaryDirectory() as home:
        office = Office(f"sqlite:///{home}/db", Path(home, "spool"))
        with closing(office):
            board = office.begun()
            for player, move in (("alice", "H8"), ("bob", "E5")):
                office.deliver(
                    office.write(player, f"star move {board} {player} {PASSWORD[player]} {move}")
                )
            raw = office.write("alice", f"star move {board} alice {PASSWORD['alice']} D4")
            sys.setprofile(note)
            try:
                office.deliver(raw)
            finally:
                sys.setprofile(None)
    return len(entered), len(set(entered))


def counts() -> dict[str, int]:
    """Return each count by its name."""
    texts = modules()
    rooms = Counter(name.rpartition("/")[0] for name in texts if not name.endswith("__.py"))
    stays, among = stays_of_a_move()
    mentioned = {name: mentions(texts, words) for name, words in FEATURES.items()}
    shared = {
        f"of {name}, in contests/": sum(each.startswith(SHARED) for each in mentioned[name])
        for name in ("ladder", "league")
    }
    return {
        "lines of the program": sum(map(lines, texts.values())),
        "lines of templates and help": lines_below("templates", ".txt", ".html")
        + lines_below("help", ".txt"),
        "lines of documents": lines_below("docs", ".md"),
        "lines of tests": lines_below("tests", ".py"),
        "golden lines": lines_below("tests", ".mails", ".letters", ".txt"),
        "modules": len(texts),
        "longest module": max(map(lines, texts.values())),
        "longest module of tests": max(
            lines(path.read_text("utf-8")) for path in (ROOT / "tests").rglob("*.py")
        ),
        "longest function": longest_function(texts),
        "longest page of documents": max(
            lines(path.read_text("utf-8")) for path in (ROOT / "docs").glob("*.md")
        ),
        "modules of the largest room": max(rooms.values()),
        "file names that stand twice": sum(
            count - 1
            for stem, count in Counter(Path(name).stem for name in texts).items()
            if not stem.startswith("__")
        ),
        "caches": sum(len(re.findall(_REMEMBERS, text)) for text in texts.values()),
        "names of a transaction": subjects_of_a_transaction(texts["store/transaction.py"]),
        "stays of a move in service/": stays,
        "returns of a move in service/": stays - among,
        **{f"files that mention {name}": len(files) for name, files in mentioned.items()},
        **shared,
    }


def processor_seconds(times: str) -> float:
    """Return the seconds of the children in what ``times`` of a shell has written: ``1m2.5s 0m3.0s``."""
    spent = re.findall(r"(\d+)m([\d.]+)s", times.splitlines()[-1])
    return round(sum(60 * int(minutes) + float(seconds) for minutes, seconds in spent))


def report(found: Mapping[str, float], name: str, before: Mapping[str, float]) -> str:
    """Return a table: each count, what it was, and the difference."""
    rows = [f"{'':<32}{'now':>8}{name:>10}"]
    for what, count in found.items():
        was = before.get(what)
        change = f"{count - was:+g}" if was is not None and was != count else ""
        rows.append(f"{what:<32}{count:>8g}{'-' if was is None else was:>10}{change:>8}".rstrip())
    return "\n".join(rows)


def main() -> None:
    """Print the counts, or keep them."""
    parser = argparse.ArgumentParser(description="Counts of the project beside those kept.")
    parser.add_argument("--times", type=Path, help="what the shell's `times` wrote after the tests")
    parser.add_argument("--keep", metavar="NAME", help="keep them under the name of a release")
    asked = parser.parse_args()
    found: dict[str, float] = {**counts()}
    if asked.times:
        found[SECONDS] = processor_seconds(asked.times.read_text())
    if asked.keep:
        KEPT.write_text(json.dumps({"name": asked.keep, "counts": found}, indent=1) + "\n")
    kept = json.loads(KEPT.read_text())
    print(report(found, kept["name"], kept["counts"]))


if __name__ == "__main__":
    main()
