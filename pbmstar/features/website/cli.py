"""The command that writes the pages."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ...cli.listings import as_json_option, print_facts
from ...cli.options import REFUSED, Command, bar, configuration, statuses
from ...cli.shared import store
from .folder import SiteFolder
from .worker import ConfiguredSite, Publisher


@click.command(cls=Command, example="public_html")
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path(path_type=Path))
@click.option(
    "--rebuild", is_flag=True, help="Write all pages, and delete files that don't belong there."
)
@click.option("--check", is_flag=True, help="Only compare all files with the store.")
@as_json_option
def site(folder: Path | None, rebuild: bool, check: bool, as_json: bool) -> None:
    """Write the pages of the website now.

    It only writes the pages that are due. DIR is a separate copy, with versions of its own. Without it, the
    pages go where the key `site` says. With --check, --json prints the differences as a list.
    """
    if as_json and not check:
        raise click.UsageError("--json goes with --check only.")
    config = configuration()
    root = folder or config.site
    if root is None:
        raise click.UsageError("Name a directory, or set the key site.")
    with statuses(), store(config) as opened:
        publisher = Publisher(config, opened, SiteFolder(root.absolute()))
        if check:
            differences = publisher.differences()
            print_facts(differences, differences, as_json)
            sys.exit(REFUSED if differences else 0)
        with bar("pages") as show:
            if folder is None:
                written = ConfiguredSite(config, opened).run(rebuild, show)
            else:
                written = publisher.run(rebuild, show)
    click.echo(str(written))


COMMAND = site
