"""Laws of the house: who imports whom, what the pure parts leave alone, what help may cost.

No law counts: how many lines, modules or caches there are is reported by ``tests/bench/counts.py``.
"""

from __future__ import annotations

import ast
import configparser
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from syntax import HOUSE, nodes

# Each part may import those above it, and itself.
ORDER = [
    "errors parts", "config machine", "games", "match", "grammar", "command",
    "identity inbound store", "bots", "ratings", "matchmaking", "render", "service", "delivery", "thinking", "intake", "mailbox", "smtp", "cli",
]  # fmt: skip
# The rooms of these parts: each may import those before it, and itself.
ROOMS = {
    "service": ["work", "letters", "reminders", "proof", "verbs", "upkeep",
                "admin", "incoming"],
    "store": ["people", "play", "post"],
}  # fmt: skip
IMPURE = {
    "asyncio", "datetime", "io", "logging", "os", "pathlib", "random", "secrets", "shutil", "socket",
    "sqlalchemy", "sqlite3", "subprocess", "sys", "tempfile", "threading", "time",
}  # fmt: skip
FACES = ("__init__", "__main__")
MODULES = {
    ".".join(path.relative_to(HOUSE.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for path in HOUSE.rglob("*.py")
    if "packaging" not in path.parts  # what builds the program is not part of it
}
LASTING = {name: path for name, path in MODULES.items() if "migrations" not in path.parts}


def ranks(order: list[str]) -> dict[str, int]:
    """Return the rank of each name."""
    return {name: rank for rank, names in enumerate(order) for name in names.split()}


def modules() -> list[tuple[str, str, Path]]:
    """Return part, name and file of every module of a part."""
    every = ((name.split(".")[1], name, path) for name, path in MODULES.items() if "." in name)
    return [each for each in every if each[0] != "__main__"]


def classes() -> Iterator[tuple[Path, ast.ClassDef]]:
    """Yield every class with its file."""
    for path in MODULES.values():
        yield from ((path, node) for node in nodes(path) if isinstance(node, ast.ClassDef))


@cache
def imports(path: Path) -> set[str]:
    """Return the full names of what a module imports, TYPE_CHECKING or not."""
    package = ["pbmstar", *path.relative_to(HOUSE).parent.parts]
    found = set()
    for node in nodes(path):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) + 1 - node.level] if node.level else []
            stem = ".".join([*base, *([node.module] if node.module else [])])
            found |= {f"{stem}.{name.name}" for name in node.names}
    return found


@cache
def needs(name: str) -> set[str]:
    """Return the modules of ours that a module imports."""
    found = set()
    for used in imports(MODULES[name]):
        while used and used not in MODULES:
            used = used.rpartition(".")[0]
        found |= {used} - {"", name}
    return found


def rooms_around(name: str) -> set[str]:
    """Return the packages that a module lies in, but for the outermost."""
    parts = name.split(".")
    return {".".join(parts[:count]) for count in range(2, len(parts))}


def loads(name: str) -> set[str]:
    """Return what has to be there before a module of ours: with all that it imports, the packages around that.

    Those around itself are being loaded by then, whoever comes first.
    """
    around = rooms_around(name) | {name}
    return needs(name).union(*(rooms_around(other) - around for other in needs(name)))


def depths(names: set[str], before: Callable[[str], set[str]] = needs) -> dict[str, int]:
    """Return how many of these modules each imports in a row. Raises CycleError."""
    within = {name: before(name) & names for name in names}
    depth: dict[str, int] = {}
    for name in TopologicalSorter(within).static_order():
        depth[name] = 1 + max((depth[other] for other in within[name]), default=0)
    return depth


def test_a_part_imports_only_what_stands_before_it() -> None:
    rank = ranks(ORDER)
    assert {part for part, _, _ in modules()} == {"features", *rank}
    for part, name, _ in modules():
        if part == "features":
            continue  # see tests/features/test_seam.py
        for other in needs(name) - {"pbmstar"}:
            there = other.split(".")[1]
            assert rank[there] < rank[part] or there == part, f"{name} imports {other}"


def test_no_modules_import_each_other_in_a_circle() -> None:
    """For a type alone, too: so each can be read once those are known that it imports, and be imported first."""
    assert depths(set(MODULES) - {"pbmstar"}, loads)


# A process that divides itself for each module: to start the interpreter 400 times would take minutes. What
# comes in a later line of words may find all of the earlier ones there, since those import nothing of it.
EACH_FIRST = """
import contextlib, gc, importlib, os, sys
# Not ours: what many of our modules import, or one that takes long.
import alembic.command, argon2, asyncio, click, difflib, email.parser, email.policy, email_validator, jinja2.ext
import lxml.etree, numba, PIL.Image, sqlalchemy.dialects.sqlite, sqlalchemy.orm
gc.disable()  # it would go through all of them, and copy them, in each child
for names in map(str.split, sys.argv[1:]):
    for name in names:
        if name in sys.modules:
            print("there", name, flush=True)
            continue
        child = os.fork()
        if not child:
            try:
                importlib.import_module(name)
            except BaseException as error:
                print("failed", name, type(error).__name__, error, flush=True)
            os._exit(0)
        os.waitpid(child, 0)
    for name in names:
        with contextlib.suppress(Exception):  # its child has said so
            importlib.import_module(name)
"""


def imported_first(*lines: str) -> tuple[list[str], list[str]]:
    """Import each of these modules in a process of its own, in which only earlier lines have been imported.

    Return what failed, and the names of those that could not be first: a module of an earlier line has
    gathered them.
    """
    command = [sys.executable, "-c", EACH_FIRST, *lines]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    failed, there = (re.findall(rf"(?m)^{word} (.*)", printed) for word in ("failed", "there"))
    return failed, there


@pytest.mark.slow
def test_each_module_can_be_imported_first() -> None:
    """Also those that gather the parts of features by their names, which no text of an import shows.

    Usually what comes later finds the earlier parts of the program loaded. That can't hide a circle, but a
    module that somebody forgot to import: before a release each starts with nothing.
    """
    every = [each for each in modules() if each[1] in LASTING and each[2].stem != "__main__"]
    lines = [
        " ".join(name for part, name, _ in every if part in line.split())
        for line in [*ORDER, "features"]
    ]
    if os.environ.get("PBMSTAR_TEST_RELEASE"):
        assert imported_first(" ".join(lines)) == ([], [])
    failed, there = imported_first(*lines)
    assert failed == []
    assert there and imported_first(" ".join(there)) == ([], [])


@pytest.mark.slow
def test_a_circle_would_be_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if one gathers the other by its name; and who is gathered before its turn is named."""
    (tmp_path / "one.py").write_text("from two import b\na = 1\n")
    (tmp_path / "two.py").write_text("from one import a\nb = 1\n")
    (tmp_path / "base.py").write_text("import importlib\nx = importlib.import_module('top').y\n")
    (tmp_path / "top.py").write_text("from base import x\ny = 1\n")
    (tmp_path / "part.py").write_text("y = 1\n")
    (tmp_path / "whole.py").write_text("import importlib\nx = importlib.import_module('part').y\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    failed, _ = imported_first("one two")
    assert [each.split()[:2] for each in failed] == [["one", "ImportError"], ["two", "ImportError"]]
    failed, _ = imported_first("base", "top")
    assert failed[0].split()[:2] == ["base", "ImportError"]
    assert imported_first("whole", "part") == ([], ["part"])


def test_what_is_installed_has_every_room() -> None:
    """setup.cfg names each; those with help and letters lie elsewhere in the checkout."""
    config = configparser.ConfigParser()
    config.read(HOUSE.parent / "setup.cfg")
    rooms = {name for name, path in MODULES.items() if path.stem == "__init__"}
    elsewhere = set(config["options"]["package_dir"].split()[::3])
    assert set(config["options"]["packages"].split()) == rooms | elsewhere


@pytest.mark.parametrize("room", ["intake", "smtp"])
def test_the_files_of_a_room_import_in_one_direction(room: str) -> None:
    """So a mail is followed through it without coming back: session -> take -> fate -> quarantine."""
    assert depths({name for part, name, _ in modules() if part == room})


def test_rules_matches_and_commands_are_pure() -> None:
    """Matches and seasons count days by the calendar; the time that it is, is an argument there too."""
    for part, _, path in modules():
        is_of_feature = part == "features" and path.stem in ("commands", "rules")
        if part in ("games", "match", "grammar", "command") or is_of_feature:
            impure = IMPURE if part in ("games", "grammar", "command") else IMPURE - {"datetime"}
            assert not {name.split(".")[0] for name in imports(path)} & impure, path
            assert not re.search(r"\b(?:now|utcnow|today)\(", path.read_text()), path


ROWS = (["bots", "rows"], ["matchmaking", "rows"], ["ratings", "rows"])
_SQL = re.compile(r"\bSELECT |\bINSERT INTO |\bDELETE FROM |\bUPDATE \S+ SET ")


def test_only_the_store_knows_sql_and_only_sessions_aiosmtpd() -> None:
    for part, name, path in modules():
        used = {name.split(".")[0] for name in imports(path)}
        is_of_rows = part == "features" and path.stem == "rows"
        is_of_rows |= name.split(".")[1:] in ROWS
        if part != "store" and not is_of_rows:
            assert "sqlalchemy" not in used and not _SQL.search(path.read_text()), name
        is_session = name in ("pbmstar.smtp.session", "pbmstar.smtp.lmtp")
        assert "aiosmtpd" not in used or is_session, name


def test_only_the_command_line_and_the_configuration_read_the_environment() -> None:
    for part, name, path in modules():
        if "os.environ" in path.read_text():
            assert part in ("cli", "config", "intake"), name


HELP = """
import sys
from pbmstar.cli import main
heavy = "sqlalchemy jinja2 aiosmtpd argon2 email_validator lxml alembic asyncio".split()
for words in ("--version", "--help", "admin --help", "analyse star F6"):
    try:
        main(words.split())
    except SystemExit:
        pass
    loaded = [name for name in heavy if name in sys.modules]
    assert not loaded, (words, loaded)
print("all said")
"""


def test_help_and_rules_import_nothing_that_they_do_not_need() -> None:
    told = subprocess.run([sys.executable, "-c", HELP], capture_output=True, text=True, check=False)
    assert told.stdout.endswith("all said\n"), told.stderr


LOOKS = """
import sys
from pbmstar.cli import main
heavy = "jinja2 aiosmtpd email_validator lxml PIL alembic sqlalchemy.dialects.postgresql".split()
lists = "user outbox quarantine suppress bot league cup ladder".split()
for words in ("status", "audit", "top", *(f"{each} list" for each in lists)):
    try:
        main(["admin", *words.split()])
    except SystemExit as end:
        assert not end.code, words
    loaded = [name for name in heavy if name in sys.modules]
    assert not loaded, (words, loaded)
print("all said")
"""


@pytest.mark.slow
def test_to_look_at_one_thing_needs_no_letters_and_no_other_database(tmp_path: Path) -> None:
    def run(*words: str) -> str:
        environment = {**os.environ, "PBMSTAR_SPOOL": str(tmp_path)}
        command = [sys.executable, *words]
        told = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        assert not told.stderr, told.stderr
        return told.stdout

    run("-m", "pbmstar", "admin", "user", "add", "alice", "a@alice.example", "--no-letter")
    assert run("-c", LOOKS).endswith("all said\n")


@pytest.mark.parametrize("program", ["delivery.process", "bots.engine.__main__"])
def test_letters_and_bots_need_no_database(program: str) -> None:
    """To load it takes half of their start, and 20 MB that each such process has for itself."""
    code = f"import sys\nimport pbmstar.{program}\nprint('sqlalchemy' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout == "False\n"


@pytest.mark.slow
def test_the_daemon_reads_html_and_draws_only_when_it_has_to() -> None:
    """The reader of HTML is loaded with the first mail that has some; another process draws pictures."""
    code = "import sys\nimport pbmstar.smtp.server, pbmstar.service.upkeep.rounds"
    code += "\nprint({'lxml', 'PIL'} & set(sys.modules))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout == "set()\n"


def test_a_time_says_which_kind_it_is() -> None:
    """``times`` has the kinds: since 1970, how long, or of a clock that never goes back."""
    bare = re.compile(
        r"\b(?:now|at|since|until|begin|begun|made|due|patience|window|pause): float\b"
    )
    for path in HOUSE.rglob("*.py"):
        assert not bare.findall(path.read_text()), path


def rooms_of(part: str) -> dict[str, set[str]]:
    """Return the modules of each room of a part, without the faces of the rooms."""
    rooms: dict[str, set[str]] = {}
    for name, path in LASTING.items():
        if path.parent.parent == HOUSE / part and path.stem not in FACES:
            rooms.setdefault(path.parent.name, set()).add(name)
    return rooms


@pytest.mark.parametrize("part", ROOMS)
def test_a_room_in_a_room_imports_only_those_before_it(part: str) -> None:
    """And its modules import one another in one direction."""
    rooms, rank = rooms_of(part), ranks(ROOMS[part])
    assert set(rooms) == set(rank)
    every = set().union(*rooms.values())
    for room, names in rooms.items():
        for name in names:
            for other in needs(name) & every:
                there = other.split(".")[2]
                assert rank[there] < rank[room] or there == room, f"{name} imports {other}"
        assert depths(names), room


def test_of_what_lies_beside_its_rooms_a_subject_of_the_store_needs_little() -> None:
    """The tables, their rows, and how statements are run. In service/ nothing lies beside."""
    assert {path.stem for path in (HOUSE / "service").glob("*.py")} == {"__init__"}
    beside = {name for name, path in MODULES.items() if path.parent == HOUSE / "store"}
    known = {f"pbmstar.store.{name}" for name in ("columns", "forms", "schema", "statements")}
    for name in set().union(*rooms_of("store").values()):
        assert needs(name) & beside <= known, name


def test_a_transaction_inherits_nothing() -> None:
    """It is made of subjects, each with a name of its own, so that a reader knows where a fact is kept."""
    (tx,) = (node for path, node in classes() if path == HOUSE / "store" / "transaction.py")
    assert not tx.bases


# Methods of every named tuple, and of the system.
_PUBLIC = {"_replace", "_asdict", "_fields", "_exit"}


def last_name(node: ast.AST) -> str:
    """Return what a name, or an attribute, is called; empty if it is neither."""
    return getattr(node, "id", getattr(node, "attr", ""))


# A private name behind anything but self, in an import, alone on a line, or in quotes.
_MAY_BE_PRIVATE = re.compile(
    r"(?m)(?<!\bself)\._[A-Za-z]|\bimport .*\b_[A-Za-z]|^\s+_\w+,?$|[\"'][\w.]*\b_[A-Za-z]"
)


def private_names(text: str) -> Iterator[str]:
    """Yield the private names that a module uses and has not made itself."""
    if not _MAY_BE_PRIVATE.search(text):
        return
    module, own = ast.parse(text), set(_PUBLIC)
    for node in ast.walk(module):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            own.add(node.name)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            own |= {node.attr} if last_name(node.value) == "self" else set()
    for node in ast.walk(module):
        used: list[str] = []
        if isinstance(node, ast.Attribute):
            used = [node.attr]
        elif isinstance(node, ast.ImportFrom):
            used = [each.name for each in node.names]
        elif isinstance(node, ast.Call) and last_name(node.func) in ("setattr", "object", "patch"):
            words = (each.value for each in node.args if isinstance(each, ast.Constant))
            used = [word.rpartition(".")[2] for word in words if isinstance(word, str)]
        yield from (name for name in used if re.match("_[A-Za-z]", name) and name not in own)


def test_no_test_touches_a_private_name_of_the_program() -> None:
    """It uses what a caller would use, or the name has a contract."""
    for path in Path(__file__).parent.parent.rglob("*.py"):
        assert not list(private_names(path.read_text())), path


@pytest.mark.parametrize(
    "line",
    [
        "work._undo()",
        "made(1)._undo = None",
        "from pbmstar.x import y, _undo",
        "from pbmstar.x import (\n    y,\n    _undo,\n)",
        'monkeypatch.setattr(x, "_undo", None)',
        'mock.patch.object(\n    x, "_undo"\n)',
        'mock.patch("pbmstar.x._undo")',
    ],
)
def test_a_private_name_is_found(line: str) -> None:
    assert list(private_names(line)) == ["_undo"]
    assert not list(private_names(f"{line}\n\n\ndef _undo(): ..."))
