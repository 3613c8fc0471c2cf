"""The table of the window: the players who have closed it."""

from __future__ import annotations

from sqlalchemy import Text

from ...store.columns import primary, table

windows = table("closed_windows", *primary(userid=Text), own=True)
