"""A server with the keys of a site, on which the site is switched off: nothing speaks of it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from harness.common import sentence
from harness.letters import PASSWORD
from harness.office import Office
from phone import URL
from shown import publish, site_of

from pbmstar.cli import doctor, shared
from pbmstar.service.work.feature import workers


@pytest.mark.parametrize("without", ["", "website"])
def test_letters_name_the_site_only_if_there_is_one(
    office_of: Callable[..., Office], tmp_path: Path, without: str
) -> None:
    is_there = not without
    office = office_of(site=str(tmp_path / "www"), site_url=URL, without=without)
    (letter,) = office.send("carol", "signup carol c4rol.pw")
    seen = f"Everyone can see your userid, your games and your ratings on {URL}"
    assert (seen in " ".join(letter.text.split())) == is_there
    office.send("carol", "yes", to=letter.reply_to)
    user = office.ask("accounts.user", "carol")
    assert user is not None and user.public == is_there
    letters = office.send("alice", "star challenge -size=4 alice bob")
    assert any(f"{sentence('bigger board')}: " in each.text for each in letters) == is_there
    (letter,) = office.send("alice", f"public alice {PASSWORD['alice']}")
    assert ("if this server ever does" in letter.text) != is_there


@pytest.mark.usefixtures("queue")
@pytest.mark.parametrize("without", ["", "website"])
def test_pages_are_written_only_if_there_is_a_site(tmp_path: Path, without: str) -> None:
    config, store = site_of(tmp_path, without=without)
    assert config.site is not None
    shared.catch_up(config, store)
    assert config.site.exists() == (not without)
    found = doctor.examine(config, lambda *_: [], 0.0)
    assert any(each.what.startswith("site") for each in found) == (not without)
    assert ("web pages" in workers(config)) == (not without)
    store.close()


def test_a_site_has_no_pages_of_a_feature_that_is_off(
    office_of: Callable[..., Office], tmp_path: Path
) -> None:
    office = office_of(site=str(tmp_path / "www"))
    office.run("admin", "ladder", "open", "star", "-size=4")
    page = tmp_path / "www/ladder/star.html"
    publish(office.config, office.store)
    assert page.exists()
    publish(replace(office.config, without=frozenset({"ladder"})), office.store)
    assert not page.exists()


@pytest.mark.slow
def test_what_writes_letters_needs_no_database_for_the_big_board() -> None:
    code = (
        "import sys\nimport pbmstar.delivery.process\nfrom pbmstar.parts import modules\n"
        "print('website' in dict(modules('facts')), 'sqlalchemy' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout == "True False\n"
