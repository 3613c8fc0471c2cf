"""The configuration: options, environment, files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner
from harness.program import DONE, USAGE, Program

from pbmstar import config
from pbmstar.cli import main
from pbmstar.errors import BadInput


def load(
    options: dict[str, str], environment: dict[str, str], toml: str, folder: Path
) -> config.Config:
    file = folder / "pbmstar.toml"
    file.write_text(toml)
    return config.load(options, environment, file)


def test_an_option_wins_over_the_environment_that_over_the_file(tmp_path: Path) -> None:
    for name, key in config.KEYS.items():
        if name in (
            "auth",
            "detail",
            "limits",
            "relay_limit",
            "delivery_processes",
            "newcomers",
            "strangers",
            "pictures",
            "spool",
            "address",
            "bots",
            "leave_days",
            "site_url",
            "without",
        ):
            continue
        number = key.metadata["default"].isdigit()
        a, b, c = ("1.5", "2.5", "3.5") if number else ("a/1", "b/2", "c/3")
        if name == "node":
            a, b, c = "a-1", "b-2", "c-3"
        toml = f'{name} = "{c}"\n'
        environment = {f"PBMSTAR_{name.upper()}": b}

        for options, around, value in (
            ({name: a}, environment, a),
            ({}, environment, b),
            ({}, {}, c),
        ):
            assert str(getattr(load(options, around, toml, tmp_path), name)) == value


def test_numbers_and_switches(tmp_path: Path) -> None:
    found = load({}, {}, "nag_days = 0.5\nforfeit_days = 3\nlimits = false\n", tmp_path)
    assert (found.nag_days, found.time, found.limits) == (0.5, "3d", False)
    assert load({"forfeit_days": "3"}, {}, "time = '10d+36h'", tmp_path).time == "10d+36h"
    assert load({"limits": "off"}, {"PBMSTAR_LIMITS": "on"}, "", tmp_path).limits is False
    assert load({}, {"PBMSTAR_NAG_DAYS": "2.5"}, "nag_days = 9", tmp_path).nag_days == 2.5


@pytest.mark.parametrize(
    ("said", "cores", "bots"),
    [("", 1, 0), ("", 2, 1), ("", 8, 1), ("0", 8, 0), ("3", 8, 3), ("9", 8, 7), ("2", 1, 1)],
)
def test_bots_leave_a_core_for_the_mail(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str, cores: int, bots: int
) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda _: range(cores))
    assert load({"bots": said}, {}, "", tmp_path).bots == bots
    with pytest.raises(BadInput, match="bots"):
        load({"bots": "many"}, {}, "", tmp_path)


@pytest.mark.parametrize(("said", "cores", "processes"), [("", 1, 1), ("", 8, 4), ("9", 2, 9)])
def test_as_many_processes_send_letters_as_there_are_cores_up_to_four(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str, cores: int, processes: int
) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda _: range(cores))
    found = load({"delivery_processes": said}, {}, "", tmp_path)
    assert found.delivery_processes == processes


@pytest.mark.parametrize("said", ["0", "-1", "1000000", "many", "9" * 5000])
@pytest.mark.parametrize("key", ["delivery_processes", "newcomers"])
def test_a_number_that_cannot_be(tmp_path: Path, key: str, said: str) -> None:
    with pytest.raises(BadInput, match=rf"{key}.* from \d+ to \d+"):
        load({key: said}, {}, "", tmp_path)


def test_defaults(tmp_path: Path) -> None:
    found = load({"spool": "/x/spool"}, {}, "", tmp_path)
    assert found.address == "star@localhost"
    assert found.listen == "127.0.0.1:8025"
    assert found.lmtp == ""
    assert found.relay == "maildir:/x/spool/mail"
    assert found.database == "sqlite:////x/spool/pbmstar.db"
    assert (found.nag_days, found.time, found.limits) == (None, "21d", True)
    assert (found.start_days, found.leave_days) == (14.0, 30)
    assert (found.keep_texts, found.keep_rows) == (7.0, 90.0)


def test_an_empty_option_is_one(tmp_path: Path) -> None:
    assert load({"listen": ""}, {"PBMSTAR_LISTEN": "127.0.0.1:1"}, "", tmp_path).listen == ""
    assert load({}, {"PBMSTAR_LISTEN": ""}, 'listen = "127.0.0.1:1"', tmp_path).listen == ""


@pytest.mark.parametrize(
    "toml",
    ["colour = 1", "[spool]\npath = 1", 'relay = ["a"]', "spool = ", 'address = "x"', "nag_days = -1",
     'nag_days = "soon"', "nag_days = nan", "forfeit_days = inf", 'limits = "perhaps"', 'spool = ""',
     "spool = 3", "listen = 8025", "operator = true", "nag_days = true", "time = 21"],
)  # fmt: skip
def test_files_that_cannot_be(toml: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput):
        load({}, {}, toml, tmp_path)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes(b'address = "st\xe4r@x"')
    for file in (tmp_path / "none.toml", tmp_path, tmp_path / "latin"):
        with pytest.raises(BadInput):
            config.load({}, {}, file)


def test_the_configuration_does_not_show_passwords() -> None:
    found = config.load({"relay": "smtp+starttls://u:s3cret@h:25", "database": "sqlite:///x"}, {})
    assert "s3cret" not in repr(found)


def test_the_file_in_the_working_directory(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(program.folder)
    Path("pbmstar.toml").write_text('nag_days = "soon"\n')
    assert "nag_days" in program.run("remind", status=USAGE).stderr
    program.run("remind", PBMSTAR_NAG_DAYS="7")
    program.run("remind", "--nag-days", "7")
    Path("other.toml").write_text("nag_days = 7\n")
    program.run("remind", "--config", "other.toml")
    program.run("--config", "other.toml", "remind")


def test_a_new_spool_is_ours_alone(tmp_path: Path) -> None:
    spool = tmp_path / "deep" / "spool"
    before = os.umask(0o022)
    result = CliRunner().invoke(main, ["admin", "user", "list", "--spool", str(spool)])
    os.umask(before)
    assert result.exit_code == DONE
    assert spool.stat().st_mode & 0o777 == 0o700
    assert all(path.stat().st_mode & 0o077 == 0 for path in spool.rglob("*"))


def test_spool_stands_only_where_a_path_begins() -> None:
    """Neither in the spool's own path nor in a password."""
    found = config.load({"spool": "/srv/xSPOOL/SPOOL"}, {})
    assert found.database == "sqlite:////srv/xSPOOL/SPOOL/pbmstar.db"
    assert found.relay == "maildir:/srv/xSPOOL/SPOOL/mail"
    url = "postgresql+psycopg://u:SPOOL{spool}@h/SPOOL"
    assert config.load({"spool": "/x", "database": url}, {}).database == url
    told = {"spool": "/x", "database": "sqlite:///SPOOL/other.db", "relay": "maildir:{spool}"}
    found = config.load(told, {})
    assert (found.database, found.relay) == ("sqlite:////x/other.db", "maildir:/x")
