"""The page of a cup on the site, and its line on the front page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest
from harness.office import Office
from shown import publish

from pbmstar.features.cup.verbs import LEAST

_WORD = "s3cret"


@pytest.mark.slow
def test_the_site_shows_a_cup_before_it_begins_and_after(
    office_of: Callable[..., Office], tmp_path: Path
) -> None:
    root = tmp_path / "www"
    office = office_of(site=str(root), people=(), limits="off")
    names = [f"p{number}" for number in range(LEAST)]
    for name in names:
        office.add(name, password=_WORD)
        if name != "p0":
            office.send(name, f"public {name} {_WORD} on")
        office.send(name, f"cup {name} {_WORD}")
    publish(office.config, office.store)
    front = (root / "index.html").read_text()
    assert '<a href="cups/star/1.html">Star cup 1</a>: 4 players so far.' in front
    assert f"?subject={quote('cup star')}" in front
    assert "started yet." in (root / "cups/star/1.html").read_text()
    office.remind(7)
    publish(office.config, office.store)
    table = (root / "cups/star/1.html").read_text()
    assert table.count('<th scope="row">') == LEAST and " p3<" in table
    assert not [each for each in root.rglob("*.html") if "p0" in each.read_text()]
