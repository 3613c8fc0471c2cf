"""The command of the site; players say by ``public``, a verb of core, if they are seen there."""

from __future__ import annotations

VERBS = ()
COMMANDS = {"site": "Write the pages of the site now."}
