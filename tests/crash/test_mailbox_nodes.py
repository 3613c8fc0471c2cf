"""Two nodes on one PostgreSQL that name the same mailbox: one reads it, and the other goes on when that is killed."""

from __future__ import annotations

import time
from contextlib import ExitStack
from pathlib import Path

import pytest
from harness import kills
from harness.dovecot import PASSWORD, TLS, dovecot, is_possible
from harness.server import Server, until

pytestmark = pytest.mark.slow


def test_another_node_goes_on_within_a_minute(
    request: pytest.FixtureRequest, database: str, tmp_path: Path
) -> None:
    """Killed with messages in hand: each opens its board once, by one node or the other."""
    if not request.config.getoption("--postgresql"):
        pytest.skip("needs --postgresql")
    if not is_possible():
        pytest.skip("only root can start a Dovecot, and there must be one")
    with dovecot() as provider, ExitStack() as opened:
        url = provider.add("both").replace("@", f":{PASSWORD}@", 1)

        def node(name: str) -> Server:
            made = Server(
                tmp_path / name, database=database, mailbox=url, node=name, limits="off",
                pictures="off", bots="0",
            )  # fmt: skip
            made.environment["SSL_CERT_FILE"] = str(TLS)
            return opened.enter_context(made)

        reads, waits = node("reads"), node("waits")
        reads.add(*kills.PLAYERS)
        reads.start()
        until(lambda: provider.log().count("Login: user=<both>"), "the first node in the mailbox")
        waits.start()
        provider.append("both", *kills.messages(200))
        until(lambda: provider.count("both", "pbmstar/done") > 10, "messages that are handled")
        reads.kill()
        begun = time.monotonic()
        left = provider.count("both")
        assert left
        until(lambda: provider.count("both") < left, "the other node in the mailbox")
        took = time.monotonic() - begun
        until(lambda: not provider.count("both"), "an empty inbox")
        print(f"{left} of 200 were left, the other node went on after {took:.0f} s")
        assert took < 60
        assert provider.count("both", "pbmstar/done") == 200
        assert len(waits.json("admin", "board", "list")) == 200
        assert waits.stop() == 0
