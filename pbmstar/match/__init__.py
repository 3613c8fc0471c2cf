"""One game in play, pure."""

from .match import AGREE, FORFEIT, RESIGN, Match, replay

__all__ = ["AGREE", "FORFEIT", "RESIGN", "Match", "replay"]
