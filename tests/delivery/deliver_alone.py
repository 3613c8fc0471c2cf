"""One pass over an outbox in a process of its own: SPOOL DATABASE RELAY."""

from __future__ import annotations

import sys

from pbmstar import config
from pbmstar.delivery.once import deliver_once
from pbmstar.store import Store

if __name__ == "__main__":
    spool, database, relay = sys.argv[1:]
    loaded = config.load({"spool": spool, "database": database, "relay": relay}, {})
    store = Store(loaded.database)
    print(deliver_once(loaded, store, lambda _tx, _letter: None))
    store.close()
