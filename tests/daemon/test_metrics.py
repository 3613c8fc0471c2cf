"""The figures for monitoring: over HTTP on loopback, in a file, and by ``admin metrics``."""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from harness.office import DAY, Office
from harness.server import PATIENCE, until
from peers import Running

from pbmstar.cli.admin.admin_server import of_the_daemon
from pbmstar.errors import BadInput
from pbmstar.intake.take import PASSWORDS
from pbmstar.service.admin.metrics import Metrics, names
from pbmstar.smtp.exporter import target_of

Start = Callable[..., Running]


def test_a_histogram_counts_each_value_once() -> None:
    metrics = Metrics()
    for value in (1, 2, 3, 64, 65):
        metrics.observe("pbmstar_commit_mails", value)
    lines = metrics.text({}).splitlines()
    assert lines[1] == "# TYPE pbmstar_commit_mails histogram"
    buckets = [int(line.split()[1]) for line in lines if "_bucket" in line]
    assert buckets == [1, 2, 3, 3, 3, 3, 4, 5]
    assert lines[-2:] == ["pbmstar_commit_mails_sum 135", "pbmstar_commit_mails_count 5"]


@pytest.mark.parametrize(
    ("key", "where"),
    [
        ("", None),
        (":9108", ("127.0.0.1", 9108)),  # loopback unless told
        ("0.0.0.0:9108", ("0.0.0.0", 9108)),
        ("[::1]:9108", ("::1", 9108)),
        ("/run/pbmstar.prom", Path("/run/pbmstar.prom")),
    ],
)
def test_where_they_go(key: str, where: object) -> None:
    assert target_of(key) == where


@pytest.mark.parametrize("key", ["9108", "x", ":99999", "localhost:"])
def test_a_key_that_is_none(key: str) -> None:
    with pytest.raises(BadInput, match="^metrics: "):
        target_of(key)


def samples(text: str) -> dict[str, float]:
    """The series by name and label; each line has the form that Prometheus reads."""
    label = r'[a-z]+="[^"\\\n]*"'
    form = rf"(pbmstar_[a-z_]+(?:\{{{label}(?:,{label})*\}})?) ([0-9.e+-]+)"
    lines = [line for line in text.splitlines() if not line.startswith("# ")]
    parts = [re.fullmatch(form, line) for line in lines]
    assert all(parts), text
    return {part[1]: float(part[2]) for part in parts if part}


def test_a_daemon_gives_them_over_http(start: Start) -> None:
    running = start(metrics=":0")
    running.peer().mail()
    running.peer().mail(b"bug")
    address = running.names[-1].removesuffix(" for metrics")
    assert address.startswith("127.0.0.1:")
    until(lambda: not running.waiting(), "the delivery")
    with urlopen(f"http://{address}/metrics") as answer:
        assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
        text = answer.read().decode()
    assert re.findall("# HELP ([a-z_]+)", text) == list(names())
    found = samples(text)
    assert found['pbmstar_mails_total{outcome="applied"}'] == 1
    assert found['pbmstar_mails_total{outcome="quarantined"}'] == 1
    assert found["pbmstar_mail_seconds_count"] == 2
    assert found["pbmstar_quarantined_mails"] == 1
    assert found['pbmstar_budget{kind="password"}'] == PASSWORDS.burst
    assert found['pbmstar_put_off_total{kind="bounce"}'] == 0
    assert found['pbmstar_letters{state="sent"}'] == 1
    assert found['pbmstar_deliveries_total{domain="other",verdict="sent"}'] == 1
    assert found["pbmstar_disk_free_bytes"] > 1e6
    assert abs(found["pbmstar_start_timestamp_seconds"] - time.time()) < 2 * PATIENCE
    assert samples(of_the_daemon(address, 0.0)).keys() == found.keys()
    with pytest.raises(HTTPError, match="404"):
        urlopen(f"http://{address}/etc/passwd")


def test_a_request_too_long_is_not_answered(start: Start, caplog: pytest.LogCaptureFixture) -> None:
    """Nor is it a fault of ours, in the log."""
    address = start(metrics=":0").names[-1].removesuffix(" for metrics")
    host, port = address.split(":")
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as peer:
        peer.sendall(b"GET /" + b"x" * 100_000)
        with suppress(ConnectionError):
            assert peer.recv(1) == b""
    with urlopen(f"http://{address}/metrics"):
        assert "Unhandled" not in caplog.text


def test_or_in_a_file_that_others_may_read(start: Start, tmp_path: Path) -> None:
    """`admin metrics` shows what is there, but not what a daemon wrote that runs no more."""
    file = tmp_path / "pbmstar.prom"
    start(metrics=str(file))
    until(file.exists, "the file")
    until(lambda: file.stat().st_mode & 0o777 == 0o644, "its mode")
    at = file.stat().st_mtime
    assert samples(of_the_daemon(str(file), at + 100))["pbmstar_oldest_letter_seconds"] == 0
    assert of_the_daemon(str(file), at + 200) == ""


@pytest.mark.slow
def test_the_store_alone_knows_some(office: Office) -> None:
    office.game()
    office.deliver(office.write("alice", "help"))
    office.now += 60
    found = samples(office.run("admin", "metrics").output)
    assert found['pbmstar_boards{state="running"}'] == 1
    assert found['pbmstar_players{state="active"}'] == 2
    assert found['pbmstar_handled_mails{outcome="applied"}'] == 2
    assert (found['pbmstar_letters{state="new"}'], found['pbmstar_letters{state="sent"}']) == (1, 2)
    assert found["pbmstar_oldest_letter_seconds"] == 60
    assert found['pbmstar_games{game="star",state="running"}'] == 1
    assert found['pbmstar_active_players{days="7"}'] == 0  # a challenge proves nothing
    assert found["pbmstar_bot_turns"] == found["pbmstar_remind_timestamp_seconds"] == 0
    office.play(1, "F6")
    office.now += 2 * DAY
    office.remind()
    later = samples(office.run("admin", "metrics").output)
    assert later['pbmstar_active_players{days="1"}'] == 0
    assert later['pbmstar_active_players{days="7"}'] == 1
    assert later["pbmstar_remind_timestamp_seconds"] == office.now
