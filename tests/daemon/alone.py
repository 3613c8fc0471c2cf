"""A daemon in a process of its own, with the stand-in for the service: SPOOL [KEY=VALUE ...]."""

from __future__ import annotations

import sys
from typing import Any, cast

from peers import SERVER, Standin

from pbmstar import config
from pbmstar.smtp import server as daemon
from pbmstar.store import Store

if __name__ == "__main__":
    options = dict(word.split("=", 1) for word in sys.argv[2:])
    told = {"spool": sys.argv[1], "address": SERVER, "listen": "127.0.0.1:0", **options}
    loaded = config.load(told, {})
    store = Store(loaded.database)
    daemon.run(loaded, cast(Any, Standin()), store)
    store.close()
