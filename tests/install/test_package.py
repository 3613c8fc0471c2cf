"""What gets installed: sdist, wheel, and what the wheel brings, seen from another directory."""

from __future__ import annotations

import configparser
import importlib.metadata
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest
from readme import CHECKOUT

HERE = {name: value for name, value in os.environ.items() if not name.startswith("PBMSTAR_")}


def run(*command: str | Path, cwd: Path, status: int = 0, stdin: str = "") -> str:
    """Run a program; returns what it prints."""
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        check=False,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=600,
        env=HERE,
    )
    assert done.returncode == status, done.stdout + done.stderr
    assert "Warning" not in done.stderr
    return done.stdout


def copy_of_checkout(folder: Path) -> Path:
    """A copy of what belongs to the checkout."""
    copy = folder / "checkout"
    skipped = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info", "build", "dist")
    shutil.copytree(CHECKOUT, copy, ignore=skipped)
    return copy


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The sdist, and the wheel that was built from it; the checkout had a stale build/ directory."""
    if importlib.util.find_spec("build") is None:
        pytest.skip("there is no module build")
    folder = tmp_path_factory.mktemp("built")
    copy = copy_of_checkout(folder)
    stale = copy / "build" / "lib" / "pbmstar"
    (stale / "templates").mkdir(parents=True)
    (stale / "templates" / "deleted.txt").write_text("a template that is gone\n")
    (stale / "deleted.py").write_text("")
    with_isolation = []
    version = importlib.metadata.version("setuptools") if _has("setuptools") else "0"
    if int(version.partition(".")[0]) >= 71 or _has("wheel"):  # newer ones build wheels themselves
        with_isolation = ["--no-isolation"]
    run(sys.executable, "-m", "build", *with_isolation, "--outdir", folder / "dist", cwd=copy)
    (sdist,), (wheel,) = (folder / "dist").glob("*.tar.gz"), (folder / "dist").glob("*.whl")
    return sdist, wheel


def _has(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


@pytest.fixture(scope="session")
def installed(built: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of a fresh environment with the wheel in it; its other packages are lent by ours."""
    folder = tmp_path_factory.mktemp("installed")
    run(sys.executable, "-m", "venv", "--without-pip", folder, cwd=folder)
    ours = [path for path in sys.path if path.endswith("site-packages")]
    python = folder / "bin" / "python"
    asked = "import sysconfig; print(sysconfig.get_paths()['purelib'])"
    site = Path(run(python, "-c", asked, cwd=folder).strip())
    (site / "lent.pth").write_text("".join(f"{path}\n" for path in ours))
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps"]
    run(*pip, "--force-reinstall", built[1], cwd=folder)
    return folder / "bin"


def _tracked(*patterns: str) -> set[str]:
    return {
        str(path.relative_to(CHECKOUT)) for pattern in patterns for path in CHECKOUT.glob(pattern)
    }


@pytest.mark.slow
def test_wheel_has_all_and_nothing_else(built: tuple[Path, Path]) -> None:
    """Modules, migrations, templates, help pages and catalogs, and not one file more."""
    with zipfile.ZipFile(built[1]) as wheel:
        names = {name for name in wheel.namelist() if ".dist-info/" not in name}
        (about,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = Parser().parsestr(wheel.read(about).decode())
        licence = [name for name in wheel.namelist() if name.endswith("LICENSE")]
    wanted = _tracked("pbmstar/**/*.py", "pbmstar/store/migrations/*.mako")
    texts = _tracked("templates/**/*.*", "help/**/*.txt", "locale/complete.txt", "locale/**/*.mo")
    wanted |= {f"pbmstar/{name}" for name in texts}
    wanted |= _tracked("pbmstar/cli/admin/units/*", "pbmstar/features/website/s/*")
    wanted |= _tracked("pbmstar/bots/engine/learned/*.json")
    wanted |= _tracked("pbmstar/identity/common")
    wanted |= _tracked("pbmstar/machine/commit")  # of a clone that is installed
    assert names == wanted
    assert licence
    assert built[1].name.endswith("-py3-none-any.whl")
    assert metadata["Requires-Python"] == ">=3.11"
    assert set(metadata.get_all("Provides-Extra", [])) == {"bot", "dkim", "postgresql", "test"}


@pytest.mark.slow
def test_sdist_holds_no_leavings(built: tuple[Path, Path]) -> None:
    """What is built from the sdist does not depend on what lay about in the checkout."""
    with tarfile.open(built[0]) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}
    assert {"README.md", "LICENSE", "setup.cfg", "pyproject.toml"} <= names
    assert not [name for name in names if re.match(r"(build|dist|\.|spool/mail)", name)]
    assert not [name for name in names if "deleted" in name or name.endswith((".db", ".pyc"))]


@pytest.mark.slow
def test_installed_program(installed: Path, tmp_path: Path) -> None:
    """The wheel alone, in another directory: version, help, letters, help pages, tables."""
    program = installed / "pbmstar"
    where = run(installed / "python", "-c", "import pbmstar; print(pbmstar.__file__)", cwd=tmp_path)
    assert Path(where.strip()).is_relative_to(installed.parent)
    version = configparser.ConfigParser()
    version.read(CHECKOUT / "setup.cfg")
    output = run(program, "--version", cwd=tmp_path)
    assert output == f"pbmstar {version['metadata']['version']}\n"
    told = run(program, "--help", cwd=tmp_path)
    for command in ("serve", "receive", "deliver", "remind", "doctor", "analyse", "demo", "admin"):
        assert f"\n  {command} " in told
        assert "Usage: pbmstar" in run(program, command, "--help", cwd=tmp_path)
    asked = '{"game": "star", "options": {"size": 4}, "moves": ["C3", "pass", "pass"]}\n'
    assert '"over": true' in run(program, "analyse", cwd=tmp_path, stdin=asked)
    assert not list(tmp_path.iterdir())

    user = ["admin", "user", "add", "alice", "alice@home.example", "--password", "s3cret"]
    assert run(program, *user, cwd=tmp_path) == "Account alice opened.\n"
    output = run(program, "admin", "user", "address", "alice", "al@home.example", cwd=tmp_path)
    assert output == "Address of alice changed.\n"
    for letter in (tmp_path / "spool" / "mail").glob("*/new/*"):
        assert "\nFrom: Star game server <star@localhost>\n" in letter.read_text()
    mail = "From: al@home.example\nTo: star@localhost\nSubject: help\n\nhelp stary\n"
    run(program, "receive", cwd=tmp_path, stdin=mail)
    letters = (tmp_path / "spool" / "mail" / "al@home.example" / "new").iterdir()
    assert [each for each in letters if "\nSubject: Help: index\n" in each.read_text()]
    assert run(program, "admin", "check", cwd=tmp_path) == "0 differences.\n"
    assert (tmp_path / "spool").stat().st_mode & 0o077 == 0


@pytest.mark.slow
def test_demo_leaves_nothing_behind_but_the_page_of_its_game(
    installed: Path, tmp_path: Path
) -> None:
    """A whole game in full: signup, a refused move, a swap, two passes; then no other file, no process.

    A server is set up here, and one in the environment: the demo uses nothing of either.
    """
    (tmp_path / "tmp").mkdir()
    (tmp_path / "cwd").mkdir()
    (tmp_path / "cwd" / "pbmstar.toml").write_text('relay = "smtp://127.0.0.1:9"\n')
    database = f"sqlite:///{tmp_path}/cwd/games.db"
    environment = {**HERE, "TMPDIR": str(tmp_path / "tmp"), "PBMSTAR_DATABASE": database}
    done = subprocess.run(
        [installed / "pbmstar", "demo", "--full"],
        cwd=tmp_path / "cwd",
        check=False,
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert (done.returncode, done.stderr) == (0, "")
    output = done.stdout
    assert output.count("\nReply-To: ") >= 19  # every letter
    assert "Welcome, alice!" in output and "\n>>> " in output
    for subject in (
        "signup alice",
        "Subject: New Star Board 1 alice **",
        "Subject: Star Board 1 Error",
        "swap",
        "Subject: Star Board 1 **",
        "the game is over.",
        "bob won by 1 point.",
    ):
        assert subject in output
        output = output[output.index(subject) :]
    (pages,) = (tmp_path / "tmp").iterdir()
    assert f"file://{pages}/g/1.html" in done.stdout and (pages / "g" / "1.html").exists()
    assert [path.name for path in (tmp_path / "cwd").iterdir()] == ["pbmstar.toml"]
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            environ = (entry / "environ").read_bytes()
        except OSError:  # gone, or another's
            continue
        assert f"TMPDIR={tmp_path}/tmp".encode() not in environ


# One import a line, as ruff sets them; the first part of the module's name.
_IMPORTS = re.compile(
    r"(?m)^ *(?:import (\w+)[\w.]*(?: as \w+)?(?:  #.*)?$|from (\w+)[\w.]* import )"
)


def test_what_is_imported_is_declared() -> None:
    """Each package that a module of ours imports stands in setup.cfg: an option's in its extra."""
    config = configparser.ConfigParser()
    config.read(CHECKOUT / "setup.cfg")
    extras = config["options.extras_require"]

    def names(text: str) -> set[str]:
        return {
            re.split(r"[<>=\[]", line)[0].lower().replace("_", "-")
            for line in text.split()
            if line.strip()
        }

    always = names(config["options"]["install_requires"])
    option = {"configured.py": names(extras["dkim"]), "database.py": names(extras["postgresql"])}
    owners = importlib.metadata.packages_distributions()
    for file in (CHECKOUT / "pbmstar").rglob("*.py"):
        modules = {either or other for either, other in _IMPORTS.findall(file.read_text())}
        for module in modules - sys.stdlib_module_names:
            packages = {
                name.lower().replace("_", "-")
                for name in owners.get(module, [module])
                if name != "pbmstar"
            }
            allowed = always | option.get(file.name, set())
            assert not packages or packages & allowed, f"{file.name} imports {module}"


@pytest.mark.slow
@pytest.mark.parametrize("version", ["3.12", "3.13"])
def test_other_versions_read_the_source(version: str, tmp_path: Path) -> None:
    """No syntax that another Python warns of. (The whole suite is run by .ci/run.)"""
    named = [f"python{version}", *Path.home().glob(f".pyenv/versions/{version}.*/bin/python3")]
    pythons = [python for name in named if (python := shutil.which(name))]
    working = [
        python
        for python in pythons
        if subprocess.run([python, "-c", ""], check=False, capture_output=True).returncode == 0
    ]
    if not working:
        pytest.skip(f"there is no Python {version}")
    code = (
        "import pathlib, sys\n"
        "for path in pathlib.Path(sys.argv[1]).rglob('*.py'):\n"
        "    compile(path.read_text('utf-8'), str(path), 'exec')\n"
    )
    run(working[0], "-W", "error", "-c", code, CHECKOUT / "pbmstar", cwd=tmp_path)
