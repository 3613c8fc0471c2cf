"""Pages for readers who do not see them, or use a keyboard: structure, and axe-core if it is there.

axe-core is not a part of this repository. ``npm install --no-save axe-core`` in the checkout, or PBMSTAR_AXE,
the path of its file ``axe.min.js``, lets the slow tests run.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pytest
from harness.office import Office, address
from phone import asked, opened

CHECKOUT = Path(__file__).parents[3]
AXE = Path(os.environ.get("PBMSTAR_AXE") or CHECKOUT / "node_modules/axe-core/axe.min.js")
RUN = """() => axe.run(document, {resultTypes: ['violations']}).then(found => found.violations.map(
  each => `${each.id}: ${each.nodes.map(node => node.html.slice(0, 120)).join(' ')}`))"""


def kinds(town: Path) -> Iterator[Path]:
    """Yield a page of each kind; of games one that is over, one that runs, and the largest."""
    seen = set()
    for path in sorted(town.rglob("*.html")):
        name = path.relative_to(town).as_posix()
        kind = re.sub(r"[0-9]{4}-[0-9]{2}|(?<=/)(?:star|[a-z]+)(?=[/.])", "", name)
        if name.startswith(("g/", "rules/")) or kind not in seen:
            seen.add(kind)
            yield path


@pytest.mark.slow
def test_headings_descend_by_one_and_no_region_is_called_as_another(town: Path) -> None:
    for page in town.rglob("*.html"):
        text = page.read_text()
        levels = [int(level) for level in re.findall(r"<h([1-6])\b", text)]
        assert levels[0] == 1 and levels.count(1) == 1, page
        assert all(after <= before + 1 for before, after in pairwise(levels)), (page, levels)
        regions = re.findall(r'role="region" aria-label="([^"]*)"', text)
        assert len(set(regions)) == len(regions) == text.count('class="wide"'), page


@pytest.mark.slow
@pytest.mark.skipif(not AXE.exists(), reason="there is no axe-core: see the head of this file")
def test_axe_finds_nothing_on_any_kind_of_page(town: Path, browser: Any) -> None:
    script = AXE.read_text("utf-8")
    names = list(kinds(town))
    assert len(names) > 20
    for scheme, width in product(("light", "dark"), (390, 1280)):
        context = browser.new_context(
            bypass_csp=True, color_scheme=scheme, viewport={"width": width, "height": 800}
        )
        page = context.new_page()
        for path in names:
            page.goto(path.as_uri())
            page.evaluate(script)
            assert page.evaluate(RUN) == [], (path.relative_to(town), scheme, width)
        context.close()


@pytest.mark.slow
@pytest.mark.skipif(not AXE.exists(), reason="there is no axe-core: see the head of this file")
def test_axe_finds_nothing_where_a_move_is_chosen(browser: Any, office: Office) -> None:
    office.send(address("alice"), "star challenge -size=4 alice bob")
    office.send(address("alice"), "hex challenge alice bob")
    found = asked(office.play(1, "C4", "E5", body="Well played!"))
    assert found is not None
    page = opened(browser, office, found[1], [])
    page.locator('[data-cell="D4"]').tap()
    assert page.locator("#side h2").count() == 2
    session = page.context.new_cdp_session(page)
    session.send("Page.setBypassCSP", {"enabled": True})
    page.reload()
    page.locator('[data-cell="D4"]').tap()
    page.evaluate(AXE.read_text("utf-8"))
    assert page.evaluate(RUN) == []
    page.context.close()
