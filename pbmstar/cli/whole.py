"""The commands of ``pbmstar admin`` for the server as a whole: pause, announcements, another database."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path

import click

from .admin import admin
from .shared import configuration, refuse, statuses, store, work

_AN_HOUR = 600  # letters
# Those of installing.UNITS, repeated so that help need not import it; a test compares them.
UNITS = ("pbmstar.service", "pbmstar-remind.service", "pbmstar-remind.timer")


@admin.command()
def pause() -> None:
    """Take no mail until `resume`: other servers keep theirs. Letters go out; no player's time runs."""
    from ..service import lifecycle

    with work() as at:
        lifecycle.pause(at)
    click.echo("paused: mails are put off, no time runs")


@admin.command()
def resume() -> None:
    """Take mail again."""
    from ..service import lifecycle

    with work() as at:
        seconds = lifecycle.resume(at)
    click.echo(f"mails are taken again; {seconds / 3600:.1f} hours count for nobody")


@admin.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--per-hour", type=click.IntRange(1, 100_000), default=_AN_HOUR, show_default=True)
def announce(file: Path, per_hour: int) -> None:
    """Mail FILE to every player who wants announcements; its first line is the Subject.

    A letter carries List-Unsubscribe: who uses that gets no more of them.
    """
    from ..service import lifecycle

    with statuses():
        try:
            subject, _, text = file.read_text("utf-8").partition("\n")
        except ValueError:
            refuse(f"{file} is not a text in UTF-8.")
    subject, text = subject.removeprefix("Subject:").strip(), text.strip("\n")
    if not subject or not text or not (subject.isascii() and subject.isprintable()):
        refuse(f"{file}: the first line is the Subject, in ASCII; the others are the text.")
    with work() as at:
        count = lifecycle.announce(at, subject, text, per_hour)
    click.echo(f"{count} letters, the last one in {max(count - 1, 0) / per_hour:.1f} hours")


@admin.command("move-database")
@click.argument("url")
def move_database(url: str) -> None:
    """Copy all to an empty database, compare every row, and say what to set `database` to.

    URL is as the key database has it, or - to read it from standard input, where no other user sees
    a password in it. The old database is left as it is. What was broken off may be run again.
    """
    from ..delivery.turn import turn
    from ..store import Store

    config = configuration()
    target_url = sys.stdin.readline().strip() if url == "-" else url
    with statuses(), turn(config.spool) as owner:
        if owner is None:
            refuse("A daemon runs on this spool: stop it first.")
        with store(config) as source, closing(Store(target_url)) as target:
            rows = source.move_to(target)
    click.echo(f"{rows} rows copied and compared: set the key database to the new URL and start")


@admin.command()
@click.argument("name", type=click.Choice(UNITS), default=UNITS[0])
@click.option(
    "--into",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Write all of them into this directory.",
)
def unit(name: str, into: Path | None) -> None:
    """Print a systemd unit for this installation: the daemon's, or NAME of the reminders.

    As root: pbmstar admin unit --into /etc/systemd/system; systemctl daemon-reload;
    systemctl enable --now pbmstar.service pbmstar-remind.timer
    """
    from . import installing

    config = configuration(make=False)
    if into is None:
        click.echo(installing.unit(name, config), nl=False)
        return
    with statuses():
        for each in UNITS:
            (into / each).write_text(installing.unit(each, config))
            (into / each).chmod(0o644)
            click.echo(into / each)


@admin.command()
def man() -> None:
    """Print the manual page; save it as /usr/local/share/man/man1/pbmstar.1."""
    from importlib.metadata import version

    from .installing import man_page

    root = click.get_current_context().find_root().command
    assert isinstance(root, click.Group)
    click.echo(man_page(root, version("pbmstar")), nl=False)
