"""The last week beside the week before it, for `pbmstar stats`; and the accounts that cause most work."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...bots import budget
from ...machine.times import DAY, Epoch
from ...store import Tx, User
from ..work.work import Work
from .lookup import NOBODY

_WEEK = 7  # days
_MOST = 8  # the most games, and the most reasons, that are named
_BARS = "▁▂▃▄▅▆▇█"
_ROWS = {
    "mails": "messages taken",
    "active": "most players in a day",
    "moves": "moves",
    "bot_moves": "of these by bots",
    "letters": "letters written",
    "refused_letters": "of these refused",
    "begun": "games begun",
    "ended": "games ended",
    "joined": "new players",
}


def week(tx: Tx, now: Epoch) -> dict[str, Any]:
    """Return the counts of the 14 times 24 hours until now, oldest first, and the most frequent games
    and reasons of the last 7."""
    since = int(now) - int(2 * _WEEK * DAY) + 1
    counts = tx.mails.by_day(since)
    # A row that a wrong clock has dated in the future belongs to none of these days.
    days = {name: [counts[name].get(day, 0) for day in range(2 * _WEEK)] for name in _ROWS}
    last = since + int(_WEEK * DAY)
    return {
        "days": days,
        "moves_by_game": _most(tx.boards.moves_by_game(last)),
        "reasons": _most(tx.mails.reasons(last)),
    }


def _most(counts: Mapping[str, int]) -> dict[str, int]:
    """Return the most frequent names with their counts, the most frequent first."""
    return dict(sorted(counts.items(), key=lambda each: (-each[1], each[0]))[:_MOST])


def lines(facts: Mapping[str, Any]) -> Iterator[str]:
    """Yield the week as text, each line at most 72 columns wide."""
    from ...render.board.transcript import spark  # noqa: PLC0415 - nor pictures

    yield f"{'The last 7 times 24 hours':<28}{'':7}  {'week':>9} {'before':>9}"
    for name, title in _ROWS.items():
        days: Sequence[int] = facts["days"][name]
        before, last = sum(days[:_WEEK]), sum(days[_WEEK:])
        if name == "active":  # a sum would count a player who writes on two days twice
            before, last = max(days[:_WEEK]), max(days[_WEEK:])
        most = max(days[_WEEK:]) or 1
        bars = spark((each / most for each in days[_WEEK:]), _BARS)
        yield f"{title:<28}{bars}  {last:>9,} {before:>9,}"
    for title, key in (("Moves by game", "moves_by_game"), ("Refused or ignored", "reasons")):
        if facts[key]:
            yield ""
            yield f"{title}, the most frequent of this week:"
            yield from (f"  {name:<26}{count:>19,}" for name, count in facts[key].items())


def top(work: Work, count: int, since: Epoch) -> list[dict[str, Any]]:
    """Return the accounts that caused most work since then, the first one first.

    Each row has an account's messages, its letters, and the seconds that bots have thought for it, for two
    days at most.
    """
    burdens = {"bot_seconds": budget.used_since(work.tx, since)}
    mails, letters = work.tx.mails.by_author(since), work.tx.outbox.by_reader(since)
    users = {user.userid: user for user in work.tx.accounts.users()}
    rows = [
        {
            "userid": userid or NOBODY,
            "domain": _domain(users.get(userid)),
            "mails": mails.get(userid, 0),
            "letters": letters.get(userid, 0),
            **{name: round(each.get(userid, 0.0), 1) for name, each in burdens.items()},
        }
        for userid in {*mails, *letters}.union(*burdens.values())
    ]
    return sorted(rows, key=_work, reverse=True)[:count]


def top_domains(work: Work, count: int, since: Epoch) -> list[dict[str, Any]]:
    """Return the rows of ``top`` added up by the domain of the accounts' addresses."""
    sums: dict[str, Counter[str]] = defaultdict(Counter)
    for row in top(work, 10**9, since):
        own = {name: value for name, value in row.items() if name not in ("userid", "domain")}
        sums[row["domain"] or NOBODY].update({"accounts": row["userid"] != NOBODY, **own})
    rows = [
        {"domain": domain, **{name: round(number, 1) for name, number in counted.items()}}
        for domain, counted in sums.items()
    ]
    return sorted(rows, key=_work, reverse=True)[:count]


def top_strangers(work: Work, count: int, since: Epoch) -> list[dict[str, Any]]:
    """Return the domains that messages without effect of people without an account named as their sender's.

    The first one has most of these messages; they are counted for two days. A From line proves nothing.
    """
    from ..letters import alerts  # noqa: PLC0415 - the others need no letters

    mails = work.tx.ledger.counted_each(alerts.STRANGERS, since)
    most = sorted(mails.items(), key=lambda each: (-each[1], each[0]))[:count]
    return [{"domain": domain or NOBODY, "mails": number} for domain, number in most]


def _work(row: dict[str, Any]) -> tuple[float, ...]:
    """Return the order of rows: by messages and letters, then by the figures of features."""
    known = ("userid", "domain", "accounts", "mails", "letters")
    return row["letters"] + row["mails"], *(row[name] for name in row if name not in known)


def _domain(user: User | None) -> str:
    return user.address.rpartition("@")[2] if user else ""
