"""The answers of the site to the questions of core."""

from __future__ import annotations

from types import MappingProxyType

from ...config import Config
from ...match import Match
from ...service.work.feature import Feature, Gauge, Kind
from ...service.work.work import Work
from .facts import NextBoard, NextBoardPart
from .rows import NextBoards
from .worker import ALERT, SiteWorker, state


class WebsiteFeature(Feature):
    """The site."""

    title = "web pages"
    shows_games = True
    figures = MappingProxyType(
        {
            "pbmstar_site_pages_due": Gauge(
                "Pages of the site that could not be written yet.",
                of_node=lambda config: {(): state(config.spool).due},
            ),
            "pbmstar_site_written_timestamp_seconds": Gauge(
                "When the site was last brought up to date.",
                of_node=lambda config: {(): state(config.spool).at},
            ),
        }
    )
    alerts = MappingProxyType(
        {
            ALERT: Kind(
                "pages not written",
                "We can't write the site's pages. Letters go on, and we try again every minute.",
                "Let this server's user write there, or make room:",
                "pbmstar doctor",
                counted=False,
            )
        }
    )

    def board_facts(self, work: Work, match: Match) -> NextBoardPart | None:
        """Name the next board that waits for the player to move, for the page to choose a move on."""
        who = match.to_move
        if not work.context.config.site_url or not who or who == match.program:
            return None
        found = work.tx.of(NextBoards).oldest(who, match.number)
        return NextBoardPart(NextBoard(*found)) if found else None

    def worker(self, config: Config) -> SiteWorker | None:
        """Return the thread that keeps the process alive that writes the site."""
        return SiteWorker(config) if config.site else None


FEATURE = WebsiteFeature()
