"""The commands of ``pbmstar admin`` about single mails and letters: quarantine, outbox, explain."""

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
from ..options import NUMBER, REFUSED, Group, configuration, refuse, statuses
from ..shared import actor, context, send, store, work

# -- quarantine: mails that a fault of the program kept from being handled


@admin.group("quarantine", cls=Group)
def _quarantine() -> None:
    """Mails that a fault of the program kept from being handled."""


@_quarantine.command("list")
@as_json_option
def quarantine_list(as_json: bool) -> None:
    """List these mails; each node has its own."""
    config = configuration()
    rows = [{**entry.line(), "node": config.node} for entry in quarantine.entries(config.spool)]
    print_rows(rows, as_json, "No mails are in the quarantine.")


@_quarantine.command("show")
@click.argument("ident")
@as_json_option
def quarantine_show(ident: str, as_json: bool) -> None:
    """Print one mail and the fault; possible passwords are masked."""
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
    """Handle the mail as if it came now. If that succeeds, it leaves the quarantine."""
    if every == bool(ident):
        raise click.UsageError("Name one mail, or say --all.")
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
    """Throw the mail away."""
    with work() as at:
        quarantine.drop(at.context.config.spool, ident)
        at.tx.ledger.add_act(at.now, at.author.operator, f"quarantine drop {ident}")
    click.echo(f"{ident} dropped")


# -- outgoing mail


_NONE_WAIT = "No letters are waiting."


@admin.group(cls=Group)
def outbox() -> None:
    """Letters that have not been sent."""


@outbox.command("list")
@click.option(
    "--by-domain", is_flag=True, help="Count them by domain, with the relay's last words."
)
@as_json_option
def outbox_list(by_domain: bool, as_json: bool) -> None:
    """List all letters that wait, or that the relay refused for good."""
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
    """Make letters due at once, all or those named, and send them to the addresses of now."""
    with work() as at:
        count = operator.retry_letters(at, numbers)
    click.echo(f"{plural(count, 'letter')} due now")


@outbox.command("show")
@click.argument("number", type=NUMBER)
@as_json_option
def outbox_show(number: int, as_json: bool) -> None:
    """Print one letter's state and its text; tokens in it are masked."""
    with work(writes=False) as at:
        facts = letter_facts(at.tx, number)
        content = at.tx.outbox.content(number)
    if facts["state"] == "forgotten":
        refuse(f"There is no letter {number}, or none any more.")
    config = configuration()
    text = letter_text(Renderer.of(config), content) if content else ""
    lines = [about_letter(facts), *(("", text) if text else ())]
    print_facts({**times(facts), "text": text}, lines, as_json)


@outbox.command("drop")
@click.argument("numbers", metavar="LETTER...", type=NUMBER, nargs=-1, required=True)
def outbox_drop(numbers: tuple[int, ...]) -> None:
    """Never send these letters, all or none of them, and delete their text."""
    with work() as at:
        operator.drop_letters(at, numbers)
    click.echo(f"{plural(len(numbers), 'letter')} dropped")


@admin.command()
@click.argument(
    "words", metavar="ID|MESSAGE-ID|BOARD|USERID|letter NUMBER", nargs=-1, required=True
)
@as_json_option
def explain(words: tuple[str, ...], as_json: bool) -> None:
    """Trace a mail, a letter, a board or a player: mails, commands, letters.

    ID is that of a mail: it stands in the log, and in the mail server's log after `250 2.0.0 Accepted`. Or it
    is that of a letter in the queue of the mail server that has taken it, as in `queued as 4XyZ1m2Nz`.
    MESSAGE-ID is that of a mail or of a letter.
    """
    with work(writes=False) as at:
        facts = facts_of(at, " ".join(words))
    print_facts(times(facts), sentences(facts), as_json)


@admin.command()
@click.argument("address")
@click.option("--lift", is_flag=True, help="Let mails go there again.")
def suppress(address: str, lift: bool) -> None:
    """Stop mail to an address. An account that has it still gets its letters."""
    with work() as at:
        people.suppress(at, address, lift)
    click.echo("lifted" if lift else "suppressed")


@admin.command()
@click.argument("address", required=False)
@as_json_option
def probe(address: str | None, as_json: bool) -> None:
    """Send a letter with all that letters have to ADDRESS; without ADDRESS list what came back.

    Reply to it: then the list says if our mail server vouches for that reply, and when it came. A bounce is
    listed too.
    """
    if address:
        with work() as at:
            number = probes.probe(at, address)
        click.echo(f"letter {number} is written; see: pbmstar admin probe")
        return
    with work(writes=False) as at:
        rows = [times(row) for row in probes.probes(at)]
    print_rows(rows, as_json, "No probe was sent. See: pbmstar admin probe ADDRESS")
