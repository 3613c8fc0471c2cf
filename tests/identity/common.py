"""Make the list of the most used passwords anew: ``python tests/identity/common.py FILE``, one a line, most used first.

Ours is from zxcvbn 4.5.0 (MIT license), whose lists come from Mark Burnett's collection of ten million leaked passwords,
which he gave to the public domain: ``zxcvbn.frequency_lists.FREQUENCY_LISTS["passwords"]``.
"""

from __future__ import annotations

import sys
from pathlib import Path

from pbmstar.grammar.literals import LEAST
from pbmstar.identity import passwords

MOST = 8_000


def common(words: list[str]) -> bytes:
    """What is kept of these words."""
    return b"".join(sorted({passwords.digest(word) for word in words[:MOST] if len(word) >= LEAST}))


if __name__ == "__main__":
    lines = Path(sys.argv[1]).read_text().split("\n")
    Path(passwords.__file__).with_name("common").write_bytes(common(lines))
