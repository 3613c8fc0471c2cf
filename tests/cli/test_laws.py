"""Laws of the house: who imports whom, what the pure parts leave alone, what help may cost."""

from __future__ import annotations

import ast
import configparser
import itertools
import re
import subprocess
import sys
from collections import Counter
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import pbmstar

HOUSE = Path(pbmstar.__file__).parent
# Each part may import those above it, and itself.
ORDER = [
    ["errors"],
    ["config", "machine"],
    ["games"],
    ["bot"],
    ["match"],
    ["contest"],
    ["command"],
    ["identity", "inbound", "store"],
    ["render"],
    ["service"],
    ["site"],
    ["delivery"],
    ["intake"],
    ["thinking"],
    ["smtp"],
    ["cli"],
]
RANK = {name: rank for rank, names in enumerate(ORDER) for name in names}
IMPURE = {
    "asyncio", "datetime", "io", "logging", "os", "pathlib", "random", "secrets", "shutil", "socket",
    "sqlalchemy", "sqlite3", "subprocess", "sys", "tempfile", "threading", "time",
}  # fmt: skip


def modules() -> list[tuple[str, Path]]:
    """(part of the house, file) of every module."""
    return [
        (path.relative_to(HOUSE).parts[0].removesuffix(".py"), path)
        for path in HOUSE.rglob("*.py")
        if path.relative_to(HOUSE).parts[0] not in ("__init__.py", "__main__.py")
    ]


@cache
def tree(path: Path) -> ast.Module:
    """The syntax of a module."""
    return ast.parse(path.read_text())


@cache
def imports(path: Path) -> set[str]:
    """Full names of what a module imports, TYPE_CHECKING or not."""
    package = ["pbmstar", *path.relative_to(HOUSE).parent.parts]
    found = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) + 1 - node.level] if node.level else []
            stem = ".".join([*base, *([node.module] if node.module else [])])
            found |= {f"{stem}.{name.name}" for name in node.names}
    return found


def test_a_part_imports_only_what_stands_before_it() -> None:
    for part, path in modules():
        for name in imports(path):
            parts = name.split(".")
            if parts[0] == "pbmstar" and len(parts) > 1 and (other := parts[1]) in RANK:
                assert RANK[other] < RANK[part] or other == part, f"{path} imports {name}"


def test_what_is_installed_has_every_room() -> None:
    """setup.cfg names each; those with help and letters lie elsewhere in the checkout."""
    config = configparser.ConfigParser()
    config.read(HOUSE.parent / "setup.cfg")
    named = set(config["options"]["packages"].split())
    rooms = {
        ".".join(path.parent.relative_to(HOUSE.parent).parts) for path in HOUSE.rglob("__init__.py")
    }
    assert named == rooms | set(config["options"]["package_dir"].split()[::3])


@pytest.mark.parametrize("room", ["intake", "smtp"])
def test_the_files_of_a_room_import_in_one_direction(room: str) -> None:
    """So a mail is followed through it without coming back: session -> take -> fate -> quarantine."""
    files = {
        f"pbmstar.{room}.{path.stem}": imports(path) for part, path in modules() if part == room
    }
    needs = {
        name: [other for other in files if any(f"{each}.".startswith(f"{other}.") for each in used)]
        for name, used in files.items()
    }
    TopologicalSorter(needs).prepare()  # raises CycleError


def test_every_part_has_its_place_in_the_order() -> None:
    assert {part for part, _ in modules()} == set(RANK)


def test_rules_matches_and_commands_are_pure() -> None:
    """Matches and seasons count days by the calendar; the time that it is, is an argument there too."""
    for part, path in modules():
        if part in ("games", "match", "contest", "command"):
            impure = IMPURE - {"datetime"} if part in ("match", "contest") else IMPURE
            assert not {name.split(".")[0] for name in imports(path)} & impure, path
            assert not re.search(r"\b(?:now|utcnow|today)\(", path.read_text()), path


def test_only_the_store_knows_sql_and_only_sessions_aiosmtpd() -> None:
    for part, path in modules():
        names = {name.split(".")[0] for name in imports(path)}
        assert "sqlalchemy" not in names or part == "store", path
        session = path.parent == HOUSE / "smtp" and path.stem in ("session", "lmtp")
        assert "aiosmtpd" not in names or session, path


def test_only_the_command_line_and_the_configuration_read_the_environment() -> None:
    for part, path in modules():
        if "os.environ" in path.read_text():
            assert part in ("cli", "config", "intake"), path


@pytest.mark.parametrize(
    "words",
    [["--help"], ["--version"], ["admin", "--help"], ["analyse", "star", "F6"]],
    ids=" ".join,
)
def test_help_and_rules_import_nothing_that_they_do_not_need(words: list[str]) -> None:
    code = (
        "import sys\nfrom pbmstar.cli import main\n"
        f"try:\n    main({words})\nexcept SystemExit:\n    pass\n"
        "heavy = 'sqlalchemy jinja2 aiosmtpd argon2 email_validator lxml alembic asyncio'.split()\n"
        "print([name for name in heavy if name in sys.modules])\n"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.splitlines()[-1] == "[]"


def test_no_file_is_long_and_none_lies_loose() -> None:
    """A module is a thing of the field, not a cut; in the house itself lies only what belongs to no room."""
    loose = {path.stem for path in HOUSE.glob("*.py")}
    assert loose == {"__init__", "__main__", "errors", "config"}
    tests = Path(__file__).parent.parent
    for path in itertools.chain(HOUSE.rglob("*.py"), tests.rglob("*.py")):
        assert len(path.read_text().splitlines()) <= 500, path


# The rooms of service/ and store/, each may import those before it, and itself.
ROOMS = {
    "service": [
        ["work"],
        ["letters"],
        ["proof", "reminders"],
        ["bots"],
        ["meeting"],
        ["contests"],
        ["verbs"],
        ["upkeep"],
        ["admin"],
        ["incoming"],
    ],
    "store": [["people"], ["play"], ["contest"], ["post"]],
}
RANKS = {
    part: {name: rank for rank, names in enumerate(rooms) for name in names}
    for part, rooms in ROOMS.items()
}


def rooms_of(part: str) -> dict[str, dict[str, set[str]]]:
    """{room: {module: the modules of rooms of that part that it imports}}, modules as ``room.module``."""
    files = {
        f"{path.parent.name}.{path.stem}": path
        for path in (HOUSE / part).glob("*/*.py")
        if path.stem != "__init__" and path.parent.name != "migrations"
    }
    rooms: dict[str, dict[str, set[str]]] = {}
    for name, path in files.items():
        used = {each.removeprefix(f"pbmstar.{part}.") for each in imports(path)}
        rooms.setdefault(path.parent.name, {})[name] = {
            other for other in files if any(f"{each}.".startswith(f"{other}.") for each in used)
        } - {name}
    return rooms


@pytest.mark.parametrize("part", ROOMS)
def test_a_room_in_a_room_imports_only_those_before_it(part: str) -> None:
    rooms, ranks = rooms_of(part), RANKS[part]
    assert set(rooms) == set(ranks)
    for room, files in rooms.items():
        for name, used in files.items():
            for other in used:
                there = other.partition(".")[0]
                assert ranks[there] < ranks[room] or there == room, f"{name} imports {other}"


def test_of_what_lies_beside_its_rooms_a_subject_of_the_store_needs_little() -> None:
    """The tables, and how statements are run: neither knows a subject. In service/ nothing lies beside."""
    assert {path.stem for path in (HOUSE / "service").glob("*.py")} == {"__init__"}
    beside = {f"pbmstar.store.{path.stem}" for path in (HOUSE / "store").glob("*.py")}
    for room in RANKS["store"]:
        for path in (HOUSE / "store" / room).glob("*.py"):
            used = {
                each
                for each in beside
                if any(f"{n}.".startswith(f"{each}.") for n in imports(path))
            }
            assert used <= {"pbmstar.store.schema", "pbmstar.store.statements"}, path


@pytest.mark.parametrize(
    ("part", "room"), [(part, room) for part, ranks in RANKS.items() for room in ranks]
)
def test_a_room_in_a_room_is_small_and_shallow(part: str, room: str) -> None:
    """At most 12 modules; of those that import one another, in one direction, at most 6 in a row."""
    files = rooms_of(part)[room]
    assert len(files) <= 12
    within = {name: {other for other in used if other in files} for name, used in files.items()}
    depth: dict[str, int] = {}
    for name in TopologicalSorter(within).static_order():  # raises CycleError
        depth[name] = 1 + max((depth[other] for other in within[name]), default=0)
    assert max(depth.values()) <= 6


def test_a_transaction_is_a_few_subjects() -> None:
    """A newcomer guesses where a fact is kept: its names, those for the whole transaction among them."""
    (tx,) = (
        node
        for node in tree(HOUSE / "store" / "transaction.py").body
        if isinstance(node, ast.ClassDef)
    )
    assert not tx.bases
    names = {
        node.attr
        for node in ast.walk(tx)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
    }
    names |= {node.name for node in tx.body if isinstance(node, ast.FunctionDef)}
    assert len([name for name in names if not name.startswith("_")]) <= 19


def test_a_name_stands_for_one_thing() -> None:
    """No two modules have a file name in common, and no two classes a name."""
    stems, classes = Counter[str](), Counter[str]()
    for path in HOUSE.rglob("*.py"):
        if path.stem not in ("__init__", "__main__"):
            stems[path.stem] += 1
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.ClassDef):
                classes[node.name.lstrip("_")] += 1
    assert not [name for name, count in stems.items() if count > 1]
    assert not [name for name, count in classes.items() if count > 1]


def test_the_length_of_a_day_is_said_once() -> None:
    """And of an hour and a minute; a migration stands by itself."""
    said = {
        path.name
        for path in HOUSE.rglob("*.py")
        if re.search(r"(?m)^[^#=\n]*\b_?(DAY|HOUR|MINUTE)\b[^=\n]*= [0-9]", path.read_text())
    }
    assert {name for name in said if not name.startswith("v00")} == {"terms.py"}


def test_a_turn_is_the_move_that_is_due() -> None:
    """And nothing else: neither a token, a lock, nor a run of the reminders."""
    for path in HOUSE.rglob("*.py"):
        assert not {"turn", "turns"} & set(path.stem.split("_")), path
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.ClassDef):
                assert not re.search("Turns?(?![a-z])", node.name), path


MODULES = {
    ".".join(path.relative_to(HOUSE.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for path in HOUSE.rglob("*.py")
    if "migrations" not in path.parts
}


def importers() -> dict[str, set[str]]:
    """{module: those that import it}."""
    found: dict[str, set[str]] = {name: set() for name in MODULES}
    for name, path in MODULES.items():
        for used in imports(path):
            while used and used not in MODULES:
                used = used.rpartition(".")[0]
            if used:
                found[used].add(name)
    return found


def test_a_small_module_serves_more_than_one() -> None:
    """One of under 60 lines is a game, the face of a room, or used by two modules and more."""
    for name, by in importers().items():
        path = MODULES[name]
        if path.stem in ("__init__", "__main__") or ".games." in name:
            continue
        assert len(path.read_text().splitlines()) >= 60 or len(by) > 1, name


def test_a_function_fits_on_a_page() -> None:
    for name, path in MODULES.items():
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                assert (node.end_lineno or 0) - node.lineno < 60, f"{name}.{node.name}"


def test_a_room_has_at_most_twelve_modules() -> None:
    """Beside its face."""
    for room in {path.parent for path in MODULES.values()} - {HOUSE}:
        modules = [path for path in room.glob("*.py") if path.stem not in ("__init__", "__main__")]
        assert len(modules) <= 12, room


def test_little_is_remembered_and_nothing_of_a_module_changes() -> None:
    """A cache is state that no signature shows; an empty table of a module is filled by somebody."""
    caches = 0
    for name, path in MODULES.items():
        text = path.read_text()
        caches += len(
            re.findall(r"(?m)^ *@(?:lru_cache|cache|cached_property)\b|= lru_cache\(", text)
        )
        for node in tree(path).body:
            value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
            is_empty = False
            if isinstance(value, ast.Dict):
                is_empty = not value.keys
            elif isinstance(value, ast.List | ast.Set):
                is_empty = not value.elts
            assert not is_empty, f"{name}: {ast.unparse(node)}"
    assert caches <= 28


def test_the_design_names_modules_that_exist() -> None:
    text = (HOUSE.parent / "docs" / "design.md").read_text()
    there = [f"/{path.relative_to(HOUSE).with_suffix('')}" for path in HOUSE.rglob("*.py")]
    named = set(re.findall(r"`((?!tests/)[a-z_]+/[a-z_/]+)(?:\.[a-z_]+)*`", text))
    assert len(named) > 10
    assert {name for name in named if not any(path.endswith(f"/{name}") for path in there)} == set()
