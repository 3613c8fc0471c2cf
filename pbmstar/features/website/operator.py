"""The site in the eyes of the operator."""

from __future__ import annotations

import os
from collections.abc import Iterator

from ...config import Config
from ...machine.times import Epoch
from ...match.terms import DAY
from ..values import FAIL, OK, WARN, Finding
from .press import state


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
