"""Templates compiled once for all processes of the tests: else each environment compiles them anew.

The folder goes with the run: what is compiled depends on the filters too, and nothing in it names them.
"""

from __future__ import annotations

import os
from contextlib import suppress

import jinja2
from jinja2.bccache import Bucket

FOLDER = "COMPILED_TEMPLATES"  # the variable that names it


class _Cache(jinja2.FileSystemBytecodeCache):
    def dump_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):  # the disk that a test has filled
            super().dump_bytecode(bucket)


def share_templates() -> None:
    """Let all environments of Jinja in this process take and leave their templates there, if it is named."""
    if folder := os.environ.get(FOLDER):
        cache = _Cache(folder)
        kept = property(lambda _: cache, lambda *_: None)
        jinja2.Environment.bytecode_cache = kept  # type: ignore[assignment, method-assign]
