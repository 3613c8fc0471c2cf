"""The answers of the site to the questions of core."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType

from ...config import Config
from ...machine.times import Epoch
from ...match import Match
from ...service.letters.alerts import Kind
from ...service.work.work import Work
from ...store import Store, Tx
from ..feature import Feature
from ..values import Finding, Gauge, Gauges, Tools
from . import operator
from .facts import NextBoard, NextBoardPart
from .press import ALERT, House, Press, state
from .rows import NextBoards

_DUE, _WRITTEN = "pbmstar_site_pages_due", "pbmstar_site_written_timestamp_seconds"


class WebsiteFeature(Feature):
    """The site."""

    name = "website"
    title = "web pages"
    figures = MappingProxyType(
        {
            _DUE: Gauge("Pages of the site that could not be written yet."),
            _WRITTEN: Gauge("When the site was last brought up to date."),
        }
    )
    alerts = MappingProxyType(
        {
            ALERT: Kind(
                "pages not written",
                "The pages of the site cannot be written. Letters go on, and it is tried again every minute.",
                "Let the user that this server runs as write there, or make room:",
                "pbmstar doctor",
                counted=False,
            )
        }
    )

    def shows(self, config: Config) -> str:
        """Return the address of the site."""
        return (config.site_url or "the web") if config.site else ""

    def shown(self, work: Work, match: Match) -> NextBoardPart | None:
        """Name the next board that waits for the player to move, for the page to choose a move on."""
        who = match.to_move
        if not work.context.config.site_url or not who or who == match.program:
            return None
        found = work.tx.of(NextBoards).oldest(who, match.number)
        return NextBoardPart(NextBoard(*found)) if found else None

    def worker(self, tools: Tools) -> Press | None:
        """Return the thread that keeps the process alive that writes the site."""
        config = tools.context.config
        return Press(config) if config.site else None

    def catch_up(self, config: Config, store: Store) -> None:
        """Write the pages that are due."""
        if config.site:
            House(config, store).run()

    def gauges(self, config: Config, tx: Tx | None, now: Epoch) -> Gauges:
        """Return what the last run noted."""
        last = state(config.spool)
        return {_DUE: {(): last.due}, _WRITTEN: {(): last.at}}

    def examine(self, config: Config, now: Epoch) -> Iterator[Finding]:
        """Look at the folder of the pages, and at the notes of the last run."""
        return operator.examine(config, now)


FEATURE = WebsiteFeature()
