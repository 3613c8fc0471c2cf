"""The tests try the two commands, command lines, configuration and crontab that README and docs/ print."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path

import click
import pytest
import readme
from click.testing import CliRunner
from readme import CHECKOUT

from pbmstar import config
from pbmstar.cli import main

COMMANDS = readme.blocks("## Two commands", "sh")


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh clone, brought to what the checkout says just now."""
    if not (CHECKOUT / ".git").exists():
        pytest.skip("not in a clone")
    there = tmp_path_factory.mktemp("fresh") / "pbmstar"
    git = ["git", "-c", f"safe.directory={CHECKOUT}", "-c", f"safe.directory={CHECKOUT}/.git"]
    subprocess.run([*git, "clone", "-q", CHECKOUT, there], check=True)
    listed = subprocess.run(
        [*git, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=CHECKOUT,
        check=True,
        capture_output=True,
        text=True,
    )
    for name in filter(None, listed.stdout.split("\0")):
        if (CHECKOUT / name).exists():
            (there / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(CHECKOUT / name, there / name)
        else:
            (there / name).unlink(missing_ok=True)
    return there


def typed(command: str, clone: Path) -> str:
    """Run a line as it is printed; what it would download is lent by the environment that tests run in."""
    lent = {
        "PYTHONPATH": sysconfig.get_paths()["purelib"],
        "PIP_NO_BUILD_ISOLATION": "0",  # sic: "0" is how the environment says --no-build-isolation
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    }
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PBMSTAR_")}
    done = subprocess.run(
        ["sh", "-c", command],
        check=False,
        cwd=clone,
        env={**clean, **lent},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


@pytest.mark.slow
def test_first_command(clone: Path) -> None:
    """In a fresh clone it plays the demonstration, and leaves nothing but .venv and build/."""
    before = {path.name for path in clone.iterdir()}
    output = typed(COMMANDS[0], clone)
    assert "bob is told" in output and "pbmstar demo --full" in output
    made = {path.name for path in clone.iterdir()} - before
    assert made <= {".venv", "build", "pbmstar.egg-info"}
    assert [path.name for path in (clone / "spool").iterdir()] in ([], [".gitignore"])


@pytest.mark.slow
def test_second_command(clone: Path) -> None:
    """It runs the tests; here only a few of them."""
    assert " passed" in typed(COMMANDS[1].rstrip() + " tests/games/test_purity.py", clone)


def lines() -> list[str]:
    """Return every command line of pbmstar in the pages, as it is printed, from its name on."""
    # Those of the reference are made from the program.
    pages = [text for name, text in readme.PAGES.items() if not name.startswith("docs/reference/")]
    code = re.findall(r"`([^`\n]+)`", "\n".join(pages))
    for language in ("", "sh", "ini"):
        for block in readme.blocks("", language):
            code += block.splitlines()
    commands = []
    for line in code:
        line = line.replace("runuser -u pbmstar -- ", "")
        match = re.search(r"(?:^|[\s=/&])pbmstar ((?:[a-z-]|-)[^#&|]*)", line)
        if match and not line.startswith(("adduser", "install ", "systemctl ", "from ")):
            commands.append(match[1].strip())
    return sorted(set(commands))


def test_command_lines_are_found() -> None:
    """The search finds what is known to stand there."""
    commands = " | ".join(lines())
    for line in (
        "demo",
        "serve",
        "remind",
        "doctor",
        "receive",
        "admin board reset 17",
        "admin check",
    ):
        assert line in commands


@pytest.mark.few(6)
@pytest.mark.parametrize("line", lines())
def test_command_line_parses(line: str) -> None:
    """Each command line of the pages names a command and options that exist."""
    words = [word.strip("[]") for word in shlex.split(re.sub(r"\$\([^)]*\)", "x", line))]
    context, command, rest = None, main, words
    while isinstance(command, click.Group) and rest:
        context = command.make_context("pbmstar", [], parent=context, resilient_parsing=True)
        found = command.get_command(context, rest[0])
        if found is None:
            break
        command, rest = found, rest[1:]
    assert command is not main or words[0].startswith("-"), f"no command {words[0]}"
    is_option = words[0] == "--version"
    assert is_option or not (isinstance(command, click.Group) and rest), f"no command {rest}"
    assert CliRunner().invoke(main, [*words, "--help"]).exit_code == 0
    if not isinstance(command, click.Group):
        command.make_context("pbmstar", list(rest), parent=context, resilient_parsing=True)


def test_admin_commands_of_the_list() -> None:
    """What the comments beside the commands name (and list, show, close ...) is there."""
    page = readme.PAGES["docs/operators-commands.md"]
    blocks = re.findall(r"(?ms)^```sh\n(.*?)^```$", page)
    context = click.Context(main)
    admin = main.get_command(context, "admin")
    named = 0
    for line in "".join(blocks).splitlines():
        command, _, comment = line.partition("#")
        found = re.search(r"\balso ([a-z-]+(?:, [a-z-]+)*)", comment)
        if not found:
            continue
        group = admin.get_command(context, command.split()[2])
        for word in found[1].split(", "):
            assert word in group.list_commands(context), line
            named += 1
    assert named > 15


def test_toml() -> None:
    """The file of the Postfix chapter has known keys only, and is accepted."""
    (text,) = readme.blocks("`/etc/pbmstar.toml`", "toml")[:1]
    loaded = config.load(tomllib.loads(text), {})
    assert loaded.address == "star@star.example.org"
    assert loaded.lmtp.startswith("unix:/var/spool/postfix/pbmstar/")


def test_crontab() -> None:
    """Five fields, a user, and the program that the first lines of the chapter install."""
    (line,) = readme.blocks("## Reminders from cron")[0].splitlines()
    *when, user, program, command, quiet = line.split()
    assert len(when) == 5
    assert (user, program, command) == ("pbmstar", "/opt/pbmstar/bin/pbmstar", "remind")
    assert quiet == ">/dev/null"


def anchors(page: str) -> set[str]:
    """Return the names by which links reach the headings of a page."""
    headings = re.findall(r"(?m)^#+ (.+)$", readme.PAGES[page])
    return {re.sub(r"[^a-z0-9 -]", "", line.lower()).replace(" ", "-") for line in headings}


@pytest.mark.parametrize("page", readme.PAGES)
def test_every_link_resolves(page: str) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", readme.PAGES[page]):
        if target.startswith(("https:", "mailto:")):
            continue
        name, _, anchor = target.partition("#")
        there = (CHECKOUT / page).parent / name if name else CHECKOUT / page
        assert there.exists(), target
        if anchor:
            assert anchor in anchors(there.resolve().relative_to(CHECKOUT).as_posix()), target
