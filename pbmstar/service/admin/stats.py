"""The last week beside the week before it, for `pbmstar stats`; and the accounts that cause most work."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ...match.terms import DAY
from ...store import Tx, User
from ..letters import alerts
from ..work import bot_budget
from ..work.work import Work

_WEEK = 7  # days
_MOST = 8  # the most games, and the most reasons, that are named
_BARS = "▁▂▃▄▅▆▇█"
_ROWS = {
    "mails": "mails taken",
    "active": "most players in a day",
    "moves": "moves",
    "bot_moves": "of these by bots",
    "letters": "letters written",
    "refused_letters": "of these refused",
    "begun": "games begun",
    "ended": "games ended",
    "joined": "new players",
}


def week(tx: Tx, now: float) -> dict[str, Any]:
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
    yield f"{'The last 7 times 24 hours':<28}{'':7}  {'week':>9} {'before':>9}"
    for name, title in _ROWS.items():
        days: Sequence[int] = facts["days"][name]
        before, last = sum(days[:_WEEK]), sum(days[_WEEK:])
        if name == "active":  # a sum would count a player who writes on two days twice
            before, last = max(days[:_WEEK]), max(days[_WEEK:])
        yield f"{title:<28}{sparkline(days[_WEEK:])}  {last:>9,} {before:>9,}"
    for title, key in (("Moves by game", "moves_by_game"), ("Refused or ignored", "reasons")):
        if facts[key]:
            yield ""
            yield f"{title}, the most frequent of this week:"
            yield from (f"  {name:<26}{count:>19,}" for name, count in facts[key].items())


def sparkline(values: Sequence[int]) -> str:
    """Return a text with a bar for each value; the greatest value has the highest bar."""
    most = max(values) or 1
    return "".join(_BARS[(len(_BARS) - 1) * value // most] for value in values)


NOBODY = "(no account)"


def top(work: Work, count: int, since: float) -> list[dict[str, Any]]:
    """Return the accounts that caused most work since then, the first one first.

    Each row has an account's mails, its letters, and the seconds of bots, which are kept for two days.
    """
    seconds = bot_budget.used_since(work.tx, since)
    mails, letters = work.tx.mails.by_author(since), work.tx.outbox.by_reader(since)
    users = {user.userid: user for user in work.tx.accounts.users()}
    rows = [
        {
            "userid": userid or NOBODY,
            "domain": _domain(users.get(userid)),
            "mails": mails.get(userid, 0),
            "letters": letters.get(userid, 0),
            "bot_seconds": round(seconds.get(userid, 0.0), 1),
        }
        for userid in {*mails, *letters, *seconds}
    ]
    return sorted(rows, key=_work, reverse=True)[:count]


def top_ratings(work: Work, count: int) -> list[dict[str, Any]]:
    """Return the highest ratings among people, the first one first, each with where its wins come from.

    Of the accounts that a player has beaten in rated games, ``domain`` is the mail domain that most of
    them share, and ``of_domain`` are the wins over those; ``of_origin`` are the wins over the largest group
    whose mails come from one place. Accounts that share nothing are counted nowhere.
    """
    users = {user.userid: user for user in work.tx.accounts.users()}
    origins = work.tx.accounts.origins()
    rows: list[dict[str, Any]] = []
    for (game, userid), beaten in work.tx.ratings.wins().items():
        tally, own = work.tx.ratings.of(userid, game), users.get(userid)
        if tally is None or own is None:
            continue
        of_domain = _shared({loser: [_domain(users.get(loser))] for loser in beaten}, beaten)
        of_origin = _shared({loser: origins.get(loser, ()) for loser in beaten}, beaten)
        rows.append(
            {
                "userid": userid,
                "game": game,
                "rating": round(tally.rating),
                "wins": sum(beaten.values()),
                "over": len(beaten),
                "domain": of_domain[1],
                "of_domain": of_domain[0],
                "of_origin": of_origin[0],
            }
        )
    return sorted(rows, key=lambda row: (-row["rating"], row["userid"]))[:count]


def _shared(marks: Mapping[str, Iterable[str]], wins: Mapping[str, int]) -> tuple[int, str]:
    """Return the most wins over accounts that share a mark, and that mark; 0 and empty if none is shared."""
    shared: dict[str, list[int]] = defaultdict(list)
    for userid, own in marks.items():
        for mark in filter(None, own):
            shared[mark].append(wins[userid])
    return max(
        ((sum(each), mark) for mark, each in shared.items() if len(each) > 1), default=(0, "")
    )


def top_domains(work: Work, count: int, since: float) -> list[dict[str, Any]]:
    """Return the rows of ``top`` added up by the domain of the accounts' addresses."""
    sums: dict[str, Counter[str]] = defaultdict(Counter)
    for row in top(work, 10**9, since):
        domain = row["domain"] or NOBODY
        sums[domain].update({name: row[name] for name in ("mails", "letters", "bot_seconds")})
        sums[domain]["accounts"] += row["userid"] != NOBODY
    names = ("accounts", "mails", "letters", "bot_seconds")
    rows = [
        {"domain": domain, **{name: round(counted[name], 1) for name in names}}
        for domain, counted in sums.items()
    ]
    return sorted(rows, key=_work, reverse=True)[:count]


def top_strangers(work: Work, count: int, since: float) -> list[dict[str, Any]]:
    """Return the domains that mails without effect of people without an account named as their sender's.

    The first one has most of these mails; they are counted for two days. A From line proves nothing.
    """
    mails = work.tx.ledger.counted_each(alerts.STRANGERS, since)
    most = sorted(mails.items(), key=lambda each: (-each[1], each[0]))[:count]
    return [{"domain": domain or NOBODY, "mails": number} for domain, number in most]


def _work(row: dict[str, Any]) -> tuple[float, ...]:
    return row["letters"] + row["mails"], row["bot_seconds"]


def _domain(user: User | None) -> str:
    return user.address.rpartition("@")[2] if user else ""


def by_domain(tx: Tx, now: float) -> list[dict[str, Any]]:
    """Return for each domain the numbers of letters that wait or were refused, and the last trouble."""
    domains: dict[str, dict[str, Any]] = {}
    for letter in sorted(tx.outbox.unsent(), key=lambda each: each.made):
        domain = letter.address.rpartition("@")[2].lower() or NOBODY
        row = domains.setdefault(
            domain,
            {"domain": domain, "waiting": 0, "refused": 0, "oldest_seconds": 0, "trouble": ""},
        )
        row["waiting" if letter.state == "new" else "refused"] += 1
        if letter.state == "new":
            row["oldest_seconds"] = max(row["oldest_seconds"], int(now - letter.made))
        row["trouble"] = letter.trouble or row["trouble"]
    return sorted(domains.values(), key=lambda row: row["waiting"] + row["refused"], reverse=True)
