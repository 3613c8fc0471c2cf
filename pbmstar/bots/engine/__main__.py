"""The process that thinks: a JSON line in, a JSON line out, until its standard input ends.

``ask`` in a request is ``move``, the default, ``review`` (see the modules ``think`` and ``review``), or
``compile``: fill numba's cache. The module ``thinking.worker`` starts it without an environment. Its memory
is limited. With ``--idle`` it gives way to all other processes of the machine, with ``--gentle`` it takes
less than its share; ``--interpreted`` keeps numba out.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

from ... import games
from ...games.adjudicate import reading
from ...machine.child import end_with_parent

MEMORY = 1 << 30  # bytes of data: numba's compiler takes most of it, once
_NICE, _NICER = 19, 5


def main(words: list[str]) -> None:
    """Answer until the input or the asking process ends. Signals for the daemon do not end it."""
    end_with_parent(words)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # the asking process was killed: end silently
    if "--idle" in words:
        _give_way()
    elif "--gentle" in words:
        os.nice(_NICER)
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    if "--interpreted" in words:
        sys.modules["numba"] = None  # type: ignore[assignment]
    from .review import review  # noqa: PLC0415 - numba takes long to import, or must be kept out
    from .think import answer  # noqa: PLC0415

    def move(request: Mapping[str, Any]) -> dict[str, Any]:
        reply = answer(request)
        return {**reply, "score": _score_after(request, reply["move"])}

    def compile_all(_request: Mapping[str, Any]) -> dict[str, Any]:
        game = games.make("star", {"size": 4})
        answer({"game": game.word, "options": games.dump(game), "moves": [], "level": 1, "seed": 1})
        return {}

    asked: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
        "move": move,
        "review": review,
        "compile": compile_all,
    }
    for line in sys.stdin.buffer:
        try:
            request, begun = json.loads(line), time.process_time()
            reply = asked[request.get("ask", "move")](request)
            reply["seconds"] = round(time.process_time() - begun, 3)
        except Exception as error:  # the edge of this process: the asking one is told
            reply = {"error": f"{type(error).__name__}: {error}"}
        sys.stdout.write(f"{json.dumps(reply)}\n")
        sys.stdout.flush()


def _give_way() -> None:
    os.nice(_NICE)
    if hasattr(os, "SCHED_IDLE"):  # on Linux: niceness alone costs the server a quarter of its rate
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def _score_after(request: Mapping[str, Any], move: str) -> tuple[int, int] | None:
    """Return the score after a move if both answer in pairs; None if it cannot be read off."""
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
