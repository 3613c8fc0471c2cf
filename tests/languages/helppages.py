"""Help pages in other languages: each follows an English page, and its first line says which text of it."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import pbmstar

HELP = Path(pbmstar.__file__).parents[1] / "help"
_MARK = re.compile(r"\{# (\w+\.txt) ([0-9a-f]{6}) #\}\n")


class Translated(NamedTuple):
    """A page ``help/<language>/<topic>.txt``; ``follows`` names the text of the English page."""

    path: Path
    topic: str
    follows: str

    @property
    def is_stale(self) -> bool:
        """The English page has changed since."""
        return self.follows != mark((HELP / self.topic).read_text("utf-8"))


def mark(text: str) -> str:
    """Return what stands for the text of an English page in the pages that follow it."""
    return sha256(text.encode()).hexdigest()[:6]


def translated() -> list[Translated]:
    """Return all pages in other languages. Raises ValueError for one without its mark."""
    pages = []
    for path in sorted(HELP.glob("*/*.txt")):
        found = _MARK.match(path.read_text("utf-8"))
        if not found:
            raise ValueError(f"{path}: the first line is not like {{# star.txt 3f2a91 #}}")
        pages.append(Translated(path, found[1], found[2]))
    return pages
