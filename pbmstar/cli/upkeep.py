"""The commands of ``pbmstar admin`` for upkeep: quarantine, outgoing mail, checks, backups, keys."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import click

from .admin import admin, as_json_option, print_json, print_rows
from .shared import (
    NUMBER,
    REFUSED,
    Group,
    actor,
    configuration,
    context,
    refuse,
    send,
    statuses,
    store,
    work,
)

# -- quarantine: mails that a fault of the program kept from being handled


@admin.group("quarantine", cls=Group)
def _quarantine() -> None:
    """Mails that a fault of the program kept from being handled."""


@_quarantine.command("list")
@as_json_option
def quarantine_list(as_json: bool) -> None:
    """All such mails."""
    from ..intake import quarantine

    print_rows([entry.line() for entry in quarantine.entries(configuration().spool)], as_json)


@_quarantine.command("show")
@click.argument("ident")
@as_json_option
def quarantine_show(ident: str, as_json: bool) -> None:
    """One mail, what may be a password masked, and the fault."""
    from ..intake import quarantine

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
    """Handle the mail as if it came now; it leaves the quarantine if that succeeds."""
    from .. import log
    from ..errors import BadInput
    from ..intake import quarantine
    from ..intake.pipe import retry

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
                tx.add_audit(time.time(), actor(), f"quarantine retry {each}")
        send(config, opened)
    sys.exit(REFUSED if stay else 0)


@_quarantine.command("drop")
@click.argument("ident")
def quarantine_drop(ident: str) -> None:
    """Throw the mail away."""
    from ..intake import quarantine

    with work() as at:
        quarantine.drop(at.context.config.spool, ident)
        at.tx.add_audit(at.now, at.actor, f"quarantine drop {ident}")
    click.echo(f"{ident} dropped")


# -- outgoing mail


@admin.group(cls=Group)
def outbox() -> None:
    """Letters that have not been sent."""


@outbox.command("list")
@as_json_option
def outbox_list(as_json: bool) -> None:
    """All letters that wait, or that the relay refused for good."""
    from . import listings

    with work(writes=False) as at:
        rows = [listings.letter_line(letter) for letter in at.tx.letters()]
    print_rows(rows, as_json)


@outbox.command("retry")
@click.argument("numbers", type=NUMBER, nargs=-1)
def outbox_retry(numbers: tuple[int, ...]) -> None:
    """Make letters due at once, all or those named, and send them to the addresses of now."""
    from ..service import operator

    with work() as at:
        count = operator.retry_letters(at, numbers)
    click.echo(f"{count} letters due now")


@outbox.command("show")
@click.argument("number", type=NUMBER)
@as_json_option
def outbox_show(number: int, as_json: bool) -> None:
    """One letter, where it is, and what it says; tokens in it are masked."""
    from ..render import Renderer
    from ..service.explain import letter_facts
    from .explained import letter as sentence
    from .listings import letter_text, times

    with work(writes=False) as at:
        facts = letter_facts(at.tx, number)
        content = at.tx.content(number)
    if facts["state"] == "forgotten":
        refuse(f"There is no letter {number}, or none any more.")
    config = configuration()
    text = letter_text(Renderer.of(config), content) if content else ""
    if as_json:
        print_json({**times(facts), "text": text})
    else:
        click.echo("\n\n".join(filter(None, (sentence(facts), text))))


@outbox.command("drop")
@click.argument("numbers", metavar="LETTER...", type=NUMBER, nargs=-1, required=True)
def outbox_drop(numbers: tuple[int, ...]) -> None:
    """Never send these letters, all or none of them, and forget what they say."""
    from ..service import operator

    with work() as at:
        operator.drop_letters(at, numbers)
    click.echo(f"{len(numbers)} letters dropped")


# -- the whole


@admin.command()
@click.argument("what", metavar="ID|MESSAGE-ID|BOARD|USERID")
@as_json_option
def explain(what: str, as_json: bool) -> None:
    """What came, what was done, which letters came of it, and where each is now.

    ID is that of a mail: it stands in the log, and in the mail server's log after `250 2.0.0 Accepted`.
    """
    from ..service.explain import explain as facts_of
    from .explained import sentences
    from .listings import times

    with work(writes=False) as at:
        facts = facts_of(at, what)
    if as_json:
        print_json(times(facts))
    else:
        click.echo("\n".join(sentences(facts)))


@admin.command()
@as_json_option
def status(as_json: bool) -> None:
    """How the server is, in counts; exit status 1 if letters wait for over an hour."""
    from ..intake import quarantine as kept
    from ..service import operator

    with work(writes=False) as at:
        quarantined = len(kept.entries(at.context.config.spool))
        facts = {**operator.status(at), "quarantined": quarantined}
    if as_json:
        print_json(facts)
    else:
        click.echo("\n".join(f"{name.replace('_', ' ')}: {count}" for name, count in facts.items()))
    sys.exit(REFUSED if facts["oldest_letter_seconds"] > 3600 else 0)


@admin.command()
def metrics() -> None:
    """Figures in the text format of Prometheus: a running daemon's, if the key metrics is set.

    Otherwise those that the store knows: without latencies and counters.
    """
    from ..intake import quarantine as kept
    from ..service.figures import gauges
    from ..service.metrics import Metrics
    from .exported import of_the_daemon

    config = configuration()
    with statuses():
        text = of_the_daemon(config.metrics, time.time())
    if not text:
        with work(writes=False) as at:
            text = Metrics().text(gauges(at.tx, kept.count(config.spool), at.now))
    click.echo(text, nl=False)


@admin.command()
@click.argument("address")
@click.option("--lift", is_flag=True, help="Let mails go there again.")
def suppress(address: str, lift: bool) -> None:
    """Mail an address no more unless it is an account's, as its owner wishes."""
    from ..service import operator

    with work() as at:
        operator.suppress(at, address, lift)
    click.echo("lifted" if lift else "suppressed")


@admin.command("rotate-key")
@click.option(
    "--void", is_flag=True, help="Forget older keys: replies to mails sent before do nothing."
)
def rotate_key(void: bool) -> None:
    """Sign reply addresses with a new key from now on."""
    from ..service import operator

    with work() as at:
        number = operator.rotate_keys(at, void)
    click.echo(f"key {number} signs from now on, within a minute in a running daemon")


@admin.command()
def check() -> None:
    """Replay every record and report any difference; exit status 1 if there is one."""
    from ..service import operator

    with work(writes=False) as at:
        problems = operator.check_all(at.tx)
    for problem in problems:
        click.echo(problem)
    click.echo(f"{len(problems)} differences")
    sys.exit(REFUSED if problems else 0)


@admin.command()
@click.argument("file", type=click.Path(path_type=Path))
def backup(file: Path) -> None:
    """Write a consistent copy of the database to FILE while the server runs."""
    config = configuration()
    with statuses(), store(config) as opened:
        opened.backup(file)
    click.echo(f"{file} written")


@admin.command()
@click.argument("number", type=NUMBER, required=False)
def export(number: int | None) -> None:
    """All boards, or one, as text that a person and ``pbmstar analyse`` can read."""
    from ..render import exported
    from ..service import apply, operator

    with work(writes=False) as at:
        rows = [apply.load(at, number)] if number else operator.all_matches(at.tx)
        click.echo("\n".join(exported.text(match) for match in rows), nl=False)


@admin.command()
@as_json_option
def audit(as_json: bool) -> None:
    """What was done by hand."""
    from . import listings

    with work(writes=False) as at:
        rows = [listings.audit_line(*row) for row in at.tx.audit()]
    print_rows(rows, as_json)
