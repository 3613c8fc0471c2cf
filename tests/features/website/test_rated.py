"""Ratings on the site, if there are any."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from harness.office import PASSWORD, Office, address
from shown import publish

from pbmstar.features.website.folder import SiteFolder
from pbmstar.features.website.worker import Publisher


@pytest.mark.slow
def test_the_site_names_only_those_who_may_be_seen(
    office_of: Callable[..., Office], tmp_path: Path
) -> None:
    office = office_of(site=str(tmp_path / "www"), people=("alice", "bob", "carol"))
    root = tmp_path / "www"
    for who in ("alice", "bob"):
        office.send(address(who), f"public {who} {PASSWORD[who]} on")
    for rival in ("bob", "carol"):
        number = office.game(f"star challenge -size=4 alice {rival}")
        for cell in ("A4", "B4", "C4", "D4", "E4", "B3", "C3", "D3", "E3", "C2", "D2", "E2"):
            office.play(number, cell)
        office.play_as(rival, number, "resign")
    publish(office.config, office.store)
    assert "rated 1500" in (root / "g/1.html").read_text()
    table = (root / "ratings/star.html").read_text()
    assert "alice" in table
    assert "bob" in table
    assert 'class="rate"' in (root / "p/alice.html").read_text()
    for mark, deviation in (
        ("?", 111),
        ("", 109),
    ):  # a provisional rating is marked, wherever it stands
        office.sql(f"UPDATE ratings SET deviation = {deviation}")
        office.sql("UPDATE ratings SET rating = 1543 WHERE userid = 'alice'")
        publish(office.config, office.store)
        for name in ("index.html", "ratings/star.html", "ratings/index.html", "p/alice.html"):
            shown = re.search(r"\b1543(\?|)", (root / name).read_text())
            assert shown and shown[1] == mark, name
        assert ("provisional" in (root / "index.html").read_text()) is bool(mark)
    pages = [path for path in root.rglob("*") if path.is_file() and path.parent.name != "rules"]
    assert not [path for path in pages if "carol" in path.read_text()]
    assert Publisher(office.config, office.store, SiteFolder(root)).differences() == []
