"""A relay in a process of its own, so that its many small waits do not delay the daemon's threads.

Letters go out by the dozen and verdicts come back at once, pickled, through two pipes.
``python -m pbmstar.delivery.process`` is that process. It ends with its standard input, with the
daemon, or when one letter takes longer than LONGEST.
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
import time
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from typing import IO, Any

from ..config import Config
from ..machine import log
from ..machine.child import child_of_ours, end_with_parent
from ..machine.times import Monotonic
from .configured import relay_of
from .relay import Letter, Relay, RelayDown, Verdict

CHUNK = 16  # letters that go out together
LONGEST = (
    300  # seconds for one letter, or for a connection; each step of a relay's patience is shorter
)
_SOON = 0.1  # seconds for which a verdict waits for others, to come back with them
_NICE = (
    5  # of letters to strangers: they may wait; on a busy machine they would otherwise delay others
)
_HUNG = (
    10.0  # seconds between two letters after which the daemon must say if the others are still ours
)
_FAREWELL = 5.0  # seconds to close the relay
_GONE = "the relay's process has ended"


class LetterWriters:
    """A relay in another process, which ``open`` starts. See ``Relay``."""

    def __init__(self, config: Config, lane: int = 0) -> None:
        """Make it; each lane of letters has one. Raises BadInput for a relay that cannot be used."""
        relay_of(config)
        self._config, self._lane = config, lane
        self._process: subprocess.Popen[bytes] | None = None

    def open(self) -> None:
        """Start the process if necessary, and open its relay. Raises RelayDown.

        The calling thread must live as long as the process, see ``child``.
        """
        if self._process is not None and self._process.poll() is not None:
            self.close()
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "pbmstar.delivery.process", child_of_ours()],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            )
            self._ask((self._config, self._lane))
        self._ask("open")

    def send(self, letters: Iterator[Letter]) -> Iterator[tuple[Letter, Verdict]]:
        """See ``Relay``. If the process dies, the letters that it had in hand must be sent again.

        The process gets one chunk in advance: so it need not wait for our threads.
        """
        in_hand: deque[list[Letter]] = deque()
        try:
            while True:
                while len(in_hand) < 2 and (chunk := list(itertools.islice(letters, CHUNK))):
                    in_hand.append(chunk)
                    self._say((time.monotonic(), chunk))
                if not in_hand:
                    return
                chunk = in_hand[0]
                verdicts, down = self._verdicts(chunk[0])
                known, in_hand[0] = chunk[: len(verdicts)], chunk[len(verdicts) :]
                yield from zip(known, verdicts, strict=True)
                if down is not None:
                    why, under_way = down
                    rest = in_hand.popleft()
                    while in_hand:
                        self._answer()  # an empty one: no letter of this chunk was tried
                        in_hand.popleft()
                    raise RelayDown(why, None if under_way is None else rest[under_way])
                if not in_hand[0]:
                    in_hand.popleft()
        finally:
            if in_hand:  # we were interrupted: its answers would be taken for others
                self.abort()
                self.close()

    def _verdicts(self, following: Letter) -> Any:
        """Return the next answer on a chunk. Raises RelayDown about the letter under way."""
        try:
            return self._answer()
        except RelayDown as error:
            error.letter = following  # it may have arrived nevertheless
            raise

    def close(self) -> None:
        """End the process after it has closed the relay."""
        process, self._process = self._process, None
        if process is None:
            return
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()
        try:
            process.wait(_FAREWELL)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def abort(self) -> None:
        """Kill the process; a thread that waits for it gets RelayDown."""
        if self._process is not None:
            self._process.kill()

    def _ask(self, what: object) -> Any:
        """Send an object to the process; return its answer. Raises RelayDown."""
        self._say(what)
        return self._answer()

    def _say(self, what: object) -> None:
        """Send an object to the process. Raises RelayDown."""
        if self._process is None or self._process.stdin is None:
            raise RelayDown(_GONE)
        try:
            _write(self._process.stdin, what)
        except (OSError, ValueError):
            raise RelayDown(_GONE) from None

    def _answer(self) -> Any:
        """Return the next answer. Raises RelayDown."""
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
    """Carry out ``commands`` until they end; an answer that is a text tells a trouble."""
    config, lane = pickle.load(commands)  # noqa: S301 - the daemon wrote it
    if lane:
        os.nice(_NICE)
    relay = relay_of(config)
    name = f"relay{lane or ''}.lock"
    lock = os.open(config.spool / name, os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX)  # a killed daemon may have left such a process at work
    _write(answers, ())
    broken_off, ended = False, 0.0
    while True:
        signal.alarm(0)
        try:
            what = pickle.load(commands)  # noqa: S301 - the daemon wrote it
        except EOFError:
            break
        signal.alarm(LONGEST)  # it ends this process, even if that waits
        if what == "open":
            answer: object = ()
            try:
                relay.open()
            except RelayDown as error:
                answer = str(error)
            broken_off = answer != ()
            _write(answers, answer)
        elif broken_off:  # the relay went away with the chunk before
            _write(answers, ([], None))
        else:
            begun, letters = what
            broken_off = hand_over(relay, letters, max(begun, ended), answers)
            ended = time.monotonic()
    signal.alarm(LONGEST)
    relay.close()


def hand_over(relay: Relay, letters: list[Letter], begun: Monotonic, answers: IO[bytes]) -> bool:
    """Send letters and answer with their verdicts, in order. Return True if the relay went away.

    ``begun``: the monotonic time since which they could be sent.

    The last answer then has the reason, and the place of the letter under way among the letters without a
    verdict.
    """
    verdicts: list[Verdict] = []
    waiting, since = [letter.id for letter in letters], time.monotonic()
    try:
        for letter, verdict in relay.send(_in_time(letters, begun)):
            signal.alarm(LONGEST)
            verdicts.append(verdict)
            waiting.remove(letter.id)
            if waiting and time.monotonic() - since >= _SOON:
                _write(answers, (verdicts, None))
                verdicts, since = [], time.monotonic()
    except RelayDown as error:
        place = waiting.index(error.letter.id) if error.letter else None
        _write(answers, (verdicts, (str(error), place)))
        return True
    why = ("the relay or its process hung", None) if waiting else None
    _write(answers, (verdicts, why))
    return bool(waiting)


def _in_time(letters: list[Letter], last: Monotonic) -> Iterator[Letter]:
    """Yield the letters until one comes too long after the ``last``.

    This process may have been stopped meanwhile, with the daemon: then other nodes have sent the rest.
    """
    for letter in letters:
        now = time.monotonic()
        if now - last > _HUNG:
            return
        last = now
        yield letter


def main() -> None:
    """Serve the daemon that started us until it closes the pipe, or ends."""
    end_with_parent(sys.argv)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    log.setup()
    gc.set_threshold(20_000, 20, 20)  # letters seldom leave cycles behind
    with suppress(BrokenPipeError):  # the daemon was killed: its next start sends again
        serve(sys.stdin.buffer, sys.stdout.buffer)


if __name__ == "__main__":
    main()
