"""The process that writes the site: it sees what is committed, and what is in its way is told."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from harness.shown import BEGUN, add_game, add_players, moves_of, publish, site_of, world

from pbmstar.site.folder import Folder
from pbmstar.site.press import House, Press, state
from pbmstar.site.publisher import Publisher


def until(is_so: Callable[[], object], seconds: float = 30.0) -> None:
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_the_process_writes_what_is_committed_until_it_is_stopped(tmp_path: Path) -> None:
    config, store = site_of(tmp_path)
    assert config.site is not None
    with closing(store):
        add_players(store, "alice", "bob")
        press = Press(config, period=0.2)
        press.start()
        try:
            until((config.site / "index.html").exists)
            moves, _ = moves_of("star", "{}", 5)
            number = add_game(store, "star", "{}", moves, ("alice", "bob"), BEGUN)
            until((config.site / f"g/{number}.html").exists)
            assert (config.site / f"g/{number}.html").stat().st_mode & 0o777 == 0o644
            until((config.site / "games/star/index.html").exists)
        finally:
            assert press.stop()
    assert state(config.spool).trouble == ""


def test_a_folder_that_cannot_be_written_is_an_alert_and_is_tried_again(tmp_path: Path) -> None:
    config, store = site_of(tmp_path, operator="op@site.example")
    (tmp_path / "file").write_text("in the way")
    blocked = replace(config, site=tmp_path / "file/www")
    with closing(store):
        add_players(store, "alice", "bob")
        house = House(blocked, store)
        for _ in range(2):
            with pytest.raises(OSError, match="directory"):
                house.run()
        with store.transaction(writes=False) as tx:
            letters = [letter for letter in tx.outbox.unsent() if letter.userid == ""]
            assert len(letters) == 1
            stored = tx.outbox.letter(letters[0].id)
            assert stored is not None
            assert str(tmp_path / "file/www").encode() in stored.content
        assert "file/www" in state(config.spool).trouble
        (tmp_path / "file").unlink()
        house.run()
        assert state(config.spool).trouble == ""
        assert (tmp_path / "file/www/index.html").exists()


def test_older_players_are_told_once(tmp_path: Path) -> None:
    config, store = site_of(tmp_path)
    with closing(store):
        add_players(store, "alice", "bob", "carol")
        with store.transaction() as tx:
            for name, news in (("alice", 1), ("bob", 0)):
                user = tx.accounts.user(name)
                assert user is not None
                tx.accounts.set_wishes(user._replace(public=0, news=news))
        for _ in range(2):
            House(config, store).run()
        with store.transaction(writes=False) as tx:
            assert [letter.userid for letter in tx.outbox.unsent()] == ["alice"]


def test_a_run_that_is_killed_anywhere_is_finished_by_the_next(tmp_path: Path) -> None:
    """Whatever stands in the folder then is whole, and in the end all is as if nobody had been killed."""
    config, store = site_of(tmp_path)
    assert config.site is not None
    with closing(store):
        world(store, most=30)
        words = [sys.executable, "-m", "pbmstar", "--spool", str(config.spool), "site"]
        words += [str(config.site), "--address", config.address]
        for files in (3, 30, 60):
            run = subprocess.Popen(words, stdout=subprocess.DEVNULL)
            try:
                until(lambda enough=files: len(list(config.site.rglob("*"))) > enough or run.poll())
            finally:
                os.kill(run.pid, signal.SIGKILL) if run.poll() is None else None
                run.wait()
            for page in config.site.rglob("*.html"):
                assert page.read_text().rstrip().endswith("</html>"), page
        publish(config, store)
        assert Publisher(config, store, Folder(config.site)).differences() == []


def test_two_at_once_both_end_well(tmp_path: Path) -> None:
    config, store = site_of(tmp_path)
    assert config.site is not None
    with closing(store):
        world(store, most=30)
        words = [sys.executable, "-m", "pbmstar", "--spool", str(config.spool), "site"]
        words += ["--site", str(config.site), "--address", config.address]
        runs = [subprocess.Popen(words, stdout=subprocess.DEVNULL) for _ in range(2)]
        assert [run.wait() for run in runs] == [0, 0]
        assert Publisher(config, store, Folder(config.site)).differences() == []
