"""What buttons about the course say."""

from __future__ import annotations

from ...errors import say

BUTTONS = {"course": say("Five short lessons")}
