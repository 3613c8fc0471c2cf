"""The answers of bots to the questions of core."""

from __future__ import annotations

from ..feature import Feature


class BotsFeature(Feature):
    """Players whose moves this server finds itself."""

    name = "bots"
    title = "bots"


FEATURE = BotsFeature()
