"""A relay in processes of its own, so that its many small waits do not delay the daemon's threads.

Letters go out by the dozen and verdicts come back at once, pickled, through a pipe of both directions.
``python -m pbmstar.delivery.process`` is such a process. It ends with that pipe, with the daemon, or when
one letter takes longer than LONGEST.
"""

from __future__ import annotations

import fcntl
import gc
import itertools
import os
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, Pipe, wait
from typing import Any, Literal

from ..config import Config
from ..machine import log
from ..machine.child import child_of_ours, end_with_parent
from ..machine.times import Monotonic
from .configured import relay_of
from .relay import Letter, Relay, RelayDown, Verdict

CHUNK = 16  # letters that go out together
_FULL = 2 * CHUNK  # letters of one process: with a chunk in advance it waits for no thread of ours
# Seconds of letters without such a pause, after which another process is started: that costs as much as some
# hundred letters.
RUSH = 1.0
LASTS = 30.0  # seconds without a rush after which it is ended
# Processors that the daemon uses itself, and the processes, above which only the first one gets letters: mail
# is coming in, and all of them together would do less. A process that waits for a slow relay uses less.
BUSY, BOUND = max(0.5, len(os.sched_getaffinity(0)) - 1.5), 0.5
LOOK = 0.2  # seconds between two looks at that
_RUN = 8  # letters in a row that go to one process: the two about a board share its picture and its words
LONGEST = (
    300  # seconds for one letter, or for a connection; each step of a relay's patience is shorter
)
_SOON = 0.1  # seconds for which a verdict waits for others, to come back with them
_NICE = (
    5  # of letters to strangers: they may wait; on a busy machine they would otherwise delay others
)
_SPARE = 10  # ... of all processes but the first: mail that comes in goes before a backlog
_HUNG = (
    10.0  # seconds between two letters after which the daemon must say if the others are still ours
)
_FAREWELL = 5.0  # seconds to close the relay
_GONE = "the relay's process has ended"


class LetterWriters:
    """A relay that is one process, or several, each with a connection of its own. See ``Relay``.

    ``open`` starts the first. ``send`` starts another one if all have their hands full for a while; it ends
    when they had them full no more. It gets letters only while the daemon leaves it a processor. While a
    process has a letter to a reader, it gets all others to that reader: so they keep their order.
    """

    def __init__(self, config: Config, lane: int = 0) -> None:
        """Make it; each lane of letters has one. Raises BadInput for a relay that cannot be used."""
        relay_of(config)
        self._config, self._lane = config, lane
        self._most = self._at_most()  # processes; fewer if the relay takes no more connections
        self._writers: list[_Writer] = []
        self._lock = -1  # its descriptor
        # By the monotonic clock: the letters without a pause, and when all hands were full.
        self._begun = self._ended = self._rushed = -LASTS
        self._looked, self._spent, self._is_busy = time.monotonic(), (0.0, 0.0), False

    def open(self) -> None:
        """Start the first process if necessary, and open its relay. Raises RelayDown.

        The calling thread must live as long as the processes, see ``child``.
        """
        ended = [each for each in self._writers if not each.is_alive]
        # The others are nicer than the first.
        self._end(self._writers if self._writers[:1] == ended[:1] else ended)
        for each in self._writers:
            if each.state == "open":
                each.state = "closed"  # a connection that was not used for a while may be gone
        if time.monotonic() - self._rushed > LASTS:
            self._end(self._writers[1:])
        first = self._writers[0] if self._writers else self._start()
        if first.state == "closed":
            first.open()
        first.opened()

    def send(self, letters: Iterator[Letter]) -> Iterator[tuple[Letter, Verdict]]:
        """See ``Relay``. If a process dies, the letters that it had in hand must be sent again.

        If one loses its relay, the others end what they have in hand before this is raised.
        """
        down: RelayDown | None = None
        if time.monotonic() - self._ended > RUSH:
            self._begun = time.monotonic()
        try:
            while True:
                if down is None:
                    self._deal(letters)
                if not any(each.letters for each in self._writers):
                    break
                for writer in _ready(
                    [each for each in self._writers if each.letters or each.is_opening]
                ):
                    if writer.is_opening:
                        self._opened(writer)
                        continue
                    verdicts, trouble = writer.judged()
                    yield from verdicts
                    down = down or trouble
                for each in self._writers if down else ():
                    each.keep_to_chunks()
            if down is not None:
                raise down
        finally:
            self._ended = time.monotonic()
            if any(each.letters for each in self._writers):  # we were interrupted: the answers
                self.abort()  # would be taken for others
                self.close()

    def close(self) -> None:
        """End the processes after they have closed the relay."""
        self._end(self._writers)
        lock, self._lock = self._lock, -1
        if lock >= 0:
            os.close(lock)
        self._most = self._at_most()

    def abort(self) -> None:
        """Kill the processes; a thread that waits for them gets RelayDown."""
        for each in list(self._writers):
            each.kill()

    def _at_most(self) -> int:
        return 1 if self._lane else self._config.delivery_processes

    def _deal(self, letters: Iterator[Letter]) -> None:
        """Give letters to processes until all have their hands full; start another one if that lasts."""
        able = [each for each in self._writers if each.state != "starting"]
        is_alone = self._leaves_no_processor()
        taking = able[:1] if is_alone else able
        having = {each.address: writer for writer in able for each in writer.letters}
        while any(len(each.letters) < _FULL for each in taking):
            if (letter := next(letters, None)) is None:
                break
            writer = having.get(letter.address) or min(taking, key=_runs)
            having[letter.address] = writer
            writer.letters.append(letter)
            if len(writer.letters) > _FULL:
                break  # of its reader: more of them would only wait there
        is_full = all(len(each.letters) >= _FULL for each in taking)
        for each in able:
            each.hand_out()
        now = time.monotonic()
        if is_full and not is_alone and now - self._begun >= RUSH:
            self._rushed = now
            if len(able) == len(self._writers) < self._most:
                self._begun = now
                self._start()

    def _leaves_no_processor(self) -> bool:
        """Return True if the daemon, this process, and the others need the processors themselves.

        All of ours count: once another one has letters, the first alone uses less than it needs.
        """
        now, before = time.monotonic(), self._spent
        if (since := now - self._looked) >= LOOK:
            theirs = sum(each.spent for each in self._writers)
            self._looked, self._spent = now, (time.process_time(), theirs)
            ours, theirs = (b - a for a, b in zip(before, self._spent, strict=True))
            self._is_busy = ours > BUSY * since and theirs > BOUND * since
        return self._is_busy

    def _start(self) -> _Writer:
        if self._lock < 0:
            name = f"relay{self._lane or ''}.lock"
            self._lock = os.open(self._config.spool / name, os.O_RDWR | os.O_CREAT, 0o600)
        nice = _SPARE if self._writers else _NICE if self._lane else 0
        writer = _Writer(self._config, self._lock, nice)
        writer.open()
        writer.state = "starting"
        self._writers.append(writer)
        return writer

    def _opened(self, writer: _Writer) -> None:
        """Note that a process has opened its relay; if it cannot, the first one sends its letters."""
        try:
            writer.opened()
        except RelayDown:
            self._end([writer])
            self._most = len(self._writers)
            self._writers[0].letters += writer.letters

    def _end(self, writers: list[_Writer]) -> None:
        ended = list(writers)
        self._writers = [each for each in self._writers if each not in ended]
        for each in ended:
            each.line.close()
        for each in ended:
            each.wait()


def _ready(writers: Sequence[_Writer]) -> Sequence[_Writer]:
    """Wait until one of them has an answer, and return those that have; a single one may not have it yet."""
    if len(writers) == 1:  # to read its answer waits too, and costs less
        return writers
    by_line: dict[object, _Writer] = {each.line: each for each in writers}
    return [by_line[line] for line in wait([each.line for each in writers])]


def _runs(writer: _Writer) -> int:
    """Return how many runs of letters it has."""
    return len(writer.letters) // _RUN


class _Writer:
    """A process of the relay, and the letters that it must send.

    line     the pipe to it
    state    of its connection, as far as it has told; one that is starting gets no letters yet
    letters  those without a verdict, in order
    chunks   how many of them it has in hand, by the chunk
    spent    seconds of processor time that it has used, as far as it has told
    """

    def __init__(self, config: Config, lock: int, nice: int) -> None:
        """Start it, as nice as that. It takes the lock, which all processes of a lane share."""
        self.state: Literal["starting", "closed", "opening", "open"] = "closed"
        self.letters: deque[Letter] = deque()
        self.chunks: deque[int] = deque()
        self.spent = 0.0
        self.line, theirs = Pipe()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "pbmstar.delivery.process", child_of_ours()],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                pass_fds=[lock],
            )
        self._say((config, lock, nice))

    @property
    def is_alive(self) -> bool:
        """Return True if the process has not ended."""
        return self._process.poll() is None

    @property
    def is_opening(self) -> bool:
        """Return True if its next answer tells whether its relay is open."""
        return self.state in ("starting", "opening")

    def open(self) -> None:
        """Ask it to open its relay; ``opened`` must follow."""
        self.state = "opening"
        self._say("open")

    def opened(self) -> None:
        """Wait until its relay is open. Raises RelayDown."""
        self.state = "closed"
        self._answer()
        self.state = "open"

    def hand_out(self) -> None:
        """Give it the next letters, unless it has its hands full; first it must be open."""
        if self.state == "closed" and self.letters:
            self.open()
        while self.state == "open" and len(self.chunks) < 2:
            begin = sum(self.chunks)
            chunk = list(itertools.islice(self.letters, begin, begin + CHUNK))
            if not chunk:
                return
            self.chunks.append(len(chunk))
            self._say((time.monotonic(), chunk))

    def keep_to_chunks(self) -> None:
        """Forget the letters that it was not given."""
        while len(self.letters) > sum(self.chunks):
            self.letters.pop()

    def judged(self) -> tuple[list[tuple[Letter, Verdict]], RelayDown | None]:
        """Return the next verdicts, and the trouble if it can go on no more: then it has no more letters."""
        try:
            verdicts, down, self.spent = self._answer()
        except RelayDown as error:
            error.letter = self.letters[0]  # it may have arrived nevertheless
            self.letters.clear()
            self.chunks.clear()
            return [], error
        judged = [(self.letters.popleft(), verdict) for verdict in verdicts]
        self.chunks[0] -= len(judged)
        if down is None:
            if not self.chunks[0]:
                self.chunks.popleft()
            return judged, None
        why, under_way = down
        trouble = RelayDown(why, None if under_way is None else self.letters[under_way])
        self.chunks.popleft()
        with suppress(RelayDown):  # it is down already
            for _ in self.chunks:
                self._answer()  # an empty one: no letter of this chunk was tried
        self.letters.clear()
        self.chunks.clear()
        return judged, trouble

    def kill(self) -> None:
        """Kill it. Any thread may call this."""
        self._process.kill()

    def wait(self) -> None:
        """Wait until it has closed its relay and ended, after its pipe was closed; but not for long."""
        try:
            self._process.wait(_FAREWELL)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _say(self, what: object) -> None:
        """Send an object to the process; if it has ended, the next answer says so."""
        with suppress(OSError):
            self.line.send(what)

    def _answer(self) -> Any:
        """Return the next answer. Raises RelayDown."""
        try:
            answer = self.line.recv()
        except (OSError, EOFError):
            self.kill()
            self._process.wait()
            raise RelayDown(_GONE) from None
        if isinstance(answer, str):
            raise RelayDown(answer)
        return answer


# -- the process itself


def serve(line: Connection) -> None:
    """Carry out the commands on the line until they end; an answer that is a text tells a trouble."""
    config, lock, nice = line.recv()
    os.nice(nice)
    relay = relay_of(config)
    fcntl.flock(lock, fcntl.LOCK_EX)  # a killed daemon may have left such processes at work
    broken_off, ended = False, 0.0
    while True:
        signal.alarm(0)
        try:
            what = line.recv()
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
            line.send(answer)
        elif broken_off:  # the relay went away with the chunk before
            line.send(([], None, time.process_time()))
        else:
            begun, letters = what
            broken_off = hand_over(relay, letters, max(begun, ended), line.send)
            ended = time.monotonic()
    signal.alarm(LONGEST)
    relay.close()


def hand_over(
    relay: Relay, letters: list[Letter], begun: Monotonic, answer: Callable[[object], object]
) -> bool:
    """Send letters and answer with their verdicts, in order, and the processor time used so far.

    Return True if the relay went away.

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
                answer((verdicts, None, time.process_time()))
                verdicts, since = [], time.monotonic()
    except RelayDown as error:
        place = waiting.index(error.letter.id) if error.letter else None
        answer((verdicts, (str(error), place), time.process_time()))
        return True
    why = ("the relay or its process hung", None) if waiting else None
    answer((verdicts, why, time.process_time()))
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
    with suppress(ConnectionError):  # the daemon was killed: its next start sends again
        serve(Connection(sys.stdin.fileno()))


if __name__ == "__main__":
    main()
