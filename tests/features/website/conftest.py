"""What the tests of the site share: a browser and a written site for all, a store for each."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, nullcontext
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from harness.office import Office
from phone import URL
from shown import Played, Shown, chromium, publish, site_of, world
from town import settle

from pbmstar.config import Config
from pbmstar.render.translator import Translator
from pbmstar.store import Store


def _languages(config: pytest.Config) -> AbstractContextManager[object]:
    """Every day the site is written in English alone, because each language is as much work; else in all."""
    if config.getoption("--slow"):
        return nullcontext()
    return mock.patch.object(Translator, "offered", return_value=("en",))


@pytest.fixture(autouse=True)
def _spoken(request: pytest.FixtureRequest) -> Iterator[None]:
    """What a test itself writes is in these languages, unless it is about translated pages."""
    with nullcontext() if request.path.name == "test_translated.py" else _languages(request.config):
        yield


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A browser for the tests of a file: while it runs, its thread can run no other event loop."""
    with chromium() as running:
        yield running


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Played]:
    """A folder of pages, and the games in it."""
    config, store = site_of(tmp_path_factory.mktemp("shown"))
    with closing(store):
        played = world(store, most=40)
        publish(config, store)
    assert config.site is not None
    return config.site, played


@pytest.fixture(scope="session")
def town(another: Callable[..., Office], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of pages of every kind, with real games."""
    root = tmp_path_factory.mktemp("town") / "www"
    with closing(another(people=(), site=str(root), site_url=URL, limits="off")) as office:
        settle(office)
    return root


@pytest.fixture
def shown(written: tuple[Path, Played], browser: Any) -> Iterator[Shown]:
    """The written site; a test fails if a page of it asks for anything elsewhere, or complains."""
    here = Shown(*written, browser, [])
    yield here
    for context in browser.contexts:
        context.close()
    assert here.troubles == []


@pytest.fixture(scope="session")
def empty_site(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of the pages of a store without boards, to be copied: the rules take longest to write."""
    config, store = site_of(tmp_path_factory.mktemp("empty"))
    with closing(store), _languages(pytestconfig):
        publish(config, store)
    assert config.site is not None
    return config.site


@pytest.fixture
def site(database: str, empty_site: Path, tmp_path: Path) -> Iterator[tuple[Config, Store]]:
    """A configuration with a site, and its store; what needs no board is written already."""
    config, store = site_of(tmp_path, database=database)
    assert config.site is not None
    shutil.copytree(empty_site, config.site)
    with closing(store):
        yield config, store


@pytest.fixture
def office(office_of: Callable[..., Office], tmp_path: Path) -> Office:
    return office_of(site=str(tmp_path / "www"), site_url=URL)
