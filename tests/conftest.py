"""How the tests are chosen and run; what they share is in ``harness/fixtures.py``."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Generator
from pathlib import Path

import pytest

# Bots think interpreted in the tests: to compile takes longer than their small boards.
sys.modules.setdefault("numba", None)  # type: ignore[arg-type]

# Copies of the program that the tests make and test need not find out again what Hypothesis knows of its text.
os.environ.setdefault(
    "HYPOTHESIS_STORAGE_DIRECTORY", str(Path(__file__).parents[1] / ".hypothesis")
)

# Programs that the tests start find their modules compiled: else each start takes a quarter of a second more.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--postgresql", action="store_true", help="only what uses a database, and on PostgreSQL"
    )
    parser.addoption("--renew", action="store_true", help="write golden letters anew")
    parser.addoption("--slow", action="store_true", help="run the slow tests too")


def pytest_configure(config: pytest.Config) -> None:
    """Load what the tests share, except into a process that only tells others which tests to run."""
    options = config.option
    if getattr(options, "dist", "no") == "no" or options.collectonly:
        config.pluginmanager.import_plugin("harness.fixtures")
    else:  # its summary would load all of Hypothesis
        config.pluginmanager.set_blocked("hypothesispytest")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect the tests without the garbage collector: what they load lives until the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(100_000, 20, 20)  # more than in the daemon: few cycles are left behind
        gc.enable()


def pytest_unconfigure() -> None:
    """Look for garbage once: pytest does so five times in the end, among all that lives."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--postgresql"):
        blind = [item for item in items if not _uses_a_database(item)]
        config.hook.pytest_deselected(items=blind)
        items[:] = filter(_uses_a_database, items)
    if config.getoption("--slow"):
        # What takes long comes first: else the processes end far apart.
        long = {item.path for item in items if _is_slow(item)}
        items.sort(key=lambda item: (not _is_alone(item), item.path not in long))
    elif not config.getoption("--renew"):
        is_named = any(".py" in word for word in config.args)  # who names a file sees all its cases
        left = set() if is_named else _left_out(items)
        later = {item: None for item in items if _is_slow(item) or item in left}
        config.hook.pytest_deselected(items=list(later))
        items[:] = [item for item in items if item not in later]

    if getattr(config.option, "loadgroup", False):  # in a process of xdist
        # A file is a group: what it sets up is set up once. What takes minutes goes by itself.
        for item in items:
            if not _is_alone(item):
                item.add_marker(pytest.mark.xdist_group(item.location[0]))


def _left_out(items: list[pytest.Item]) -> set[pytest.Item]:
    """Return the cases beyond the ``few`` of their tests; those that stay are spread evenly, with the first."""
    cases: dict[tuple[Path, str], list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("few") and not _is_slow(item):
            cases.setdefault((item.path, item.nodeid.partition("[")[0]), []).append(item)
    left = set[pytest.Item]()
    for each in cases.values():
        (few,) = each[0].get_closest_marker("few").args
        left |= {*each} - {each[number * len(each) // few] for number in range(few)}
    return left


def _is_alone(item: pytest.Item) -> bool:
    return item.get_closest_marker("xdist_group") is not None


def _is_slow(item: pytest.Item) -> bool:
    return item.get_closest_marker("slow") is not None


def _uses_a_database(item: pytest.Item) -> bool:
    return isinstance(item, pytest.Function) and "database" in item.fixturenames


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Report no keywords: nobody reads them, and each process that runs tests would send all of them."""
    report = yield
    report.keywords = {}
    return report
