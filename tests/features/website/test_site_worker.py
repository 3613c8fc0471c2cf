"""The process that writes the site: it sees what is committed, and what is in its way is told."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from harness.ready import Run, ready
from harness.server import until
from shown import BEGUN, add_game, add_players, moves_of, publish, world

from pbmstar import games
from pbmstar.cli import doctor
from pbmstar.config import Config
from pbmstar.features.website.folder import SiteFolder
from pbmstar.features.website.pages.fragment import surface
from pbmstar.features.website.worker import ConfiguredSite, Publisher, SiteWorker, state
from pbmstar.store import Store

Site = tuple[Config, Store]


@pytest.mark.slow
def test_the_process_writes_what_is_committed_until_it_is_stopped(site: Site) -> None:
    config, store = site
    assert config.site is not None
    add_players(store, "alice", "bob")
    moves, _ = moves_of("star", "{}", 5)
    press = SiteWorker(config, period=0.02, longest=0.02)
    press.start()
    try:
        for _ in range(2):
            number = add_game(store, "star", "{}", moves, ("alice", "bob"), BEGUN)
            until((config.site / f"g/{number}.html").exists)
            assert (config.site / f"g/{number}.html").stat().st_mode & 0o777 == 0o644
        listed = config.site / "games/star/index.html"
        until(lambda: f"g/{number}.html" in listed.read_text())
    finally:
        assert press.stop()
    assert state(config.spool).trouble == ""


def test_a_folder_that_cannot_be_written_is_an_alert_and_is_tried_again(
    site: Site, tmp_path: Path
) -> None:
    config, store = site
    (tmp_path / "file").write_text("in the way")
    blocked = replace(config, site=tmp_path / "file/www", operator="op@site.example")
    add_players(store, "alice", "bob")
    house = ConfiguredSite(blocked, store)
    for _ in range(2):
        with pytest.raises(OSError, match="directory"):
            house.run()
    with store.transaction(writes=False) as tx:
        letters = [letter for letter in tx.outbox.unsent() if letter.userid == ""]
        assert len(letters) == 1
        stored = tx.outbox.letter(letters[0].id)
        assert stored is not None
        assert str(tmp_path / "file/www").encode() in stored.content
        assert b"pages not written" in stored.content
    assert "file/www" in state(config.spool).trouble
    (tmp_path / "file").unlink()
    house.run()
    assert state(config.spool).trouble == ""
    assert (tmp_path / "file/www/index.html").exists()


def test_older_players_are_told_once(site: Site) -> None:
    config, store = site
    add_players(store, "alice", "bob", "carol")
    with store.transaction() as tx:
        for name, news in (("alice", 1), ("bob", 0)):
            user = tx.accounts.user(name)
            assert user is not None
            tx.accounts.set_wishes(user._replace(public=0, news=news))
    for _ in range(2):
        ConfiguredSite(config, store).run()
    with store.transaction(writes=False) as tx:
        assert [letter.userid for letter in tx.outbox.unsent()] == ["alice"]


def written_by_process(config: Config, *words: str) -> Run:
    """Begin ``pbmstar site`` with these words."""
    own = ("--spool", str(config.spool), "--address", config.address)
    words = ("site", *words, *own, "--database", config.database)
    return ready().hold(*words, environment=os.environ, folder=config.spool).go()


@pytest.mark.slow
def test_a_run_that_is_killed_anywhere_is_finished_by_the_next(site: Site) -> None:
    """Whatever stands in the folder then is whole, and in the end all is as if nobody had been killed."""
    config, store = site
    assert config.site is not None
    shutil.rmtree(config.site)
    world(store, most=30)
    for files in (3, 30, 60):
        run = written_by_process(config, str(config.site))
        try:
            until(lambda enough=files: len(list(config.site.rglob("*"))) > enough or run.poll())
        finally:
            run.kill()
            run.end()
        for page in config.site.rglob("*.html"):
            assert page.read_text().rstrip().endswith("</html>"), page
    publish(config, store)
    assert Publisher(config, store, SiteFolder(config.site)).differences() == []


@pytest.mark.slow
def test_two_at_once_both_end_well(site: Site) -> None:
    config, store = site
    assert config.site is not None
    shutil.rmtree(config.site)
    world(store, most=30)
    runs = [written_by_process(config, "--site", str(config.site)) for _ in range(2)]
    assert [run.end().status for run in runs] == [0, 0]
    assert Publisher(config, store, SiteFolder(config.site)).differences() == []


@contextmanager
def small_disk(folder: Path) -> Iterator[None]:
    """A folder that takes 2 MB and no more."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=2m,mode=755", "tmpfs", str(folder)]
    if subprocess.run(command, check=False, capture_output=True).returncode:
        pytest.skip("nobody lets us mount a small disk here")
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk_leaves_the_pages_that_are_there_whole(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page is the old one or the new one; the operator is told; with room again all is written."""
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)  # a Postfix is asked for a second
    config, store = site
    add_players(store, "alice", "bob")
    moves, _ = moves_of("star", "{}", 300)
    number = add_game(store, "star", "{}", moves[:20], ("alice", "bob"), BEGUN)
    with small_disk(tmp_path / "disk"):
        config = replace(config, site=tmp_path / "disk/www", operator="op@site.example")
        root = tmp_path / "disk/www"
        house = ConfiguredSite(config, store)
        house.run()
        pages = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
        with open(tmp_path / "disk/more", "wb", buffering=0) as more, suppress(OSError):
            while more.write(bytes(1024)):
                pass
        with store.transaction() as tx:  # the page that is there grows
            row = tx.boards.get(number)
            assert row is not None
            match = before = row.match(tx.boards.record(number))
            for each in moves[20:180]:
                match = match.after(match.to_move, each, match.since + 60)
            tx.boards.save(before, match)
        for _ in range(8):
            add_game(store, "star", "{}", moves, ("alice", "bob"), BEGUN)
        for _ in range(2):
            with pytest.raises(OSError, match="No space left"):
                house.run()
        for path, content in pages.items():
            assert path.read_bytes() == content or path.name[0] == ".", path
        trouble = state(config.spool)
        assert "No space left" in trouble.trouble
        assert trouble.due >= 8
        findings = doctor.examine(config, lambda *_: [], trouble.at)
        (found,) = [each for each in findings if each.verdict == "fail" and "site:" in each.what]
        assert "No space left" in found.what
        assert found.advice.startswith(f"{trouble.due} pages wait.")
        with store.transaction(writes=False) as tx:
            assert len([each for each in tx.outbox.unsent() if each.userid == ""]) == 1
        subprocess.run(["mount", "-o", "remount,size=16m", str(tmp_path / "disk")], check=True)
        house.run()
        assert state(config.spool).trouble == ""
        assert (root / f"g/{number + 8}.html").exists()
        assert Publisher(config, store, SiteFolder(root)).differences() == []


def test_the_boards_of_all_games_are_there_before_anybody_plays(site: Site) -> None:
    """Somebody who opens the page of a first letter at once finds the board, whatever its size."""
    config, store = site
    assert config.site is not None
    ConfiguredSite(config, store).run()
    for word, options in (
        *((game.word, {}) for game in games.GAMES),
        *(("star", {"size": size}) for size in range(3, 15)),
        ("*star", {"rings": 3}),
        ("*star", {"rings": 4, "nobridge": True, "handicap": 2}),
        ("hex", {"size": 21}),
        ("y", {"bent": True}),
    ):
        key = surface(games.make(word, options).grid).key
        assert (config.site / f"s/{key}.js").exists(), (word, options)
    kept = sum(path.stat().st_size for path in (config.site / "s").iterdir())
    assert kept < 2_000_000
    assert not any(ConfiguredSite(config, store).run()), "written once"
