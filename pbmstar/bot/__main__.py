"""The process that thinks: a JSON line in, a JSON line out, until its standard input ends.

``ask`` in a request says what for: a ``move``, which is the default, or a ``review``; see ``think`` and
``review``. It is for ``pbmstar.thinking``, which starts it without an environment. It gives way to all
else on the machine, and may take only so much memory. ``--interpreted`` keeps numba out.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
from collections.abc import Callable, Mapping
from typing import Any

from .. import games
from ..games.adjudicate import reading

MEMORY = 1 << 30  # bytes of data: numba's compiler takes most of it, once
_NICE = 19


def main(words: list[str]) -> None:
    """Answer until the input ends. A signal that is meant for the daemon does not end it."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # whoever asked was killed: end, and say nothing
    os.nice(_NICE)
    if hasattr(os, "SCHED_IDLE"):  # on Linux: niceness alone costs the server a quarter of its rate
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    if "--interpreted" in words:
        sys.modules["numba"] = None  # type: ignore[assignment]
    from .review import review
    from .think import answer

    def move(request: Mapping[str, Any]) -> dict[str, Any]:
        reply = answer(request)
        return {**reply, "score": _score_after(request, reply["move"])}

    asked: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
        "move": move,
        "review": review,
    }
    for line in sys.stdin.buffer:
        try:
            request = json.loads(line)
            reply = asked[request.get("ask", "move")](request)
        except Exception as error:  # the edge of this process: whoever asked is to know
            reply = {"error": f"{type(error).__name__}: {error}"}
        sys.stdout.write(f"{json.dumps(reply)}\n")
        sys.stdout.flush()


def _score_after(request: Mapping[str, Any], move: str) -> tuple[int, int] | None:
    """The score that stands after a move if both answer in pairs, where that can be read off."""
    game = games.load(request["game"], request["options"])
    position = game.start()
    for each in (*request["moves"], move):
        position = position.play(each)
    if position.over or not game.has_points:
        return None
    read = reading(game, position.stones, game.bounds(position.stones))
    return read.points if read else None


if __name__ == "__main__":
    main(sys.argv[1:])
