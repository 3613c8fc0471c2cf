"""The commands of ``pbmstar``, but for those of ``pbmstar admin``."""

from __future__ import annotations

import sys

import click

from . import boards as _boards  # noqa: F401 - its commands join those of admin
from . import bots as _bots  # noqa: F401 - so do these
from . import standstill as _standstill  # noqa: F401 - so do these
from . import upkeep as _upkeep  # noqa: F401 - so do these
from . import whole as _whole  # noqa: F401 - so do these
from .admin import admin
from .bench import bot
from .shared import (
    REFUSED,
    TRY_AGAIN,
    Group,
    configuration,
    configured,
    context,
    send_and_think,
    statuses,
    store,
    think,
    write_digests,
)


def _version(ctx: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        click.echo(f"pbmstar {version('pbmstar')}")
        ctx.exit()


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_version,
    help="Show the version.",
)
@configured(hidden=False)
def main() -> None:
    """Play Star and its family by mail.

    Each option below may also stand after the command, or be set in the environment
    (PBMSTAR_SPOOL ...) or in a TOML file (./pbmstar.toml, /etc/pbmstar.toml).
    """


main.add_command(admin)
main.add_command(bot)


@main.command()
def demo() -> None:
    """A whole game by mail on this machine, each mail printed; leaves nothing behind."""
    from .demo import run

    sys.exit(run(click.echo))


@main.command()
def serve() -> None:
    """The daemon: SMTP in, delivery out."""
    from ..service import Service
    from ..smtp import server

    config = configuration()
    with statuses(), store(config) as opened:
        surroundings = context(config)
        server.run(config, Service(surroundings), opened, surroundings)


@main.command()
@click.option(
    "--sender", "-f", default=None, help="Envelope sender; else $SENDER, Return-Path or From."
)
@click.argument("recipients", nargs=-1)
def receive(sender: str | None, recipients: tuple[str, ...]) -> None:
    """Handle one mail from standard input (Postfix pipe, procmail, .forward).

    RECIPIENTS are the envelope's; without them $ORIGINAL_RECIPIENT, $RECIPIENT, Delivered-To or To
    of the mail is used. Exit status 75 asks for the mail to be sent again later. What became of the
    mail is logged on standard error.
    """
    from .. import log
    from ..intake.pipe import receive_one

    # Whatever is wrong here, the mail must not go back to a player: it is to come again later.
    config = configuration(wrong=TRY_AGAIN)
    log.setup()
    with statuses(refused=TRY_AGAIN):
        raw = sys.stdin.buffer.read()
        with store(config) as opened:
            status = receive_one(config, context(config), opened, raw, sender, recipients)
            if status == 0:
                send_and_think(config, opened)
    sys.exit(status)


@main.command()
def deliver() -> None:
    """Let bots answer, and make one pass over the outgoing mail, where no daemon does that."""
    import logging

    from .. import log
    from ..delivery.once import deliver_once
    from ..service import Service

    config = configuration()
    log.setup(least=logging.WARNING)
    with statuses(), store(config) as opened:
        service = Service(context(config))
        think(config, opened)
        write_digests(service, opened)
        done = deliver_once(config, opened, service.trouble)
    click.echo(str(done))
    sys.exit(TRY_AGAIN if done.trouble else 0)


@main.command()
def remind() -> None:
    """Send the reminders and forfeits that are due now (for cron)."""
    import logging
    import time

    from .. import log
    from ..intake import quarantine
    from ..service.turns import remind as run

    config = configuration()
    log.setup(least=logging.WARNING)  # cron mails what is printed
    with statuses(), store(config) as opened:
        done = run(context(config), opened)
        quarantine.prune(config, time.time())
        send_and_think(config, opened)
    click.echo(
        f"{done['nag']} reminders, {done['warning']} last warnings, {done['forfeit']} forfeits"
    )
    if done["held"]:
        click.echo(
            f"{done['held']} forfeits held back after an outage: mails that had to wait elsewhere may "
            "still come. Is the clock right? See pbmstar admin outage list."
        )
    if done["ask"]:
        click.echo(f"{done['ask']} players asked whether to wait for one who cannot be reached")


@main.command()
def doctor() -> None:
    """Look at configuration, DNS, clock, disk and queue, and say what to do."""
    import time

    from .doctor import dns, examine

    config = configuration(make=False)
    bad = False
    for finding in examine(config, dns, time.time()):
        bad = bad or finding.verdict == "bad"
        click.echo(str(finding))
    sys.exit(REFUSED if bad else 0)


# All from the game on is its own business: -- is a pass there, and -size=8 an option of the game.
@main.command(context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.argument("words", metavar="[GAME [OPTIONS] MOVES...]", nargs=-1, type=click.UNPROCESSED)
def analyse(words: tuple[str, ...]) -> None:
    """The rules without a server.

    Without arguments JSON lines are read from standard input, one object a line, and answered line
    by line. With a game, its options (-size=8) and moves the board is drawn.
    """
    from . import analyse as analysis

    if not words:
        for line in sys.stdin.buffer:
            if line.strip():
                click.echo(analysis.answer(line.decode("utf-8", "replace")))
        return
    with statuses():
        click.echo(analysis.draw(words), nl=False)


__all__ = ["REFUSED", "main"]
