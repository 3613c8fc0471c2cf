"""Figures for monitoring, in the text format of Prometheus, from this process and from the store."""

from __future__ import annotations

import platform
import threading
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import cache

from ...bots.rows import Bots
from ...config import Config
from ...machine.times import DAY, Epoch
from ...machine.version import VERSION
from ...matchmaking.rows import Offers
from ...ratings.rows import Ratings
from ...store import Tx
from ..letters.alerts import REMINDED
from ..work.feature import Gauge, Gauges, Labels, Series, features

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
DOMAINS = 30  # the most domains with series of their own
_KNOWN = 5  # so many letters to players the relay takes before a domain has a series of its own
OTHERS, STRANGERS = "other", "strangers"  # all other domains; addresses without an account
_ACTIVE = (1, 7, 28)  # days
_OFFERS = {"open": 0, "taken": 0, "withdrawn": 0, "ended": 0}


_OWN: dict[str, Gauge] = {
    "pbmstar_build_info": Gauge(
        "Always 1; which version of the program runs, by which Python.",
        labels=("version", "python"),
    ),
    "pbmstar_node_info": Gauge("Always 1; the name of this node.", labels=("node",)),
    "pbmstar_start_timestamp_seconds": Gauge("When this daemon started, in seconds since 1970."),
    "pbmstar_mails_total": Gauge(
        "Messages that this daemon took, by outcome.", "counter", ("outcome",)
    ),
    "pbmstar_mail_seconds": Gauge(
        "From the end of a message's content to its answer.",
        "histogram",
        bounds=(0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10),
    ),
    "pbmstar_commit_mails": Gauge(
        "Messages and other jobs that shared one commit.",
        "histogram",
        bounds=(1, 2, 4, 8, 16, 32, 64),
    ),
    "pbmstar_budget": Gauge(
        "Passwords and returned letters we can still check right away; any beyond that wait or are deferred.",
        labels=("kind",),
    ),
    "pbmstar_put_off_total": Gauge(
        "Messages deferred because the budget was spent.", "counter", ("kind",)
    ),
    "pbmstar_limits_total": Gauge(
        "Messages without proof of who wrote them that reached a limit, by limit.",
        "counter",
        ("limit",),
    ),
    "pbmstar_refusals_total": Gauge(
        "Commands refused and messages ignored, by reason.", "counter", ("reason",)
    ),
    "pbmstar_deliveries_total": Gauge(
        "Letters given to the relay, by domain and by what it said.",
        "counter",
        ("domain", "verdict"),
    ),
    "pbmstar_handled_mails": Gauge(
        "Messages of the last 30 days, by outcome.", labels=("outcome",)
    ),
    "pbmstar_letters": Gauge("Letters in the outbox, by state.", labels=("state",)),
    "pbmstar_oldest_letter_seconds": Gauge("For how long the oldest letter has waited."),
    "pbmstar_boards": Gauge("Boards, by state.", labels=("state",)),
    "pbmstar_games": Gauge("Boards, by kind of game and by state.", labels=("game", "state")),
    "pbmstar_players": Gauge("Accounts, by state.", labels=("state",)),
    "pbmstar_active_players": Gauge(
        "Players who have written within so many days, and proved that it was them.",
        labels=("days",),
    ),
    "pbmstar_remind_timestamp_seconds": Gauge(
        "When the reminders last ran, in seconds since 1970; 0 if never."
    ),
    "pbmstar_mailbox_messages_total": Gauge(
        "Messages in the mailbox that we have finished with.", "counter"
    ),
    "pbmstar_mailbox_troubles_total": Gauge("How often the mailbox could not be read.", "counter"),
    "pbmstar_mailbox_waiting": Gauge("Messages in the mailbox that are still waiting."),
    "pbmstar_mailbox_down_seconds": Gauge(
        "For how long the mailbox has not been read; 0 while it is."
    ),
    "pbmstar_bot_answers_total": Gauge("Turns that bots answered.", "counter", ("bot",)),
    "pbmstar_bot_thought_seconds_total": Gauge(
        "Processor time that bots took to answer.", "counter", ("bot",)
    ),
    "pbmstar_bot_wait_seconds": Gauge(
        "From the turn of a bot to its answer.",
        "histogram",
        bounds=(0.1, 0.3, 1, 3, 10, 30, 60, 300, 600, 3600),
    ),
    "pbmstar_bot_turns": Gauge("Boards on which a bot is to move."),
    "pbmstar_bot_oldest_turn_seconds": Gauge("How long the oldest turn of a bot has been waiting."),
    "pbmstar_offers": Gauge(
        "Offers of games, by state; closed ones are counted for as long as letters are kept.",
        labels=("state",),
    ),
    "pbmstar_rated_games": Gauge(
        "Games that are rated, among people and in practice.", labels=("kind",)
    ),
    "pbmstar_quarantined_mails": Gauge("Messages in the quarantine."),
    "pbmstar_quarantine_bytes": Gauge("The size of the quarantine on the disk."),
    "pbmstar_disk_free_bytes": Gauge("Free room below the spool."),
}


@cache
def names() -> Mapping[str, Gauge]:
    """Return all figures by name, features' figures too."""
    return _OWN | {name: about for each in features() for name, about in each.figures.items()}


class Metrics:
    """The counters and histograms of one process. Any thread may count."""

    def __init__(self) -> None:
        self._counts: defaultdict[str, Counter[Labels]] = defaultdict(Counter)
        self._sums: Counter[str] = Counter()
        self._watched: dict[str, Callable[[], Mapping[Labels, float]]] = {}
        self._guard = threading.Lock()

    def watch(self, name: str, values: Callable[[], Mapping[Labels, float]]) -> None:
        """Read the values of a gauge, by label, each time that the figures are asked for."""
        self._watched[name] = values

    def begin(self) -> None:
        """Show all counters and histograms from now on, before the first of their series."""
        for name, about in names().items():
            if about.kind != "gauge":
                self._counts.setdefault(name, Counter())

    def count(self, name: str, *labels: str, more: float = 1) -> None:
        """Add to a counter; adding 0 starts its series."""
        with self._guard:
            self._counts[name][labels] += more  # type: ignore[assignment]

    def observe(self, name: str, value: float) -> None:
        """Add a value to a histogram."""
        bounds = names()[name].bounds
        place = bisect_left(bounds, value)
        self.count(name, f"{bounds[place]:g}" if place < len(bounds) else "+Inf")
        with self._guard:
            self._sums[name] += value  # type: ignore[assignment]

    def text(self, gauges: Gauges) -> str:
        """Return all figures, those counted here and ``gauges``, in the format of Prometheus."""
        gauges = {**gauges, **{name: values() for name, values in self._watched.items()}}
        lines: list[str] = []
        for name, about in names().items():
            with self._guard:
                counted = self._counts.get(name)
                counts = gauges.get(name) if counted is None else dict(counted)
            if counts is None:
                continue
            lines += [f"# HELP {name} {about.text}", f"# TYPE {name} {about.kind}"]
            if about.kind == "histogram":
                lines += self._buckets(name, about.bounds, counts)
            else:
                lines += _series(name, about.labels, sorted(counts.items()))
        return "\n".join([*lines, ""])

    def _buckets(
        self, name: str, bounds: Iterable[float], counts: Mapping[Labels, float]
    ) -> list[str]:
        total = 0.0
        buckets: list[tuple[Labels, float]] = []
        for bound in [*(f"{bound:g}" for bound in bounds), "+Inf"]:
            total += counts.get((bound,), 0)
            buckets.append(((bound,), total))
        sums = [f"{name}_sum {self._sums[name]:.15g}", f"{name}_count {total:.15g}"]
        return [*_series(f"{name}_bucket", ("le",), buckets), *sums]


def _series(name: str, labels: Labels, values: Iterable[tuple[Labels, float]]) -> list[str]:
    lines = []
    for series, number in values:
        pairs = ",".join(f'{label}="{value}"' for label, value in zip(labels, series, strict=True))
        lines.append(f"{name}{f'{{{pairs}}}' if labels else ''} {number:.15g}")
    return lines


class Deliveries:
    """A counter of letters by domain and by the relay's verdict.

    A domain has a series of its own once the relay has taken some letters to players there. At most
    DOMAINS have one: a person who signs up from very many domains costs the monitoring program nothing.
    """

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._taken: Counter[str] = Counter()
        self._named: set[str] = set()

    def note(self, address: str, verdict: str) -> None:
        """Count a letter to a player."""
        domain = address.rpartition("@")[2].lower()
        if domain not in self._named and verdict == "sent":
            if domain in self._taken or len(self._taken) < 10 * DOMAINS:
                self._taken[domain] += 1
            if self._taken[domain] >= _KNOWN and len(self._named) < DOMAINS:
                self._named.add(domain)
        named = domain if domain in self._named else OTHERS
        self._metrics.count("pbmstar_deliveries_total", named, verdict)

    def note_stranger(self, _address: str, verdict: str) -> None:
        """Count a letter to an address without an account: its domain proves nothing."""
        self._metrics.count("pbmstar_deliveries_total", STRANGERS, verdict)


def own(quarantined: tuple[int, int]) -> Gauges:
    """Return the figures of this node itself; ``quarantined``: the messages in its quarantine, and bytes."""
    return {
        "pbmstar_build_info": {(VERSION, platform.python_version()): 1},
        "pbmstar_quarantined_mails": {(): quarantined[0]},
        "pbmstar_quarantine_bytes": {(): quarantined[1]},
    }


def gauges(tx: Tx, quarantined: tuple[int, int], now: Epoch) -> Gauges:
    """Return the figures of this node and of the database that are quickly counted, as of ``now``."""
    oldest, waiting = tx.outbox.oldest_waiting(), tx.of(Bots).waiting()
    return {
        **own(quarantined),
        "pbmstar_oldest_letter_seconds": {(): 0.0 if oldest is None else max(now - oldest, 0.0)},
        "pbmstar_remind_timestamp_seconds": {(): float(tx.ledger.fact(REMINDED) or 0)},
        "pbmstar_bot_turns": {(): waiting.boards},
        "pbmstar_bot_oldest_turn_seconds": {
            (): 0.0 if waiting.since is None else max(now - waiting.since, 0.0)
        },
    }


def census(config: Config, tx: Tx, now: Epoch) -> Gauges:
    """Return the figures that are counted over whole tables, and features' figures."""
    games = tx.boards.by_game()
    states = Counter({"running": 0, "over": 0})
    for (_, state), count in games.items():
        states[state] += count
    figures: dict[str, Series] = {
        "pbmstar_handled_mails": _by_state(tx.mails.outcomes()),
        "pbmstar_letters": _by_state({"new": 0, "dead": 0, **tx.outbox.states()}),
        "pbmstar_boards": _by_state(states),
        "pbmstar_games": dict(games.items()),
        "pbmstar_players": _by_state(
            {"active": 0, "suspended": 0, "closed": 0, **tx.accounts.states()}
        ),
        "pbmstar_active_players": {
            (str(days),): tx.mails.authors(now - days * DAY) for days in _ACTIVE
        },
    }
    figures["pbmstar_offers"] = _by_state({**_OFFERS, **tx.of(Offers).counted()})
    figures["pbmstar_rated_games"] = _by_state(tx.of(Ratings).counts())
    return figures | of_features(config, tx)


def of_features(config: Config, tx: Tx | None) -> dict[str, Series]:
    """Return the figures of features; without those of the store if ``tx`` is None: another node has them."""
    figures: dict[str, Series] = {}
    for name, about in names().items():
        if about.of_node:
            figures[name] = about.of_node(config)
        if about.of_store and tx is not None:
            figures[name] = about.of_store(tx)
    return figures


def _by_state(counts: Mapping[str, int]) -> Mapping[Labels, float]:
    return {(state,): count for state, count in counts.items()}
