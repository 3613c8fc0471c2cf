"""The table of tips: ``userid`` was given ``tip`` in a letter that was written at ``at``."""

from __future__ import annotations

from sqlalchemy import Float, Text

from ...store.columns import primary, required, table

tips = table("tips", *primary(userid=Text, tip=Text), *required(at=Float), own=True)
