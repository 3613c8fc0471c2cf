"""The process that writes the site; see ``worker``."""

from __future__ import annotations

import os
import pickle
import signal
import sys
from contextlib import closing

from ...machine import log
from ...machine.child import end_with_parent
from ...store import Store
from .worker import print_on

_NICE = 10  # pages may wait; messages and letters may not


def main() -> None:
    """Write the site, again and again, until the daemon that started this process ends."""
    end_with_parent(sys.argv)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the daemon ends us last
    config, period = pickle.load(sys.stdin.buffer)  # noqa: S301 - the daemon wrote it
    log.setup(node=config.node)
    os.umask(0o077)
    os.nice(_NICE)
    with closing(Store(config.database)) as store:
        print_on(config, store, period)


if __name__ == "__main__":
    main()
