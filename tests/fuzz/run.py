"""Hostile mails for long: ``python tests/fuzz/run.py [--count 1000000] [--seed N] [--only N | FILE]``.

A mail that something undeclared comes of, or that takes too long, is written to ``found/`` beside this
file, from where the tests read it ever after. Exit status 1 if there was one.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from hashlib import sha256
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from fuzz.corpus import chance, several
from fuzz.target import meet

from pbmstar.machine import log


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--only", type=int, help="the mail of one seed, and its traceback")
    parser.add_argument("file", nargs="?", type=Path, help="a mail, and its traceback")
    given = parser.parse_args()
    if given.file or given.only is not None:
        meet(given.file.read_bytes() if given.file else chance(given.only))
        return 0
    log.setup()  # as the daemon does: the libraries have much to say on such mails
    failed, begun, folder = 0, time.monotonic(), Path(__file__).parent / "found"
    for number, raw in several(given.seed, given.count):
        try:
            meet(raw)
        except Exception:
            failed += 1
            folder.mkdir(exist_ok=True)
            (folder / f"{sha256(raw).hexdigest()[:16]}.eml").write_bytes(raw)
            print(f"seed {number}: {traceback.format_exc()}")
        done = number - given.seed + 1
        if done % 10_000 == 0:
            print(f"{done} mails, {failed} failed, {done / (time.monotonic() - begun):.0f}/s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
