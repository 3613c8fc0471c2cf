"""Words for buttons about the course."""

from __future__ import annotations

from ...errors import say

BUTTONS = {"course": say("Five short lessons")}
