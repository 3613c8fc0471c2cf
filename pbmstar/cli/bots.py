"""The commands about bots: those of ``pbmstar admin bot``."""

from __future__ import annotations

import time

import click

from .admin import admin, as_json_option, print_rows
from .shared import Group, refuse, work


@admin.group("bot", cls=Group)
def _bot() -> None:
    """Bots: accounts whose moves this server finds itself."""


@_bot.command("list")
@as_json_option
def bot_list(as_json: bool) -> None:
    """Each bot, how many of its games run, and for how many seconds the oldest turn has waited for it."""
    with work(writes=False) as at:
        turns = at.tx.bot_turns(10_000)
        rows = []
        for user in at.tx.bots():
            since = [turn.since for turn in turns if turn.bot == user.userid]
            running = len(at.tx.boards_of(user.userid, "active"))
            rows.append(
                {
                    "userid": user.userid,
                    "running": running,
                    "waiting": len(since),
                    "oldest_seconds": int(time.time() - min(since)) if since else 0,
                }
            )
    print_rows(rows, as_json)


@_bot.command("add")
@click.argument("userid", required=False)
def bot_add(userid: str | None) -> None:
    """Make an account for a bot, bot1 to bot9, that is not there; without USERID for all of them."""
    from ..store.tables import BOTS

    if userid and userid not in BOTS:
        refuse(f"The bots are {BOTS[0]} to {BOTS[-1]}, after how strong they are.")
    from ..service import operator

    with work() as at:
        added = [bot for bot in ([userid] if userid else BOTS) if operator.add_bot(at, bot)]
    click.echo(f"{', '.join(added) or 'nothing'} added")
