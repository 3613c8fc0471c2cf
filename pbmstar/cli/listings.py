"""Boards, accounts, messages and letters in the forms for the operator: rows, JSON, sentences."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import wraps
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import click

from ..games.spelling import plural
from ..machine.times import when

if TYPE_CHECKING:
    from ..store import Board, Tx, User

Rows = list[dict[str, Any]]


_TIMES = frozenset(("at", "since", "last_seen", "locked_until", "made", "sent", "due"))


def times(facts: dict[str, Any], *more: str) -> dict[str, Any]:
    """Return the facts with their times as text; ``more``: names of times that not all such facts have."""
    return {
        name: when(value)
        if name in (*_TIMES, *more) and value is not None
        else [times(each) if isinstance(each, dict) else each for each in value]
        if isinstance(value, list)
        else value
        for name, value in facts.items()
    }


def board_line(tx: Tx, row: Board) -> dict[str, Any]:
    """Return the line of a board in a list: number, game, players, whose turn it is and since when."""
    from ..match import spelled_result

    first, *others = row.seats
    return {
        "board": row.board,
        "game": row.game,
        "options": _options(row),
        "first": first,
        "second": others[0] if others else None,
        "to_move": row.to_move or None,
        "over": not row.to_move,
        "result": spelled_result(row.result, tx.boards.winner(row)) or None,
        "since": when(row.since),
    }


def _options(row: Board) -> dict[str, Any]:
    """Return the options of a board; of a damaged one only that."""
    try:
        return dict(json.loads(row.options))
    except (ValueError, TypeError):
        return {"damaged": True}


def user_line(user: User) -> dict[str, Any]:
    """Return the line of an account in a list, with its wishes."""
    return {
        "userid": user.userid,
        "address": user.address,
        "state": user.state,
        "language": user.language,
        "since": when(user.made),
    }


as_json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def lists(empty: str) -> Callable[[Callable[..., Rows]], Callable[..., None]]:
    """Return a decorator: a command that prints the rows that a function finds in the store.

    ``empty`` is the sentence that it prints if there are none.
    """

    def decorator(find: Callable[..., Rows]) -> Callable[..., None]:
        @as_json_option
        @wraps(find)
        def command(as_json: bool, **values: Any) -> None:
            from .shared import work

            with work(writes=False) as at:
                rows = find(at, **values)
            print_rows(rows, as_json, empty)

        return command

    return decorator


def print_json(value: Any) -> None:
    """Print a value as JSON."""
    click.echo(json.dumps(value, indent=1))


def print_facts(value: Any, lines: Iterable[str], as_json: bool) -> None:
    """Print a value as JSON, or the lines that say the same."""
    if as_json:
        print_json(value)
    else:
        for line in lines:
            click.echo(line)


def print_rows(rows: Rows, as_json: bool, empty: str) -> None:
    """Print rows as JSON, or as lines below the names of the columns; if there are none, print ``empty``."""
    if as_json:
        print_json(rows)
        return
    if not rows:
        click.echo(empty)
        return
    named = [name for name in rows[0] if not isinstance(rows[0][name], bool)]
    lines = [named, *([_said(row[name]) for name in named] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        cells = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        click.echo("  ".join(cells).rstrip())


def _said(value: Any) -> str:
    """Return a value of a row as text, with options spelled as in a challenge."""
    if value in (None, "", {}):
        return "-"
    if not isinstance(value, dict):
        return str(value)
    return " ".join(f"-{name}" + ("" if it is True else f"={it}") for name, it in value.items())


# -- ``admin status``


def status_lines(facts: Mapping[str, Any]) -> Iterator[str]:
    """Yield the server's state, a fact a line."""
    commit = f", commit {facts['commit']}" if facts["commit"] else ""
    yield f"version: {facts['version']}{commit}"
    since = f", started {facts['started']}" if facts["started"] else ""
    yield f"daemon: {'running' if facts['serving'] else 'not running'}{since}"
    for name in _COUNTED:
        yield f"{name.replace('_', ' ')}: {facts[name]}"
    if facts["mailbox"]:
        yield f"mailbox: {facts['mailbox']}"
    yield f"quarantine: {in_bytes(facts['quarantine_bytes'])}"
    yield f"database: {in_bytes(facts['database_bytes'])}, tables of revision {facts['revision']}"
    age = facts["backup_seconds"]
    yield f"last good backup: {'never' if age is None else f'{_age(age)} ago'}"
    if facts["switched_off"]:
        yield f"switched off: {', '.join(facts['switched_off'])}"
    for table in facts.get("tables", ()):
        size = "" if table["bytes"] is None else f", {in_bytes(table['bytes'])}"
        yield f"  {table['table']}: {plural(table['rows'], 'row')}{size}"


_COUNTED = (
    "users", "suspended", "boards", "running", "letters_waiting", "oldest_letter_seconds",
    "letters_refused", "quarantined",
)  # fmt: skip


def in_bytes(count: int) -> str:
    """Return a number of bytes as it is spoken."""
    return f"{count / 2**20:.1f} MiB" if count >= 2**20 else f"{count / 2**10:.0f} KiB"


def _age(seconds: int) -> str:
    """Return an age in days, or in hours if it is less than two days."""
    hours = seconds // 3600
    return plural(hours // 24, "day") if hours >= 48 else plural(hours, "hour")


# -- sentences of ``admin explain`` and ``admin user show``

Facts = Mapping[str, Any]
_AUTHENTIC = {
    "pass": "Our mail server vouches for its From address.",
    "fail": "Our mail server says that its From address is forged.",
    "none": "Our mail server said nothing about its From address.",
}


def sentences(facts: Facts) -> Iterator[str]:
    """Yield the sentences, one a line, with details indented."""
    if "board" in facts:
        yield from _board(facts)
    elif "userid" in facts:
        yield from about_user(facts)
    for letter in facts.get("letters", ()):
        yield about_letter(letter)
    for mail in facts["mails"]:
        yield from _mail(mail)


def about_user(facts: Facts) -> Iterator[str]:
    """Yield the sentences about an account."""
    address = f", address {facts['address']}" if facts["address"] else ""
    yield f"The account {facts['userid']} was opened {when(facts['since'])}: {facts['state']}{address}."
    seen = facts["last_seen"]
    yield (
        f"  It last wrote {when(seen)}."
        if seen
        else "  It hasn't written in the last 30 days, or ever."
    )
    for other in facts["other_addresses"]:
        back = f", mail has come back, score {other['bounces']:g}" if other["bounces"] else ""
        yield f"  It also has the address {other['address']} ({other['kind']}{back})."
    if facts["bounces"]:
        yield f"  Mail to it has come back, score {facts['bounces']:g} (3 suspends it)."
    if facts["locked_until"]:
        yield f"  Because of wrong passwords, we ignore some messages until {when(facts['locked_until'])}."
    yield from (f"  {about_letter(each)}" for each in facts["waiting"])
    yield from (f"  {about_letter(each)}" for each in facts["again"])


def _board(facts: Facts) -> Iterator[str]:
    name = f"Board {facts['board']}"
    if facts["state"] == "removed":
        yield f"{name} has been removed."
        return
    players = " and ".join(facts["players"])
    yield f"{name} is a game of {facts['game']}, played by {players}."
    if facts["state"] == "over":
        yield f"  It ended {when(facts['since'])}, result {facts['result']}."
        return
    yield f"  It has been {facts['to_move']}'s turn since {when(facts['since'])}."
    for each in facts["reminders"]:
        where = f": {about_letter(each)}" if "letter" in each else "; no letter was sent."
        yield f"  Reminder ({each['stage']}) {when(each['at'])}{where}"
    if facts["due"]:
        yield f"  We next check for a reminder or the end at {when(facts['due'])}."


def _mail(mail: Facts) -> Iterator[str]:
    who = "from no account"
    if mail["userid"]:
        proof = "proved to be" if mail["proved"] else "claimed to be"
        who = f"{proof} from {mail['userid']}"
    yield f"Mail {mail['mail'] or '(without an id)'} came {when(mail['at'])}, {who}."
    if mail["node"]:
        yield f"  Node {mail['node']} took it."
    if mail["authentic"]:
        yield f"  {_AUTHENTIC[mail['authentic']]}"
    if mail["commands"]:
        yield f"  It asked for: {', '.join(mail['commands'])}."
    why = f" ({mail['why']})" if mail["why"] else ""
    yield f"  It was {mail['outcome']}{why}."
    for code, said in zip_longest(mail["codes"], mail["reasons"], fillvalue=""):
        yield f"  Reason {code}: {said}".rstrip(": ")
    yield from (f"  {about_letter(each)}" for each in mail["letters"])
    if not mail["letters"]:
        yield "  It didn't lead to any letter."


def about_letter(facts: Facts) -> str:
    """Return the sentence about one letter."""
    to = f" to {facts['userid']}" if facts["userid"] else ""
    name = f"Letter {facts['letter']}{to}"
    state = facts["state"]
    if state == "forgotten":
        return f"{name} has been forgotten, after 30 days or with its reader."
    if state == "sent":
        queued = f" The relay has queued it as {facts['queued']}." if facts["queued"] else ""
        again = ""
        if facts["tries"] > 1:
            again = f" It took {facts['tries']} tries, so it may have arrived more than once."
        return f"{name} was sent {when(facts['sent'])}.{queued}{again}"
    relay = f" The relay said: {facts['trouble']}" if facts["trouble"] else ""
    if state == "waiting":
        return (
            f"{name} has been waiting since {when(facts['made'])}, tried {plural(facts['tries'], 'time')}, "
            f"next {when(facts['due'])}.{relay}"
        )
    if state == "dropped":
        return f"{name} was dropped by the operator."
    return f"{name} was refused for good after {plural(facts['tries'], 'try', 'tries')}.{relay}"
