"""The presence of a daemon: what it tells systemd and a load balancer, and how it drains."""

from __future__ import annotations

import http.client
import socket
import threading
from pathlib import Path

import pytest
from harness import client
from harness.server import Server, free_port, until
from harness.sink import Sink, Taken

pytestmark = pytest.mark.slow
TO = "star@pbm.example"


def get(port: int, path: str) -> tuple[int, str]:
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
    line.request("GET", path)
    answer = line.getresponse()
    return answer.status, answer.read().decode().strip()


def mail(number: int, text: str) -> bytes:
    return (
        f"From: alice@alice.example\r\nTo: {TO}\r\nSubject: {text}\r\n"
        f"Message-ID: <{number}@mua.example>\r\n\r\n\r\n"
    ).encode()


def test_ready_paused_and_drained(tmp_path: Path) -> None:
    """Who drains takes no mail, sends what waits, and ends well."""
    port, place = free_port(), tmp_path / "systemd"
    systemd = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    systemd.bind(str(place))
    systemd.settimeout(600)
    with (
        Sink() as sink,
        Server(
            tmp_path / "home",
            relay=sink.url,
            address=TO,
            metrics=f":{port}",
            bots="0",
            node="north",
        ) as server,
    ):
        server.add("alice", "bob")
        server.environment["NOTIFY_SOCKET"] = str(place)
        server.start(truly=True)
        assert systemd.recv(99) == b"READY=1"
        assert get(port, "/healthz") == (200, "ok")
        assert get(port, "/readyz") == (200, "ok")
        assert get(port, "/elsewhere")[0] == 404
        figures = get(port, "/metrics")[1]
        assert 'pbmstar_node_info{node="north"} 1' in figures
        assert 'pbmstar_players{state="active"} 2' in figures
        server.says("admin", "pause")
        assert get(port, "/readyz") == (503, "paused by the operator")
        assert get(port, "/healthz") == (200, "ok")
        server.says("admin", "resume")
        assert client.send(server.port, mail(1, "star challenge alice bob"), TO).startswith("250")
        until(lambda: sink.count == 2, "letters")
        draining = server.hold("drain").go()
        assert systemd.recv(99) == b"STOPPING=1"
        ended = draining.end()
        assert ended.status == 0, ended
        assert ended.output.splitlines()[-1] == "Daemon drained."
        assert server.process is not None and server.process.wait(600) == 0
        again = server.run("drain")
        assert (again.returncode, b"no daemon runs" in again.stderr) == (75, True)
    systemd.close()


def test_letters_that_wait_go_out_before_the_end(tmp_path: Path) -> None:
    """The relay answers late; a mail that comes meanwhile is put off."""
    may = threading.Event()

    def rule(step: str, _count: int, _letter: Taken) -> str | None:
        if step == "mail":
            may.wait(600)
        return None

    with (
        Sink(rule) as sink,
        Server(tmp_path / "home", relay=sink.url, address=TO, bots="0") as server,
    ):
        server.add("alice", "bob")
        server.start()
        line = client.Line(server.port, TO)
        assert line.mail(mail(1, "star challenge alice bob")).startswith("250")
        draining = server.hold("drain").go()
        until(lambda: server.logged("drain"), "drain")
        assert line.mail(mail(2, "star show 1")).startswith("4")
        line.close()
        assert server.process is not None and server.process.poll() is None
        may.set()
        assert draining.end().status == 0
        assert server.process.wait(600) == 0
        assert sink.count == 2
    assert not (server.spool / "serve.pid").exists()
