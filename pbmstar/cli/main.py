"""The commands of ``pbmstar``. Each imports what it uses when it runs, so that help comes at once."""

from __future__ import annotations

import logging
import os
import sys
import time
from itertools import chain
from pathlib import Path

import click

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
    refuse,
    show_keys,
    statuses,
)

_SECTIONS = {
    "Try": ("demo", "analyse"),
    "Run a server": ("setup", "serve", "fetch", "receive", "deliver", "remind", "drain"),
}
# Of the verdicts of ``doctor``.
_COLORS = {"ok": "green", "warn": "yellow", "fail": "red"}
_NEXT = """\
pbmstar plays Star and its family by mail.
  See a whole game on this machine:   pbmstar demo
  Make a server of an email account:  pbmstar setup
  Start the server:                   pbmstar serve
  All commands; all keys:             pbmstar --help; pbmstar config --help"""


def _version(asked: click.Context, _option: click.Parameter, is_asked: bool) -> None:
    if is_asked:
        from ..machine.version import COMMIT, VERSION

        click.echo(f"pbmstar {VERSION}{f' (commit {COMMIT})' if COMMIT else ''}")
        asked.exit()


@click.group(
    cls=Group,
    unread={
        "bot": Unread("admin.admin_bots", "Measure the bots, and make them ready."),
        **of_features("main"),
    },
    sections=_SECTIONS,
    others="Look after it",
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    example="demo",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help="Print the version, and the commit it was built from.",
)
@click.pass_context
def main(asked: click.Context) -> None:
    """Play Star and its family by mail.

    Every command accepts the keys of the configuration as options, such as --spool. For a list: pbmstar
    config --help
    """
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        asked.color = False  # otherwise there are colors if the output is a terminal
    if asked.invoked_subcommand is None:
        click.echo(_NEXT)


main.params += options(hidden=True)


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
        "ratings": "Compute the ratings again, and compare them.",
        "twins": "List accounts that may belong to one person.",
    },
    "admin.admin_mails": {
        "quarantine": "Mail we couldn't handle because of a fault.",
        "outbox": "Letters that are waiting, or were refused.",
        "explain": "Trace a message, a letter, a board, a player.",
        "suppress": "Addresses that get no letters.",
        "probe": "Send a test letter, or list what came back.",
        "invitation": "Invitations and postcards: list, stop, allow.",
    },
    "admin.admin_bots": {"bot": "Bots: the accounts this server plays for."},
    "admin.admin_server": {
        "status": "Print the server's state.",
        "top": "List who has caused the most work.",
        "alerts": "Letters to the operator about problems.",
        "node": "Daemons that share a database.",
        "metrics": "Print metrics for Prometheus.",
        "rotate-key": "Sign reply addresses with a new key.",
        "announce": "Send a file to the players who want news.",
        "audit": "List what was done by hand, and by whom.",
        "backup": "Write a copy of the database to FILE.",
        "move-database": "Copy everything to an empty database.",
        "unit": "Print a systemd unit.",
        "postfix": "Print the Postfix settings for pbmstar.",
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
        **of_features("admin"),
    },
    example="status",
)
def admin() -> None:
    """Look after players, boards, mail, backups."""


@main.command("config", example="--json")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def show_config(as_json: bool) -> None:
    """Print each key, its value and its source.

    The source is an option, an environment variable or a file. If there isn't one, you see the default.
    Passwords are masked. You can put each option below before or after any command, or set it in the
    environment (PBMSTAR_SPOOL ...) or in a TOML file (./pbmstar.toml, /etc/pbmstar.toml).
    """
    from .listings import print_rows

    rows = [
        {"key": name, "value": value, "source": source}
        for name, value, source in configured(configuration(make=False))
    ]
    print_rows(rows, as_json, "")


show_keys(show_config)


@main.command(example="bash > /etc/bash_completion.d/pbmstar")
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
def completion(shell: str) -> None:
    """Print a completion script for a shell.

    bash reads it from /etc/bash_completion.d, zsh from a folder of its fpath as _pbmstar, and fish from
    ~/.config/fish/completions as pbmstar.fish. The Debian package installs all three.
    """
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    assert found is not None
    click.echo(found(main, {}, "pbmstar", "_PBMSTAR_COMPLETE").source())


@main.command()
@click.option("--full", "is_full", is_flag=True, help="Print every message and letter.")
def demo(is_full: bool) -> None:
    """Play a whole game by mail on this machine.

    You see who writes what, and the board after each move. Afterward, you can step through the game in a
    browser.
    """
    from .demo import run

    sys.exit(run(click.echo, is_full))


@main.command()
def serve() -> None:
    """Run the daemon."""
    from ..delivery.courier import node_of
    from ..service.incoming.mail import Service
    from ..smtp import server
    from .shared import context, store

    config = configuration()
    with statuses(), store(config, node_of(config.spool)) as opened:
        surroundings = context(config)
        systemd = os.environ.pop("NOTIFY_SOCKET", "")  # our children must not have it
        server.run(config, Service(surroundings), opened, surroundings, systemd)


@main.command()
def drain() -> None:
    """Stop taking mail, send what's left, and exit.

    Meanwhile, other mail servers keep their messages, and other nodes of the database take over right away.
    The command returns when the daemon has ended, after ten minutes at most. Then start the new version.
    """
    from ..smtp import sockets
    from .shared import gone

    config = configuration()
    with statuses():
        number = sockets.drain(config.spool)
        click.echo(f"Process {number} takes no more mail, and is sending what's waiting.")
        gone(config.spool)
    click.echo("Daemon drained.")


@main.command(example="--sender alice@home.example star@example.org < message.eml")
@click.option(
    "--sender",
    "-f",
    default=None,
    help="The envelope's sender. Without it, we use $SENDER, Return-Path or From.",
)
@click.argument("recipients", nargs=-1)
def receive(sender: str | None, recipients: tuple[str, ...]) -> None:
    """Handle one message from standard input.

    Use it for a Postfix pipe, procmail or .forward. RECIPIENTS are the envelope's recipients. Give the
    envelope's sender with --sender, because we take every address in RECIPIENTS for a recipient. Without
    RECIPIENTS, we use $ORIGINAL_RECIPIENT, $RECIPIENT, or the message's Delivered-To or To. Exit status 75
    asks for the message to be sent again later. The log on standard error says what became of it.
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


@main.command(example="--address star@example.org")
@click.option(
    "--file",
    type=click.Path(path_type=Path),
    default=Path("pbmstar.toml"),
    show_default=True,
    help="Where to write the configuration.",
)
def setup(file: Path) -> None:
    """Make a server of an email account.

    It asks for the address and the password, finds the provider's servers, tries everything once, and writes
    the configuration. It doesn't ask for anything you give it: --address, --mailbox, --relay, --auth,
    --operator, --spool, and for the password --mailbox-password-command or the variable PBMSTAR_PASSWORD.
    """
    import shutil
    from dataclasses import replace
    from urllib.parse import urlsplit

    from .doctor import dns
    from .setup import Servers, Trial, find, with_password, write

    if file.exists():
        refuse(f"{file} already exists. Move it away first.")
    with statuses():
        config = configuration(make=False)
        if config.address.endswith("@localhost"):
            address = click.prompt("Email address of the account that plays")
            config = configuration(make=False, more={"address": address})
        found = find(config.address, dns) if not config.mailbox else Servers(config.mailbox, "")
        is_set = not config.relay.startswith("maildir:")
        config = replace(
            config,
            mailbox=found.mailbox or click.prompt("IMAP server, like imaps://USER@HOST"),
            relay=(config.relay if is_set else found.relay)
            or click.prompt("Server to send with, like smtps://USER@HOST"),
        )
        password = os.environ.get("PBMSTAR_PASSWORD", "")
        is_told = config.mailbox_password_command or urlsplit(config.mailbox).password
        if not password and not is_told:
            password = click.prompt("Password, or app password", hide_input=True)
        trial = Trial(
            replace(
                config,
                mailbox=with_password(config.mailbox, password),
                relay=with_password(config.relay, password),
            )
        )
        for said in trial.run():
            click.echo(said)
        write(file, config, trial.detail, password)
    typed = sys.argv[0]
    program = typed if typed.endswith("/pbmstar") and not shutil.which("pbmstar") else "pbmstar"
    click.echo(
        f"Written: {file}, which only you can read.\n"
        f"Start the server now:     {program} serve\n"
        f"Start it at each boot:    {program} admin unit --user --into ~/.config/systemd/user\n"
        "                          systemctl --user enable --now pbmstar.service pbmstar-remind.timer\n"
        "                          loginctl enable-linger\n"
        f"Without a daemon, by cron: {program} fetch; {program} remind"
    )


@main.command()
def fetch() -> None:
    """Read the mailbox once, and send letters.

    It handles the messages in the mailbox, makes the bots' moves, writes daily letters, and sends all waiting
    letters. Use it with cron, or where no program can keep running. Exit status 75 means that something has
    to wait.
    """
    from ..machine import log
    from .fetch import read_mailbox
    from .shared import context, send_and_answer, store

    config = configuration()
    log.setup(least=logging.WARNING, node=config.node)
    with statuses(), store(config) as opened:
        said, is_done = read_mailbox(config, context(config), opened)
        click.echo(said)
        send_and_answer(config, opened)
    sys.exit(0 if is_done else TRY_AGAIN)


@main.command()
def deliver() -> None:
    """Do the daemon's work once.

    It makes the bots' moves, writes daily letters, and sends all waiting letters. Use it where no daemon
    runs.
    """
    from ..delivery.courier import deliver_once
    from ..machine import log
    from ..service.incoming.mail import Service
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


@main.command(example="--dry-run --at 2026-12-06T22:00Z")
@click.option("--dry-run", is_flag=True, help="Only list the letters it would send.")
@click.option(
    "--at",
    "time",
    type=moment,
    metavar="TIME",
    help="With --dry-run: a time such as 2026-12-06T22:00Z. Without it, now.",
)
@click.option("--json", "as_json", is_flag=True, help="With --dry-run: print JSON.")
def remind(dry_run: bool, time: float | None, as_json: bool) -> None:
    """Send the reminders and forfeits due now.

    Run it every hour, with systemd or cron.
    """
    from ..machine import log
    from .remind import rehearse, run, told

    if (time is not None or as_json) and not dry_run:
        raise click.UsageError("--at and --json only work with --dry-run.")
    config = configuration()
    log.setup(least=logging.WARNING, node=config.node)  # cron mails all output
    if not dry_run:
        click.echo("\n".join(told(run(config))))
        return
    from .listings import print_facts

    done, letters = rehearse(config, time)
    lines = [*told(done, "Due"), *(f"  to {each['to']}: {each['subject']}" for each in letters)]
    print_facts({**done, "letters": letters}, lines, as_json)


@main.command(example="--json")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: the days of both weeks.")
def stats(as_json: bool) -> None:
    """Compare the last week with the one before.

    It counts messages, moves, letters, players and games.
    """
    from ..service.admin import stats as weekly
    from .listings import print_facts
    from .shared import work

    with work(writes=False) as at:
        facts = weekly.week(at.tx, at.now)
    print_facts(facts, weekly.lines(facts), as_json)


@main.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON: a list of findings.")
def doctor(as_json: bool) -> None:
    """Check the installation, and give advice.

    It checks the configuration, DNS, the clock, the disk, the queues and the bots, and doesn't change
    anything. Each line starts with ok, warn (which may be what you want) or fail. The exit status is 1 if a
    line starts with fail.
    """
    from ..service.work.feature import FAIL
    from .doctor import dns, examine
    from .listings import print_json

    config = configuration(make=False)
    findings = []
    for finding in examine(config, dns, time.time()):
        findings.append(finding)
        if not as_json:
            verdict, rest = str(finding)[:4], str(finding)[4:]
            click.echo(click.style(verdict, fg=_COLORS[finding.verdict]) + rest)
    if as_json:
        print_json([finding._asdict() for finding in findings])
    sys.exit(REFUSED if any(finding.verdict == FAIL for finding in findings) else 0)


# All words from the game on belong to it: -- is a pass there, and -size=8 an option of the game.
@main.command(
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
    example="star -size=6 F6 D4",
)
@click.argument("words", metavar="[GAME [OPTIONS] MOVES...]", nargs=-1, type=click.UNPROCESSED)
def analyse(words: tuple[str, ...]) -> None:
    """Analyse a position, without a server.

    With a game, its options (-size=8) and moves, it draws the board. Without arguments, it reads standard
    input: either JSON, with one object on each line, and then it answers each line with a line; or a game of
    Hex or Y as SGF, which it draws.
    """
    from ..games.sgf import LONGEST
    from . import analyse as analysis

    if not words:
        start = next((line for line in sys.stdin.buffer if line.strip()), b"")
        if start.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"("):
            text = start + sys.stdin.buffer.read(LONGEST)
            with statuses():
                click.echo(analysis.draw_sgf(text.decode("utf-8-sig", "replace")), nl=False)
            return
        for line in chain((start,), sys.stdin.buffer):
            if line.strip():
                click.echo(analysis.answer(line.decode("utf-8", "replace")))
        return
    with statuses():
        click.echo(analysis.draw(words), nl=False)
