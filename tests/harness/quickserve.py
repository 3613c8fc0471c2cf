"""``pbmstar`` with bots that play at once: ``quickserve.py FOLDER WORDS...``; see quickbot."""

from __future__ import annotations

import sys

import quickbot  # type: ignore[import-not-found]  # it lies beside this program

from pbmstar.cli import main
from pbmstar.thinking import worker

if __name__ == "__main__":
    worker.COMMAND = (sys.executable, quickbot.__file__, sys.argv.pop(1))
    main()
