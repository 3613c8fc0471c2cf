"""The alert rules and the dashboard, read by Prometheus' own tool, fit the figures of the program."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from harness.office import Office
from readme import CHECKOUT

from pbmstar.service.admin.metrics import Deliveries, Metrics, names

FOLDER = CHECKOUT / "docs" / "monitoring"
OF_PARTS = re.compile(r"_(bucket|sum|count)$")


def promtool(*words: str, stdin: str = "", folder: Path = FOLDER) -> str:
    """Return what it prints; a complaint fails the test."""
    if not shutil.which("promtool"):
        pytest.skip("there is no promtool")
    done = subprocess.run(
        ["promtool", *words],
        check=False,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=600,
        cwd=folder,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def expressions() -> Iterator[tuple[str, str]]:
    """(panel, expression) of all of the dashboard."""
    for panel in json.loads((FOLDER / "grafana.json").read_text())["panels"]:
        for target in panel["targets"]:
            yield panel["title"], target["expr"]


def named(text: str) -> set[str]:
    """The figures that a text names."""
    return {
        name if name in names() else OF_PARTS.sub("", name)
        for name in re.findall(r"pbmstar_[a-z_]+", text)
    }


@pytest.mark.slow
def test_each_alert_comes_when_it_should_and_not_before(tmp_path: Path) -> None:
    promtool("check", "rules", "alerts.yml")
    shutil.copy(FOLDER / "alerts.yml", tmp_path / "alerts_under_test.yml")
    for name in ("alerts.yml", "reminders.yml"):
        shutil.copy(CHECKOUT / "tests" / "operator" / name, tmp_path)
        assert "SUCCESS" in promtool("test", "rules", name, folder=tmp_path)


def test_the_dashboard_is_of_expressions(tmp_path: Path) -> None:
    """Prometheus reads each, as if it were a rule."""
    rules = [
        {"record": f"panel:{number}", "expr": text}
        for number, (_, text) in enumerate(expressions())
    ]
    file = tmp_path / "rules.yml"
    file.write_text(json.dumps({"groups": [{"name": "panels", "rules": rules}]}))  # YAML, too
    assert f"{len(rules)} rules found" in promtool("check", "rules", str(file))


def test_they_name_figures_that_there_are() -> None:
    assert named((FOLDER / "alerts.yml").read_text()) <= set(names())
    shown = {name for _, text in expressions() for name in named(text)}
    assert shown <= set(names())


def test_the_panels_lie_side_by_side() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in json.loads((FOLDER / "grafana.json").read_text())["panels"]:
        x, y, w, h = (panel["gridPos"][key] for key in "xywh")
        cells = {(column, row) for column in range(x, x + w) for row in range(y, y + h)}
        assert x + w <= 24 and not cells & taken, panel["title"]
        taken |= cells


def test_the_tool_finds_nothing_wrong_with_the_figures(office: Office) -> None:
    """Names, kinds and help texts, of the store and of a process."""
    office.game()
    metrics = Metrics()
    for name, about in names().items():
        if about.kind == "histogram":
            metrics.observe(name, 1)
        elif about.kind == "counter":
            metrics.count(name, *about.labels)
    assert promtool("check", "metrics", stdin=metrics.text({})) == ""
    assert promtool("check", "metrics", stdin=office.run("admin", "metrics").output) == ""


def test_a_domain_has_series_once_players_there_have_had_letters() -> None:
    """At most 30, for good; a refused letter, and one to a stranger, makes none."""
    metrics = Metrics()
    deliveries = Deliveries(metrics)
    for number in range(1000):
        for _ in range(5):
            deliveries.note(f"a@of{number}.example", "sent")
    for _ in range(50):
        deliveries.note("a@refused.example", "dead")
        deliveries.note_stranger("a@evil.example", "sent")
    deliveries.note("a@of3.example", "later")
    text = metrics.text({})
    domains = set(re.findall('domain="([^"]+)"', text))
    assert len(domains) == 32
    assert {"of0.example", "of29.example", "other", "strangers"} <= domains
    assert 'pbmstar_deliveries_total{domain="of3.example",verdict="later"} 1\n' in text
    assert 'pbmstar_deliveries_total{domain="other",verdict="dead"} 50\n' in text
    assert 'pbmstar_deliveries_total{domain="strangers",verdict="sent"} 50\n' in text
