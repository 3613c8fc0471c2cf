"""A daemon in a process of its own, with the stand-in for the service: SPOOL [KEY=VALUE ...]."""

from __future__ import annotations

import sys

from standin import Standin, configured

from pbmstar.smtp import server
from pbmstar.store import Store

if __name__ == "__main__":
    options = dict(word.split("=", 1) for word in sys.argv[2:])
    config = configured(sys.argv[1], **options)
    store = Store(config.database)
    server.run(config, Standin(), store)
    store.close()
