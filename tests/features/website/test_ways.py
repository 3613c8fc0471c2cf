"""The ways of stones in the address of the page to choose a move on, packed and unpacked."""

from __future__ import annotations

import zlib
from base64 import urlsafe_b64decode

from hypothesis import given
from hypothesis import strategies as st

from pbmstar.features.website.pages.fragment import deflated

CELLS = st.integers(0, 1000)


def inflated(text: str) -> dict[int, list[int]]:
    """Read the packed ways as the page does."""
    whole = zlib.decompress(urlsafe_b64decode(text + "=" * (-len(text) % 4)), -zlib.MAX_WBITS)
    ways: dict[int, list[int]] = {}
    origin = cell = -1
    goals = None
    for byte in whole:
        if byte == 0:
            cell, goals = origin, None
        elif byte == 255:
            cell += 254
        elif goals is None:
            origin = cell = cell + byte
            goals = ways[origin] = []
            cell = -1
        else:
            cell += byte
            goals.append(cell)
    return ways


@given(st.dictionaries(CELLS, st.sets(CELLS)))
def test_what_is_packed_is_unpacked(ways: dict[int, set[int]]) -> None:
    text = deflated(ways.items())
    assert inflated(text) == {cell: sorted(goals) for cell, goals in ways.items()}
    assert text.isascii() and text.replace("-", "").replace("_", "").isalnum()
