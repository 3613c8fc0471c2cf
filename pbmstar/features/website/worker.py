"""The process that writes the pages that are due, again and again, alongside the mail.

``python -m pbmstar.features.website`` is that process. A thread of the daemon starts it, and starts it
again if it ends. It only reads the store, except that it writes alerts, and the one letter that tells
players of the site.
"""

from __future__ import annotations

import json
import logging
import pickle
import secrets
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from ...config import Config
from ...errors import TemporaryFailure
from ...identity import Passwords
from ...machine.child import child_of_ours
from ...machine.files import write_whole
from ...machine.times import Epoch, Seconds
from ...render.text import WIDTH
from ...service.admin import people
from ...service.admin.operator import note
from ...service.letters import alerts
from ...service.verbs import membership
from ...service.work.context import Context
from ...service.work.work import Work
from ...store import Store
from .folder import SiteFolder
from .publisher import Output, Progress, Publisher

PERIOD = 20.0  # seconds between two looks at the store ...
_SHARE = 20  # ... or so many times the processor time of a look, but
_LONGEST = 55.0  # not longer: a committed change is seen within a minute
_PAUSE = 10.0  # seconds until a process that has ended is started again
_STATE = "site.json"
ALERT = "site"

log = logging.getLogger("pbmstar")


class State(NamedTuple):
    """The last run: the time of its end, the number of pages due after it, the trouble that stopped it."""

    at: Epoch = 0.0
    due: int = 0
    trouble: str = ""


def state(spool: Path) -> State:
    """Return the state that the last run noted; an empty state if there was none."""
    with suppress(OSError, ValueError, TypeError):
        return State(**json.loads((spool / _STATE).read_text()))
    return State()


class ConfiguredSite:
    """The site of a configuration, written run by run."""

    def __init__(
        self, config: Config, store: Store, clock: Callable[[], Epoch] = time.time
    ) -> None:
        assert config.site is not None
        self._clock = clock
        self._config, self._store = config, store
        self._publisher = Publisher(config, store, SiteFolder(config.site.absolute()))
        passwords = Passwords(secrets.token_bytes(32))
        self._context = Context(config, clock, secrets.token_bytes, passwords)
        self._is_told = False
        self._told = set[int]()  # the damaged boards that the operator has been told of

    def run(self, rebuild: bool = False, progress: Progress = lambda done, due: None) -> Output:
        """Write the pages that are due.

        Raises TemporaryFailure, or OSError, of which the operator is told too.
        """
        try:
            self._tell()
            done = self._publisher.run(rebuild, progress)
        except OSError as error:
            trouble = f"{error.filename or self._config.site}: {error.strerror}"
            with self._store.transaction() as tx:
                alerts.tell(tx, self._config, self._clock(), ALERT, trouble)
            self._note(state(self._config.spool)._replace(due=self._due(), trouble=trouble))
            raise
        self._tell_of_damage()
        self._note(State(self._clock()))
        return done

    def _tell(self) -> None:
        """Tell older players that there is a site now, at the first run."""
        if not self._is_told:
            with self._store.transaction() as tx:
                tell_players(Work(self._context, tx, self._clock()))
            self._is_told = True

    def _tell_of_damage(self) -> None:
        """Tell the operator of the boards that were left out, once in the life of this process."""
        for number in sorted(self._publisher.damaged - self._told):
            with self._store.transaction() as tx:
                alerts.tell(tx, self._config, self._clock(), "board", f"board {number}")
        self._told |= self._publisher.damaged

    def _due(self) -> int:
        with suppress(OSError):
            return self._publisher.due()
        return 0

    def _note(self, now: State) -> None:
        with suppress(OSError):
            write_whole(self._config.spool / _STATE, json.dumps(now._asdict()).encode())


def print_on(config: Config, store: Store, period: Seconds) -> None:
    """Write the pages that are due, again and again, as long as this process lives."""
    house = ConfiguredSite(config, store)
    while True:
        begun = time.process_time()
        try:
            done = house.run()
            if any(done):
                log.info("site", extra={"facts": done._asdict()})
        except (TemporaryFailure, OSError) as error:
            log.warning("site", extra={"facts": {"trouble": str(error)}})
        except Exception:  # the edge of this process: a fault of ours must not end it
            log.exception("site")
        took = time.process_time() - begun
        time.sleep(min(max(period, _SHARE * took), max(period, _LONGEST)))


class SiteWorker:
    """The thread of the daemon that keeps the process alive."""

    def __init__(self, config: Config, period: Seconds = PERIOD) -> None:
        self._config = config
        self._ask = pickle.dumps((config, period))
        self._stopped = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._run, name="site", daemon=True)

    def start(self) -> None:
        """Start the thread, which starts the process."""
        self._thread.start()

    def wake(self) -> None:
        """Go on: the process looks at the store by itself."""

    def stop(self, patience: Seconds = 5.0) -> bool:
        """End the process at once; the next one goes on from there. Return False if it does not end."""
        self._stopped.set()
        if self._thread.ident is None:
            return True
        if (process := self._process) is not None:
            process.kill()
        self._thread.join(patience)
        return not self._thread.is_alive()

    def _run(self) -> None:
        while not self._stopped.is_set():
            self._process = subprocess.Popen(
                [sys.executable, "-m", __package__, child_of_ours()], stdin=subprocess.PIPE
            )
            if self._stopped.is_set():
                self._process.kill()
            pipe = self._process.stdin
            assert pipe is not None
            with suppress(OSError), pipe:
                pipe.write(self._ask)
            status = self._process.wait()
            if not self._stopped.is_set():
                log.error("site", extra={"facts": {"status": status}})
                self._stopped.wait(_PAUSE)

    def catch_up(self, store: Store) -> None:
        """Write the pages that are due. Raises TemporaryFailure, OSError."""
        ConfiguredSite(self._config, store).run()


_TOLD = "site told"  # the fact: the time when players were told about the site
_AN_HOUR = 500  # letters about the site


def tell_players(work: Work) -> None:
    """Tell players about the site once, if they are not shown there and want announcements.

    They are told when the site exists for the first time; another letter tells players who sign up later.
    """
    membership.is_shown(work, work.now)
    if work.tx.ledger.fact(_TOLD):
        return
    work.tx.ledger.set_fact(_TOLD, str(work.now))
    users = [
        user
        for user in work.tx.accounts.users()
        if user.state == "active" and user.news and not user.public
    ]
    url = work.context.config.site_url
    shown = (
        f"This server shows games on the web now{f', at {url}' if url else ''}: userids, moves, results "
        "and ratings, never an address or what you write."
    )
    people.write(
        work,
        users,
        "games on the web",
        f"{textwrap.fill(shown, WIDTH)}\n\nYours are not there. If you like them to be, reply to any\n"
        "other letter of ours with\n\n"
        "  public on\n\nA game is shown while both of its players have that on.",
        _AN_HOUR,
    )
    if users:
        note(work, f"announce the site: {len(users)} letters")
