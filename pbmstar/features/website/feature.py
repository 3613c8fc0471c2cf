"""The answers of the site to the questions of core."""

from __future__ import annotations

import os
from collections.abc import Iterator
from types import MappingProxyType

from ...config import Config
from ...machine.times import DAY, Epoch
from ...match import Match
from ...service.work.feature import FAIL, OK, WARN, Feature, Finding, Gauge, Kind
from ...service.work.work import Work
from .facts import NextBoard, NextBoardPart
from .rows import NextBoards
from .worker import ALERT, SiteWorker, state


def examine(config: Config, now: Epoch) -> Iterator[Finding]:
    """Look at the folder of the pages, and at the notes of the last run."""
    if config.site is None:
        if config.site_url:
            advice = "site_url is of no use where the key site is not set."
            yield Finding(WARN, "site: no folder", advice)
        return
    last = state(config.spool)
    known = config.site if config.site.exists() else config.site.parent
    if not known.is_dir():
        advice = "Make it, where the daemon's user may write."
        yield Finding(FAIL, f"site: there is no folder {known}", advice)
    elif not os.access(known, os.W_OK | os.X_OK):
        advice = f"Let the daemon's user write {known}."
        yield Finding(FAIL, "site: its folder cannot be written", advice)
    elif last.trouble:
        advice = f"{last.due} pages wait. It is tried again every minute."
        yield Finding(FAIL, f"site: {last.trouble}", advice)
    elif not last.at:
        advice = "The daemon writes it, or pbmstar site."
        yield Finding(WARN, "site: nothing is written yet", advice)
    elif now - last.at > DAY:
        advice = "Does the daemon run, or pbmstar remind?"
        yield Finding(WARN, "site: written long ago", advice)
    else:
        yield Finding(OK, "site: up to date")
    if not config.site_url:
        advice = "With it letters have the address of the big board."
        yield Finding(WARN, "site_url: not set", advice)


class WebsiteFeature(Feature):
    """The site."""

    name = "website"
    title = "web pages"
    shows_games = True
    findings = (examine,)
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
