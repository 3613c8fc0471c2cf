"""Hostile mails: shapes in any size, and what can be made of pieces by chance. All is made from a seed.

``shapes.txt`` has a mail a shape, as ``inbound.written`` reads it: in ``{x*n}`` stands x so often that it fills
the size, and ``№`` in it is counted up. ``pieces.txt`` has what chance takes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

from harness.tables import blocks, rows, unescape
from inbound.written import FRAMES, mail, written

from pbmstar import games
from pbmstar.command import GAME_VERBS, SERVER_VERBS

HERE = Path(__file__).parent
SHAPES = {block.title: block.frames[0][0] for block in blocks(HERE / "shapes.txt", FRAMES)}
MORE = "alice bob 17 -3 0 99999999999 F6 Z60 *30 F6#3 pass -- swap -size=8 -size= -maxi 11-10 a@b.example"
WORDS = [
    *sorted({word for game in games.GAMES for word in (game.word, *game.aliases)}),
    *sorted({word for verb in (*GAME_VERBS, *SERVER_VERBS) for word in verb.name.split()}),
    *MORE.split(),
]


def _pieces(title: str) -> list[bytes]:
    found = (piece for (piece,) in rows(HERE / "pieces.txt", title))
    return [piece.encode("utf-8", "surrogateescape") for piece in found]


BETWEEN, FIELDS, VALUES = map(_pieces, ("what is put between", "fields", "values"))
LINES, TYPES, HEADS, TEXTS = map(
    _pieces, ("lines", "types of parts", "headers of parts", "texts of parts")
)


def shaped(name: str, size: int) -> bytes:
    """Return the mail of that shape, about so many bytes long."""

    def filled(found: re.Match[str]) -> str:
        count = size // len(unescape(found[1]).encode("utf-8", "surrogateescape"))
        if "№" in found[1]:
            return "".join(found[1].replace("№", str(number)) for number in range(count))
        return f"{{{found[1]}*{count}}}"

    return written(re.sub(r"\{([^{}]+?)\*n\}", filled, SHAPES[name]))


def _odd(random: Random) -> bytes:
    """Return a mail of odd pieces, in its header and in its text."""
    head = [
        random.choice(FIELDS) + b": " + b"".join(random.choices(VALUES, k=random.randrange(7)))
        for _ in range(random.randrange(11))
    ]
    body = random.choices(LINES, k=random.randrange(31))
    return random.choice((b"\r\n", b"\n", b"\r", b" \n")).join([*head, b"", *body])


def parts(random: Random) -> bytes:
    """Return a mail of any structure of parts."""
    return b"From: a@b.example\n" + _part(random, 4)


def _part(random: Random, depth: int) -> bytes:
    kind, mark = random.choice(TYPES), random.choice((b"x", b"y", b"z"))
    start = b"Content-Type: " + kind + b"; boundary=" + mark + b"\n" + random.choice(HEADS) + b"\n"
    if not kind.startswith(b"multipart/"):
        return start + random.choice(TEXTS)
    inner = [_part(random, depth - 1) for _ in range(random.randrange(5) if depth else 0)]
    end = b"\n--" + mark + b"--\n" if random.random() < 0.5 else b""
    return start + b"".join(b"\n--" + mark + b"\n" + each for each in inner) + end


def chance(seed: int) -> bytes:
    """Return a mail by chance: words of the language, odd pieces, parts, or a shape, then spoilt."""
    random = Random(seed)
    kind = random.random()
    if kind < 0.02:
        return random.randbytes(random.randrange(4_000))
    if kind < 0.2:
        raw = _odd(random)
    elif kind < 0.3:
        raw = parts(random)
    elif kind < 0.6:
        lines = [
            " ".join(random.choices(WORDS, k=random.randrange(1, 9)))
            for _ in range(random.randrange(1, 30))
        ]
        subject = f"{random.choice(['', 'Re: ', 'multiple '])}{lines.pop()}"
        raw = mail("\n".join(lines), subject=subject)
    else:
        raw = shaped(random.choice(list(SHAPES)), random.randrange(1, 4000))
    for _ in range(random.choice((0, 1, 3, 10))):
        raw = _spoilt(raw, random)
    return raw


def _spoilt(raw: bytes, random: Random) -> bytes:
    place, length = random.randrange(len(raw) + 1), random.randrange(1, 40)
    kind = random.randrange(4)
    if kind == 0:  # something between
        return raw[:place] + random.choice(BETWEEN) * random.choice((1, 1, 30)) + raw[place:]
    if kind == 1:  # something missing
        return raw[:place] + raw[place + length :]
    if kind == 2:  # something twice
        return raw[: place + length] + raw[place:]
    spoilt = bytearray(raw)
    for at in range(place, min(place + 3, len(raw))):
        spoilt[at] = random.randrange(256)
    return bytes(spoilt)


def several(seed: int, count: int) -> Iterator[tuple[int, bytes]]:
    """Yield so many mails by chance, each with the seed that makes it again."""
    return ((number, chance(number)) for number in range(seed, seed + count))
