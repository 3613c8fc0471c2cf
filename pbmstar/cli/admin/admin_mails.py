"""The commands of ``pbmstar admin`` about single messages and letters: quarantine, outbox, explain."""

from __future__ import annotations

import sys
import time

import click

from ...errors import BadInput
from ...games.spelling import plural
from ...intake import quarantine
from ...intake.pipe import retry
from ...machine import log
from ...render import Renderer
from ...render.board.transcript import when
from ...service.admin import operator, people, probes, stats
from ...service.admin.explain import explain as facts_of
from ...service.admin.explain import letter_facts
from ..listings import (
    about_letter,
    as_json_option,
    letter_text,
    print_facts,
    print_json,
    print_rows,
    sentences,
    times,
)
from ..main import admin
from ..options import NUMBER, REFUSED, Group, configuration, refuse, say_renamed, statuses
from ..shared import actor, context, send, store, work

# -- quarantine


@admin.group("quarantine", cls=Group)
def _quarantine() -> None:
    """Mail that a fault kept from being handled."""


@_quarantine.command("list")
@as_json_option
def quarantine_list(as_json: bool) -> None:
    """List these messages.

    Each node has its own.
    """
    config = configuration()
    rows = [{**entry.line(), "node": config.node} for entry in quarantine.entries(config.spool)]
    print_rows(rows, as_json, "No messages are in the quarantine.")


@_quarantine.command("show")
@click.argument("ident")
@as_json_option
def quarantine_show(ident: str, as_json: bool) -> None:
    """Print one message and the fault.

    Possible passwords are masked.
    """
    spool = configuration().spool
    with statuses():
        text = quarantine.shown(spool, ident)
    if as_json:
        entry = quarantine.read(spool, ident)
        print_json({**(entry.line() if entry else {}), "text": text})
    else:
        click.echo(text, nl=False)


@_quarantine.command("retry")
@click.argument("ident", required=False)
@click.option("--all", "every", is_flag=True, help="All of them, in the order in which they came.")
def quarantine_retry(ident: str | None, every: bool) -> None:
    """Handle messages as if they came now.

    One that can be handled leaves the quarantine.
    """
    if every == bool(ident):
        raise click.UsageError("Name one message, or say --all.")
    config = configuration()
    log.setup()
    stay = 0
    with statuses(), store(config) as opened:
        for each in [ident] if ident else [entry.id for entry in quarantine.entries(config.spool)]:
            try:
                click.echo(retry(config, context(config), opened, each))
            except BadInput as error:
                if not every:
                    raise
                stay += 1
                click.echo(str(error))
            with opened.transaction() as tx:
                tx.ledger.add_act(time.time(), actor(), f"quarantine retry {each}")
        send(config, opened)
    sys.exit(REFUSED if stay else 0)


@_quarantine.command("drop")
@click.argument("ident")
def quarantine_drop(ident: str) -> None:
    """Delete a message."""
    with work() as at:
        quarantine.drop(at.context.config.spool, ident)
        at.tx.ledger.add_act(at.now, at.author.operator, f"quarantine drop {ident}")
    click.echo(f"Message {ident} dropped.")


# -- outgoing mail


_NONE_WAIT = "No letters are waiting."


@admin.group(cls=Group)
def outbox() -> None:
    """Letters that wait, or were refused."""


@outbox.command("list")
@click.option(
    "--by-domain", is_flag=True, help="Count them by domain, with the relay's last words."
)
@as_json_option
def outbox_list(by_domain: bool, as_json: bool) -> None:
    """List letters that wait, or were refused."""
    if by_domain:
        with work(writes=False) as at:
            rows = stats.by_domain(at.tx, at.now)
        print_rows(rows, as_json, _NONE_WAIT)
        return
    with work(writes=False) as at:
        waiting = at.tx.outbox.unsent()
    rows = [
        {
            "letter": each.id,
            "state": each.state,
            "userid": each.userid,
            "message_id": each.message_id,
            "tries": each.tries,
            "due": when(max(each.due, each.made)) if as_json or each.state == "new" else None,
            "made": when(each.made),
            "trouble": each.trouble,
        }
        for each in waiting
    ]
    print_rows(rows, as_json, _NONE_WAIT)


@outbox.command("retry")
@click.argument("numbers", type=NUMBER, nargs=-1)
def outbox_retry(numbers: tuple[int, ...]) -> None:
    """Try letters again now, all or those named.

    They go to the present addresses of their readers.
    """
    with work() as at:
        count = operator.retry_letters(at, numbers)
    click.echo(f"{plural(count, 'letter').capitalize()} due now.")


@outbox.command("show")
@click.argument("number", type=NUMBER)
@as_json_option
def outbox_show(number: int, as_json: bool) -> None:
    """Print one letter.

    The tokens in it, which act for its reader, are masked.
    """
    with work(writes=False) as at:
        facts = letter_facts(at.tx, number)
        content = at.tx.outbox.content(number)
    if facts["state"] == "forgotten":
        refuse(f"There is no letter {number}, or it is forgotten.")
    config = configuration()
    text = letter_text(Renderer.of(config), content) if content else ""
    lines = [about_letter(facts), *(("", text) if text else ())]
    print_facts({**times(facts), "text": text}, lines, as_json)


@outbox.command("drop")
@click.argument("numbers", metavar="LETTER...", type=NUMBER, nargs=-1, required=True)
def outbox_drop(numbers: tuple[int, ...]) -> None:
    """Never send these letters.

    All of them are dropped, or none. Their texts are deleted.
    """
    with work() as at:
        operator.drop_letters(at, numbers)
    click.echo(f"{plural(len(numbers), 'letter').capitalize()} dropped.")


@admin.command()
@click.argument(
    "words", metavar="ID|MESSAGE-ID|BOARD|USERID|letter NUMBER", nargs=-1, required=True
)
@as_json_option
def explain(words: tuple[str, ...], as_json: bool) -> None:
    """Trace a message, a letter, a board, a player.

    ID is that of a message: it is in our log, and in the mail server's log after `250 2.0.0 Accepted`. Or it
    is the one under which the mail server has queued a letter, as in `queued as 4XyZ1m2Nz`. MESSAGE-ID is
    that of a message or of a letter.
    """
    with work(writes=False) as at:
        facts = facts_of(at, " ".join(words))
    print_facts(times(facts), sentences(facts), as_json)


class _Suppress(Group):
    """It reads the former form too: an address alone, perhaps with --lift."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the first word names, and the other words."""
        if "@" in args[0]:
            word = "remove" if ctx.params.get("lift") or "--lift" in args else "add"
            say_renamed(ctx, "admin suppress ADDRESS", f"admin suppress {word} ADDRESS")
            args = [word, *(each for each in args if each != "--lift")]
        return super().resolve_command(ctx, args)


@admin.group(cls=_Suppress)
@click.option("--lift", is_flag=True, hidden=True)
def suppress(lift: bool) -> None:
    """Addresses that get no letters.

    An account that has such an address still gets its letters. Only a hash of each address is kept.
    """


@suppress.command("add")
@click.argument("address")
def suppress_add(address: str) -> None:
    """Send no letters to an address."""
    with work() as at:
        people.suppress(at, address)
    click.echo("Address suppressed.")


@suppress.command("remove")
@click.argument("address")
def suppress_remove(address: str) -> None:
    """Let letters go to an address again."""
    with work() as at:
        people.suppress(at, address, lift=True)
    click.echo("Address no longer suppressed.")


@suppress.command("list")
@click.argument("address", required=False, default="")
@as_json_option
def suppress_list(address: str, as_json: bool) -> None:
    """List these addresses by their hashes.

    With ADDRESS, only that one: so you see whether it is suppressed.
    """
    with work(writes=False) as at:
        rows = [times(row, "until") for row in people.suppressed(at, address)]
    empty = "That address is not suppressed." if address else "No addresses are suppressed."
    print_rows(rows, as_json, empty)


@admin.command()
@click.argument("address", required=False)
@as_json_option
def probe(address: str | None, as_json: bool) -> None:
    """Send a test letter, or list what came back.

    The letter has everything that a letter can have. Reply to it: then the list says whether our mail
    server vouches for your reply, and when it came. A bounce is listed too.
    """
    if address:
        with work() as at:
            number = probes.probe(at, address)
        click.echo(f"Letter {number} written. What came back: pbmstar admin probe")
        return
    with work(writes=False) as at:
        rows = [times(row) for row in probes.probes(at)]
    print_rows(rows, as_json, "No probe was sent. See: pbmstar admin probe ADDRESS")
