"""Laws of the house: who imports whom, what the pure parts leave alone, what help may cost."""

from __future__ import annotations

import ast
import itertools
import re
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import pbmstar

HOUSE = Path(pbmstar.__file__).parent
# Each part may import those above it, and itself.
ORDER = [
    ["errors"],
    ["files", "config", "log"],
    ["games"],
    ["bot"],
    ["match"],
    ["command"],
    ["identity", "inbound", "store"],
    ["render"],
    ["service"],
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


def imports(path: Path) -> set[str]:
    """Full names of what a module imports, TYPE_CHECKING or not."""
    package = ["pbmstar", *path.relative_to(HOUSE).parent.parts]
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) + 1 - node.level] if node.level else []
            stem = ".".join([*base, *([node.module] if node.module else [])])
            found |= {f"{stem}.{name.name}" for name in node.names}
    return found


@pytest.mark.parametrize(("part", "path"), modules(), ids=lambda value: str(value)[-40:])
def test_a_part_imports_only_what_stands_before_it(part: str, path: Path) -> None:
    for name in imports(path):
        parts = name.split(".")
        if parts[0] == "pbmstar" and len(parts) > 1 and (other := parts[1]) in RANK:
            assert RANK[other] < RANK[part] or other == part, f"{part} imports {name}"


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


@pytest.mark.parametrize(
    ("part", "path"),
    [each for each in modules() if each[0] in ("games", "match", "command")],
    ids=lambda value: str(value)[-40:],
)
def test_rules_matches_and_commands_are_pure(part: str, path: Path) -> None:
    """A match counts days by the calendar; the time that it is, is an argument there too."""
    impure = IMPURE - {"datetime"} if part == "match" else IMPURE
    assert not {name.split(".")[0] for name in imports(path)} & impure
    assert not re.search(r"\b(?:now|utcnow|today)\(", path.read_text())


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


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_imports_nothing_that_it_does_not_need(option: str) -> None:
    code = (
        "import sys\nfrom pbmstar.cli import main\n"
        f"try:\n    main(['{option}'])\nexcept SystemExit:\n    pass\n"
        "heavy = 'sqlalchemy jinja2 aiosmtpd argon2 email_validator lxml alembic asyncio'.split()\n"
        "print([name for name in heavy if name in sys.modules])\n"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.splitlines()[-1] == "[]"


def test_the_command_lines_keys_are_those_of_the_configuration() -> None:
    from pbmstar.cli.shared import KEYS
    from pbmstar.config import KEYS as CONFIGURED

    assert set(KEYS) == {key.name for key in CONFIGURED}


def test_no_file_is_long_and_none_lies_loose() -> None:
    """A file is read in one go, a test too; in the house itself lies only what belongs to no room."""
    loose = {path.stem for path in HOUSE.glob("*.py")}
    assert loose == {"__init__", "__main__", "errors", "config", "log", "files"}
    tests = Path(__file__).parent.parent
    for path in itertools.chain(HOUSE.rglob("*.py"), tests.rglob("*.py")):
        assert len(path.read_text().splitlines()) <= 300, path
