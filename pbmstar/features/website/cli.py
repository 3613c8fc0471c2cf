"""The command that writes the pages."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ...cli.options import REFUSED, configuration, statuses
from ...cli.shared import store
from .folder import Folder
from .press import House
from .publisher import Publisher


@click.command()
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path(path_type=Path))
@click.option("--rebuild", is_flag=True, help="Write all pages, and take away foreign files.")
@click.option("--check", is_flag=True, help="Compare all files with the store; write nothing.")
def site(folder: Path | None, rebuild: bool, check: bool) -> None:
    """Write the pages of the site now.

    Only those that are due are written. DIR is a copy with versions of its own; without it the key `site`
    says where they go.
    """
    config = configuration()
    root = folder or config.site
    if root is None:
        raise click.UsageError("Name a directory, or set the key site.")
    with statuses(), store(config) as opened:
        publisher = Publisher(config, opened, Folder(root.absolute()))
        if check:
            differences = publisher.differences()
            for line in differences:
                click.echo(line)
            sys.exit(REFUSED if differences else 0)
        with click.progressbar(
            length=1, label="pages", hidden=not sys.stderr.isatty(), file=sys.stderr
        ) as bar:

            def show(done: int, due: int) -> None:
                bar.length = due
                bar.update(done - bar.pos)

            if folder is None:
                written = House(config, opened).run(rebuild, show)
            else:
                written = publisher.run(rebuild, show)
    click.echo(str(written))
