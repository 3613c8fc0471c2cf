"""Ratings, ladders and leagues on the site, of those who may be seen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from harness.office import Office, address
from harness.shown import publish

from pbmstar.site.folder import Folder
from pbmstar.site.publisher import Publisher


def test_ratings_and_a_ladder_name_only_those_who_may_be_seen(
    office_of: Callable[..., Office], tmp_path: Path
) -> None:
    office = office_of(site=str(tmp_path / "www"), people=("alice", "bob", "carol"))
    root = tmp_path / "www"
    passwords = {"alice": "s3cret", "bob": "hunter2", "carol": "tr1angle"}
    for who in ("alice", "bob"):
        office.send(address(who), f"public {who} {passwords[who]} on")
    office.run("admin", "ladder", "open", "star", "-size=4")
    for who, password in passwords.items():
        office.send(address(who), f"ladder join star {who} {password}")
    for rival in ("bob", "carol"):
        number = office.game(f"star challenge -size=4 alice {rival}")
        for cell in ("A4", "B4", "C4", "D4", "E4", "B3", "C3", "D3", "E3", "C2", "D2", "E2"):
            office.play(number, cell)
        who = office.row(number)
        assert who is not None
        office.play_as(rival, number, "resign")
    publish(office.config, office.store)
    game = (root / "g/1.html").read_text()
    assert "(rated 1500)" in game
    table = (root / "ratings/star.html").read_text()
    assert "alice" in table
    assert "bob" in table
    page = (root / "p/alice.html").read_text()
    assert 'class="rate"' in page
    assert "alice" in (root / "index.html").read_text()
    assert (root / "ladder/star.html").read_text().count("a player") == 1
    pages = [path for path in root.rglob("*") if path.is_file() and path.parent.name != "rules"]
    assert not [path for path in pages if "carol" in path.read_text()]
    publisher = Publisher(office.config, office.store, Folder(root))
    assert publisher.differences() == []
    office.send(address("bob"), "public bob hunter2 off")
    publish(office.config, office.store)
    assert publisher.differences() == []
    assert not [path for path in pages if path.exists() and "bob" in path.read_text()]
