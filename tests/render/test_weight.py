"""What a letter weighs: many readers pay for each kilobyte, or wait for it."""

from __future__ import annotations

import pytest
from bench.letters import WEIGHED, weigh
from harness.positions import match_of

from pbmstar.render.letters import Renderer
from pbmstar.render.recipe import Recipe, packed

MOST = {"Star 6": 52_000, "Star 14": 80_000, "*Star 10": 97_000}
LONGEST = 254  # characters of an address
DOOR = {"refusals": [], "topic": "", "example": "", "points": {}, "first": "", "is_known": False}
KINDS = {
    "board": {},
    "door": {**DOOR, "name": "sixteencharsname", "sent_with": "signup sixteencharsname"},
}


def _domain(length: int) -> str:
    """Return a domain of so many characters."""
    return ("a." * length + "example")[-length:].replace(".", "b", 1)


@pytest.mark.parametrize("name", WEIGHED)
def test_the_letter_to_the_player_who_moves_next_is_light(name: str) -> None:
    assert weigh(*WEIGHED[name]) < MOST[name.partition(",")[0]]


@pytest.mark.parametrize("plain", [False, True], ids=["detail", "plain"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("word", ["star", "*star", "y", "hex"])
def test_no_line_is_too_long_for_mail(word: str, kind: str, plain: bool) -> None:
    """Each link to a cell has the address, which may be long, and what stands behind it."""
    match = match_of(word, {}, 2)
    detail = "r" + 45 * "1"
    domain = _domain(LONGEST - len("star@" if plain else f"star+{detail}@"))
    heads = {"From": f"star@{domain}", "To": "a@a.example", "Reply-To": f"star+{detail}@{domain}"}
    facts, reader = KINDS[kind], match.to_move
    letter = Recipe(kind, heads, 0.0, "5e71a1", facts, packed(match), reader, pictures=True)
    raw = Renderer(None, f"star@{domain}", plain=plain).write(letter)
    assert raw.count(b"mailto:") > 50 and max(map(len, raw.split(b"\n"))) <= 998
