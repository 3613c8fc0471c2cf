"""A relay in a process of its own, so that its many small waits do not hold up the daemon's threads.

Letters go out and verdicts come back by the dozen, pickled, through two pipes. ``python -m
pbmstar.delivery.process`` is that process; it ends when its standard input does, or with the daemon.
"""

from __future__ import annotations

import fcntl
import gc
import itertools
import os
import pickle
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from typing import IO, Any

from .. import log
from ..config import Config
from ..store import Letter
from .configured import relay_of
from .relay import Relay, RelayDown, Verdict

CHUNK = 32  # letters that go out together
_NICE = 5  # letters and their pictures may wait; mails that come in may not
_GONE = "the relay's process has ended"


class Outside:
    """See ``Relay``. Nothing is started before it is opened."""

    def __init__(self, config: Config) -> None:
        """Raises BadInput for a relay that cannot be used."""
        relay_of(config)
        self._config = config
        self._process: subprocess.Popen[bytes] | None = None

    def open(self) -> None:
        """Start the process if it is not there, and open its relay. Raises RelayDown."""
        if self._process is not None and self._process.poll() is not None:
            self.close()
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "pbmstar.delivery.process"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            )
            self._ask(self._config)
        self._ask("open")

    def send(self, letters: Iterator[Letter]) -> Iterator[tuple[Letter, Verdict]]:
        """See ``Relay``. If the process dies, what it had in hand has to be sent again.

        The process has the next chunk when it is done with one: it need not wait for our threads.
        """
        in_hand: deque[list[Letter]] = deque()
        try:
            while True:
                while len(in_hand) < 2 and (chunk := list(itertools.islice(letters, CHUNK))):
                    in_hand.append(chunk)
                    self._say(chunk)
                if not in_hand:
                    return
                verdicts, down = self._answer()
                chunk = in_hand.popleft()
                yield from zip(chunk, verdicts, strict=False)
                if down is not None:
                    why, under_way = down
                    while in_hand:
                        self._answer()  # that nothing of it was tried
                        in_hand.popleft()
                    raise RelayDown(why, chunk[under_way] if under_way is not None else None)
        finally:
            if in_hand:  # we were broken off: its answers would be taken for others
                self.abort()
                self.close()

    def close(self) -> None:
        """End the process once it has taken leave of the relay."""
        process, self._process = self._process, None
        if process is None:
            return
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()
        process.wait()

    def abort(self) -> None:
        """Kill the process: what waits for it gets RelayDown."""
        if self._process is not None:
            self._process.kill()

    def _ask(self, what: object) -> Any:
        """Say something to the process; returns its answer. Raises RelayDown."""
        self._say(what)
        return self._answer()

    def _say(self, what: object) -> None:
        """Raises RelayDown."""
        if self._process is None or self._process.stdin is None:
            raise RelayDown(_GONE)
        try:
            _write(self._process.stdin, what)
        except (OSError, ValueError):
            raise RelayDown(_GONE) from None

    def _answer(self) -> Any:
        """The answer to what was said first and is not answered. Raises RelayDown."""
        if self._process is None or self._process.stdout is None:
            raise RelayDown(_GONE)
        try:
            answer = pickle.load(self._process.stdout)  # noqa: S301 - our own process wrote it
        except (OSError, ValueError, EOFError, pickle.UnpicklingError):
            raise RelayDown(_GONE) from None
        if isinstance(answer, str):
            raise RelayDown(answer)
        return answer


def _write(pipe: IO[bytes], what: object) -> None:
    pickle.dump(what, pipe, pickle.HIGHEST_PROTOCOL)
    pipe.flush()


# -- the process itself


def serve(commands: IO[bytes], answers: IO[bytes]) -> None:
    """Do what comes on ``commands`` until it ends; an answer that is a text says what is wrong."""
    config: Config = pickle.load(commands)  # noqa: S301 - the daemon wrote it
    relay = relay_of(config)
    lock = os.open(config.spool / "relay.lock", os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX)  # a daemon that was killed may have left one of us at work
    _write(answers, ())
    broken_off = False
    while True:
        try:
            what = pickle.load(commands)  # noqa: S301 - the daemon wrote it
        except EOFError:
            break
        if what == "open":
            answer = _opened(relay)
            broken_off = answer != ()
        elif broken_off:  # the relay went away with the chunk before
            answer = ([], None)
        else:
            answer = sent = _sent(relay, what)
            broken_off = sent[1] is not None
        _write(answers, answer)
    relay.close()


def _opened(relay: Relay) -> object:
    try:
        relay.open()
    except RelayDown as error:
        return str(error)
    return ()


def _sent(relay: Relay, letters: list[Letter]) -> tuple[list[Verdict], Any]:
    """The verdicts on the first letters, and why there are none on the others, if so."""
    verdicts: list[Verdict] = []
    place = {letter.id: i for i, letter in enumerate(letters)}
    try:
        for _, verdict in relay.send(iter(letters)):
            verdicts.append(verdict)
    except RelayDown as error:
        return verdicts, (str(error), place[error.letter.id] if error.letter else None)
    return verdicts, None


def main() -> None:
    """Serve the daemon that started us; it alone ends us, by ending the pipe."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    log.setup()
    os.nice(_NICE)
    gc.set_threshold(20_000, 20, 20)  # what letters leave behind is seldom a circle
    with suppress(BrokenPipeError):  # the daemon was killed: its next start sends again
        serve(sys.stdin.buffer, sys.stdout.buffer)


if __name__ == "__main__":
    main()
