"""The commands of ``pbmstar``. Each imports what it uses when it runs, so that help comes at once."""

from __future__ import annotations

import logging
import os
import sys
import time

import click

from ..machine.version import COMMIT, VERSION
from .options import (
    REFUSED,
    TRY_AGAIN,
    Group,
    Unread,
    configuration,
    configured,
    moment,
    of_features,
    options,
    statuses,
)


@click.group(
    cls=Group,
    unread=of_features("COMMANDS"),
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(
    VERSION,
    "--version",
    message=f"pbmstar %(version)s{f' (commit {COMMIT})' if COMMIT else ''}",
    help="Print the version, and the commit that it was built from.",
)
def main() -> None:
    """Play Star and its family by mail.

    Each option below may also stand after the command, or be set in the environment
    (PBMSTAR_SPOOL ...) or in a TOML file (./pbmstar.toml, /etc/pbmstar.toml).
    """


main.params += options(hidden=False)


# The commands of ``admin`` by their module, each with its line in the list: at most 45 characters.
_ADMIN = {
    "admin.admin_people": {
        "user": "Accounts, and bans.",
    },
    "admin.admin_boards": {
        "board": "Boards: list, show, reset, remove, move.",
        "restore": "Restore one player or board from a backup.",
        "check": "Replay every record, and compare.",
        "export": "Print all boards, or one, as text.",
        "outage": "Times when nobody could reach the server.",
        "pause": "Defer all mail until resume.",
        "resume": "Take mail again.",
    },
    "admin.admin_mails": {
        "quarantine": "Mail that a fault kept from being handled.",
        "outbox": "Letters that wait, or were refused.",
        "explain": "Trace a message, a letter, a board, a player.",
        "suppress": "Addresses that get no letters.",
        "probe": "Send a test letter, or list what came back.",
    },
    "admin.admin_server": {
        "status": "Print the server's state.",
        "top": "List who has caused most work.",
        "alerts": "Letters to the operator about troubles.",
        "node": "Daemons that share a database.",
        "metrics": "Print figures for Prometheus.",
        "rotate-key": "Sign reply addresses with a new key.",
        "announce": "Mail a file to players who want such news.",
        "audit": "List what was done by hand, and by whom.",
        "backup": "Write a copy of the database to FILE.",
        "move-database": "Copy everything to an empty database.",
        "unit": "Print a systemd unit.",
        "postfix": "Print how Postfix hands us our mail.",
        "man": "Print the manual page.",
    },
}


@main.group(
    cls=Group,
    unread={
        **{
            name: Unread(module, line)
            for module, lines in _ADMIN.items()
            for name, line in lines.items()
        },
        **of_features("OPERATING"),
    },
)
def admin() -> None:
    """Look after players, boards, mail, backups."""


@main.command("config")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def show_config(as_json: bool) -> None:
    """Print each key, its value and its source.

    The source is an option, a variable of the environment or a file; without one it is the default. Passwords
    are masked.
    """
    from .listings import print_rows

    rows = [
        {"key": name, "value": value, "source": source}
        for name, value, source in configured(configuration(make=False))
    ]
    print_rows(rows, as_json, "")


@main.command()
def demo() -> None:
    """Play a whole game by mail on this machine.

    It prints each message and letter, and leaves the game as a page.
    """
    from .demo import run

    sys.exit(run(click.echo))


@main.command()
def serve() -> None:
    """Run the daemon."""
    from ..delivery.courier import node_of
    from ..service import Service
    from ..smtp import server
    from .shared import context, store

    config = configuration()
    with statuses(), store(config, node_of(config.spool)) as opened:
        surroundings = context(config)
        systemd = os.environ.pop("NOTIFY_SOCKET", "")  # our children must not have it
        server.run(config, Service(surroundings), opened, surroundings, systemd)


@main.command()
def drain() -> None:
    """Stop taking mail, send what waits, and end.

    Other servers keep their messages meanwhile, and other nodes of the database take over at once. It returns
    when the daemon has ended, after ten minutes at most; then start the new version.
    """
    from ..smtp import presence
    from .shared import gone

    config = configuration()
    with statuses():
        number = presence.drain(config.spool)
        click.echo(f"Process {number} takes no more mail, and sends what waits.")
        gone(config.spool)
    click.echo("Daemon drained.")


@main.command()
@click.option(
    "--sender", "-f", default=None, help="Envelope sender; else $SENDER, Return-Path or From."
)
@click.argument("recipients", nargs=-1)
def receive(sender: str | None, recipients: tuple[str, ...]) -> None:
    """Handle one message from standard input.

    It is for a Postfix pipe, procmail or .forward. RECIPIENTS are the envelope's; without them
    $ORIGINAL_RECIPIENT, $RECIPIENT, Delivered-To or To of the message is used. Exit status 75 asks for the
    message to be sent again later. The log on standard error says what became of it.
    """
    from ..intake.pipe import receive_one
    from ..machine import log
    from .shared import context, send_and_answer, store

    # In every trouble here the mail must not go back to a player, but come again later.
    config = configuration(wrong=TRY_AGAIN)
    log.setup(node=config.node)
    with statuses(refused=TRY_AGAIN):
        raw = sys.stdin.buffer.read()
        with store(config) as opened:
            status = receive_one(config, context(config), opened, raw, sender, recipients)
            if status == 0:
                send_and_answer(config, opened)
    sys.exit(status)


@main.command()
def deliver() -> None:
    """Do the work of the daemon once.

    It answers for bots, writes daily letters, and sends the letters that wait, where no daemon runs.
    """
    from ..delivery.courier import deliver_once
    from ..machine import log
    from ..service import Service
    from .shared import answer, context, store, write_digests

    config = configuration()
    log.setup(least=logging.WARNING, node=config.node)
    with statuses(), store(config) as opened:
        service = Service(context(config))
        answer(config, opened)
        write_digests(service, opened)
        done = deliver_once(config, opened, service.trouble)
    click.echo(str(done))
    sys.exit(TRY_AGAIN if done.trouble else 0)


@main.command()
@click.option("--dry-run", is_flag=True, help="Only list the letters that it would send.")
@click.option(
    "--at",
    "time",
    type=moment,
    metavar="TIME",
    help="With --dry-run: a time such as 2026-12-06T22:00Z, else now.",
)
@click.option("--json", "as_json", is_flag=True, help="With --dry-run: as JSON.")
def remind(dry_run: bool, time: float | None, as_json: bool) -> None:
    """Send the reminders and forfeits due now.

    Run it every hour, by systemd or cron.
    """
    from ..machine import log
    from .remind import rehearse, run, told

    if (time is not None or as_json) and not dry_run:
        raise click.UsageError("--at and --json go with --dry-run only.")
    config = configuration()
    log.setup(least=logging.WARNING, node=config.node)  # cron mails all output
    if not dry_run:
        click.echo("\n".join(told(run(config))))
        return
    from .listings import print_facts

    done, letters = rehearse(config, time)
    lines = [*told(done, "Due"), *(f"  to {each['to']}: {each['subject']}" for each in letters)]
    print_facts({**done, "letters": letters}, lines, as_json)


@main.command()
@click.option("--json", "as_json", is_flag=True, help="As JSON: the days of both weeks.")
def stats(as_json: bool) -> None:
    """Compare the last week with the one before.

    Messages, moves, letters, players and games are counted.
    """
    from ..service.admin import stats as weekly
    from .listings import print_facts
    from .shared import work

    with work(writes=False) as at:
        facts = weekly.week(at.tx, at.now)
    print_facts(facts, weekly.lines(facts), as_json)


@main.command()
@click.option("--json", "as_json", is_flag=True, help="As JSON: a list of findings.")
def doctor(as_json: bool) -> None:
    """Check the installation, and give advice.

    It looks at configuration, DNS, clock, disk, queues and bots, and changes nothing. Each line begins with
    ok, warn (perhaps it is meant so) or fail. The exit status is 1 if one begins with fail.
    """
    from ..features.values import FAIL
    from .doctor import dns, examine
    from .listings import print_json

    config = configuration(make=False)
    findings = []
    for finding in examine(config, dns, time.time()):
        findings.append(finding)
        if not as_json:
            click.echo(str(finding))
    if as_json:
        print_json([finding._asdict() for finding in findings])
    sys.exit(REFUSED if any(finding.verdict == FAIL for finding in findings) else 0)


# All words from the game on belong to it: -- is a pass there, and -size=8 an option of the game.
@main.command(context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.argument("words", metavar="[GAME [OPTIONS] MOVES...]", nargs=-1, type=click.UNPROCESSED)
def analyse(words: tuple[str, ...]) -> None:
    """Analyse a position, without a server.

    Without arguments it reads JSON lines from standard input, one object a line, and answers each
    with a line. With a game, its options (-size=8) and moves it draws the board.
    """
    from . import analyse as analysis

    if not words:
        for line in sys.stdin.buffer:
            if line.strip():
                click.echo(analysis.answer(line.decode("utf-8", "replace")))
        return
    with statuses():
        click.echo(analysis.draw(words), nl=False)
