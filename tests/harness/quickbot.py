"""A child that plays at once: a legal stone, drawn by the seed.

``quickbot.py FOLDER`` speaks JSON lines as ``pbmstar.bots.engine`` does. It keeps in FOLDER/asked what it was
asked, in FOLDER/words the other words of its command, and does with its next request what the first word in FOLDER/ills says, which it takes out:
``die``, ``hang``, ``slow``, ``babble``, ``cheat`` or ``pass``; ``well`` is nothing. ``slow`` takes longer
than another daemon needs to find the same turn.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import sys
import time
from pathlib import Path
from typing import Any

from pbmstar import games

SLOW = 4.0  # seconds: twice as long as a daemon waits before it looks for turns that others brought


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """One of the first hundred legal moves of stones."""
    position = games.load(request["game"], request["options"]).start()
    for move in request["moves"]:
        position = position.play(move)
    legal = (move for move in position.moves() if move not in ("pass", "swap"))
    return {"move": random.Random(request["seed"]).choice(list(itertools.islice(legal, 100)))}


def review(request: dict[str, Any]) -> dict[str, Any]:
    """What a review says of a game that turned with its third move."""
    count = len(request["moves"])
    chances = [0.5, 0.55, 0.6, *[0.2] * (count - 4), 0.0, 0.0]
    turn = {"number": 3, "cost": 0.4, "better": "B1", "line": ["B1", "C2"]}
    return {
        "chances": chances,
        "proved": count - 1,
        "leads": 3,
        "turn": turn,
        "dear": [{**turn, "number": 4, "cost": 0.1}],
        "margins": [0.4, -1.2] * (count // 2 - 1) + [0.4, None, None],
    }


def ill(folder: Path) -> str:
    """What is wrong this time."""
    file = folder / "ills"
    first, *rest = file.read_text().split() if file.exists() else ["well"]
    if rest or first != "well":
        left = folder / f"ills.{os.getpid()}"  # another process of ours may read them now
        left.write_text(" ".join(rest or ["well"]))
        left.replace(file)
    return first


def speak(folder: Path) -> None:
    """Answer until the input ends."""
    with (folder / "words").open("a") as file:
        file.write(f"{' '.join(sys.argv[2:])}\n")
    for line in sys.stdin:
        request = json.loads(line)
        if request.get("ask") == "compile":  # there is nothing to compile here
            print("{}", flush=True)
            continue
        with (folder / "asked").open("a") as file:
            file.write(line)
        trouble = ill(folder)
        if trouble == "die":
            os._exit(9)
        if trouble in ("hang", "slow"):
            time.sleep(60 if trouble == "hang" else SLOW)
        reply = answer(request)
        if trouble == "cheat":
            reply = {"move": request["moves"][0]}
        if trouble == "pass":
            reply = {"move": "pass"}
        print("[]" if trouble == "babble" else json.dumps(reply), flush=True)


if __name__ == "__main__":
    speak(Path(sys.argv[1]))
