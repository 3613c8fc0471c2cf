"""A child that plays at once: a legal stone, drawn by the seed. ``python quickbot.py`` speaks JSON lines.

``quickbot.py FILE`` keeps in that file what it was asked, a line each.
"""

from __future__ import annotations

import itertools
import json
import random
import sys
from pathlib import Path
from typing import Any

from pbmstar import games


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """One of the first hundred legal moves of stones."""
    position = games.load(request["game"], request["options"]).start()
    for move in request["moves"]:
        position = position.play(move)
    legal = (move for move in position.moves() if move not in ("pass", "swap"))
    return {"move": random.Random(request["seed"]).choice(list(itertools.islice(legal, 100)))}


if __name__ == "__main__":
    for line in sys.stdin:
        asked = json.loads(line)
        if sys.argv[1:]:
            with Path(sys.argv[1]).open("a") as file:
                file.write(line)
        print(json.dumps(answer(asked)), flush=True)
