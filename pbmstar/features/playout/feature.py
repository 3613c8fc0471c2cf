"""Play it out, for core: its games belong to nobody, and core asks it nothing about them."""

from __future__ import annotations

from ..feature import Feature


class PlayoutFeature(Feature):
    """Games that go on from a position of a finished one."""

    name = "playout"
    title = "games from a position"


FEATURE = PlayoutFeature()
