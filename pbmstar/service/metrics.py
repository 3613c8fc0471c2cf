"""Figures for monitoring, in the text format of Prometheus. What is counted lives in this process."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Name(NamedTuple):
    """A figure: its help text, its kind, the label that tells its series apart, a histogram's bounds."""

    text: str
    kind: str = "gauge"
    label: str = ""
    bounds: tuple[float, ...] = ()


NAMES = {
    "pbmstar_mails_total": Name("Mails that this daemon took, by outcome.", "counter", "outcome"),
    "pbmstar_mail_seconds": Name(
        "From the end of a mail's content to its answer.",
        "histogram",
        bounds=(0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10),
    ),
    "pbmstar_commit_mails": Name(
        "Mails and other jobs that shared one commit.",
        "histogram",
        bounds=(1, 2, 4, 8, 16, 32, 64),
    ),
    "pbmstar_budget": Name(
        "Passwords and returned mails that may be looked at at once; all others wait or are put off.",
        label="kind",
    ),
    "pbmstar_put_off_total": Name("Mails put off since the budget was spent.", "counter", "kind"),
    "pbmstar_handled_mails": Name("Mails of the last 30 days, by outcome.", label="outcome"),
    "pbmstar_letters": Name("Letters in the outbox, by state.", label="state"),
    "pbmstar_oldest_letter_seconds": Name("For how long the oldest letter has waited."),
    "pbmstar_boards": Name("Boards, by state.", label="state"),
    "pbmstar_players": Name("Accounts, by state.", label="state"),
    "pbmstar_quarantined_mails": Name("Mails in the quarantine."),
}
Gauges = Mapping[str, Mapping[str, float]]  # by name, then by the value of the label


class Metrics:
    """The counters and histograms of one process. Each name is to be used by one thread."""

    def __init__(self) -> None:
        self._counts: dict[str, Counter[str]] = {}
        self._sums: Counter[str] = Counter()
        self._watched: dict[str, Callable[[], Mapping[str, float]]] = {}

    def watch(self, name: str, values: Callable[[], Mapping[str, float]]) -> None:
        """Ask for the values of a gauge, by label, whenever there is somebody who wants them."""
        self._watched[name] = values

    def count(self, name: str, label: str = "", more: int = 1) -> None:
        """One more, or so many; none lets the series begin."""
        self._counts.setdefault(name, Counter())[label] += more

    def observe(self, name: str, value: float) -> None:
        """One more of a histogram."""
        bounds = NAMES[name].bounds
        place = bisect_left(bounds, value)
        self.count(name, f"{bounds[place]:g}" if place < len(bounds) else "+Inf")
        self._sums[name] += value  # type: ignore[assignment]

    def text(self, gauges: Gauges) -> str:
        """All figures: those counted here, and ``gauges``."""
        gauges = {**gauges, **{name: values() for name, values in self._watched.items()}}
        lines: list[str] = []
        for name, about in NAMES.items():
            counts = self._counts.get(name, gauges.get(name))
            if counts is None:
                continue
            lines += [f"# HELP {name} {about.text}", f"# TYPE {name} {about.kind}"]
            if about.kind == "histogram":
                lines += self._buckets(name, about.bounds)
            else:
                lines += _series(name, about.label, sorted(counts.items()))
        return "\n".join([*lines, ""])

    def _buckets(self, name: str, bounds: Iterable[float]) -> list[str]:
        counts, total = self._counts[name], 0
        buckets = []
        for bound in [*(f"{bound:g}" for bound in bounds), "+Inf"]:
            total += counts[bound]
            buckets.append((bound, float(total)))
        sums = [f"{name}_sum {self._sums[name]:g}", f"{name}_count {total}"]
        return [*_series(f"{name}_bucket", "le", buckets), *sums]


def _series(name: str, label: str, values: Iterable[tuple[str, float]]) -> list[str]:
    return [
        f'{name}{{{label}="{value}"}} {number:g}' if label else f"{name} {number:g}"
        for value, number in values
    ]
