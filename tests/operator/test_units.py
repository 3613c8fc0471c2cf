"""What an installation is given: systemd units that fit its configuration, and a man page."""

from __future__ import annotations

import configparser
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from readme import blocks

from pbmstar.cli import main
from pbmstar.cli.admin.admin_server import UNITS


def run(*words: str, **environment: str) -> str:
    given = {f"PBMSTAR_{key.upper()}": value for key, value in environment.items()}
    done = CliRunner().invoke(main, ["admin", *words], env=given)
    assert done.exit_code == 0, done.output
    return done.output


def parsed(text: str) -> configparser.ConfigParser:
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read_string(text)
    return unit


def test_the_units_fit_the_configuration(tmp_path: Path) -> None:
    keys = {
        "spool": f"{tmp_path}/state/spool",
        "lmtp": f"unix:{tmp_path}/socket/lmtp",
        "metrics": f"{tmp_path}/figures/pbmstar.prom",
        "relay": "smtp://127.0.0.1:25",
    }
    service = parsed(run("unit", **keys))["Service"]
    places = f"{tmp_path}/state {tmp_path}/socket {tmp_path}/figures"
    assert service["ReadWritePaths"] == places
    assert service["ExecStart"] == f"{sys.prefix}/bin/pbmstar serve"
    assert int(service["TimeoutStopSec"]) > 30  # the daemon's own patience
    assert service["RestartPreventExitStatus"] == "2"
    assert "Group" not in service
    assert list(tmp_path.iterdir()) == []  # to print makes no spool
    remind = parsed(run("unit", "pbmstar-remind.service", **keys))["Service"]
    assert remind["ExecStart"] == f"{sys.prefix}/bin/pbmstar remind"
    assert remind["ReadWritePaths"] == places


def test_both_services_are_hardened_alike(tmp_path: Path) -> None:
    """Those of the list gave 1.5 of 10 in `systemd-analyze security`.

    What makes letters and what thinks lower their priority, and numba runs what it has compiled: neither
    may be forbidden, a process that does what is dies.
    """
    for name in UNITS[:2]:
        service = parsed(run("unit", name, spool=str(tmp_path)))["Service"]
        assert service["CapabilityBoundingSet"] == ""
        assert service["ProtectSystem"] == "strict"
        assert service["SystemCallFilter"] == "~@privileged"
        assert "MemoryDenyWriteExecute" not in service
        switches = [key for key, value in service.items() if value == "yes"]
        assert len(switches) == 15, switches


def test_all_are_written_at_once(tmp_path: Path) -> None:
    (tmp_path / "system").mkdir()
    run("unit", "--into", str(tmp_path / "system"), spool=str(tmp_path))
    assert {path.name for path in (tmp_path / "system").iterdir()} == set(UNITS)
    assert "Persistent=yes" in (tmp_path / "system" / "pbmstar-remind.timer").read_text()


def test_the_daemon_may_have_the_memory_that_its_bots_need(tmp_path: Path) -> None:
    """So many processes as the cores allow; each has 250 MiB when it has compiled."""
    for bots in (0, 1):
        service = parsed(run("unit", spool=str(tmp_path), bots=str(bots)))["Service"]
        assert service["MemoryMax"] == f"{512 + 320 * bots}M"


@pytest.mark.slow
def test_systemd_finds_nothing_wrong(tmp_path: Path) -> None:
    if not shutil.which("systemd-analyze"):
        pytest.skip("there is no systemd-analyze")
    run("unit", "--into", str(tmp_path), spool=str(tmp_path))
    for file in tmp_path.glob("*.service"):
        text = file.read_text().replace(f"{sys.prefix}/bin/pbmstar", "/bin/true")
        file.write_text(text.replace("User=pbmstar", "User=mail"))
    units = [tmp_path / name for name in UNITS]
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *units],
        check=False,
        capture_output=True,
        text=True,
        timeout=600,
    )
    found = [line for line in (done.stdout + done.stderr).splitlines() if "pbmstar" in line]
    assert not found


def test_the_man_page_names_every_command_and_key() -> None:
    page = run("man")
    assert page.startswith('.TH PBMSTAR 1 "" "pbmstar ')
    for name in ("serve", "admin board reset", "admin user erase", "admin move\\-database"):
        assert f"\n.SS {name}" in page
    assert "\n.B \\-\\-forfeit\\-days DAYS\n" in page
    assert "\n.B \\-\\-to\\-move INTEGER\n" in page


def test_the_man_page_is_one() -> None:
    if not shutil.which("groff"):
        pytest.skip("there is no groff")
    done = subprocess.run(
        ["groff", "-man", "-Tascii", "-ww", "-z"],
        input=run("man"),
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    assert done.stderr == ""


def test_the_lines_for_postfix_are_those_of_the_page() -> None:
    """Commands that a shell reads; with them main.cf has what docs/installing.md shows."""
    (shown,) = [
        block for block in blocks("`/etc/postfix/main.cf` needs") if "relay_domains" in block
    ]
    keys = {"address": "star@star.example.org", "authserv_id": "mail.example.org"}
    text = run("postfix", lmtp="unix:/var/spool/postfix/pbmstar/lmtp", **keys)
    *commands, last = text.splitlines()
    words = [shlex.split(command) for command in commands]
    assert {tuple(each[:2]) for each in words} == {("postconf", "-e")}
    assert [" ".join(each[2].split()) for each in words] == [
        " ".join(line.split()) for line in shown.splitlines() if line
    ]
    assert last == "postfix reload"
    assert "lmtp:inet:[127.0.0.1]:2003" in run("postfix", lmtp="127.0.0.1:2003", **keys)


def test_units_of_a_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They run where the configuration is, and ask for nothing that only the system's manager may give."""
    monkeypatch.chdir(tmp_path)
    into = tmp_path / "systemd" / "user"
    done = CliRunner().invoke(main, ["admin", "unit", "--user", "--into", str(into)])
    assert done.exit_code == 0, done.output
    service = (into / "pbmstar.service").read_text()
    assert f"WorkingDirectory={tmp_path}\nExecStart=" in service
    assert "WantedBy=default.target" in service
    for line in ("User=", "CapabilityBoundingSet=", "ReadWritePaths=", "After="):
        assert line not in service
