"""The rules are values and functions: no input or output, clock, chance or log, and no other module."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import pbmstar.games

FILES = sorted(Path(pbmstar.games.__file__).parent.glob("*.py"))
ALLOWED = {
    "__future__", "collections", "dataclasses", "functools", "itertools", "json", "math", "re", "string",
    "textwrap", "typing",
}  # fmt: skip


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_imports_and_calls(file: Path) -> None:
    siblings = {other.stem for other in FILES} | {"errors", None}
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            assert {alias.name.partition(".")[0] for alias in node.names} <= ALLOWED
        elif isinstance(node, ast.ImportFrom):
            module = (node.module or "").partition(".")[0]
            assert module in (siblings | {""} if node.level else ALLOWED)
            assert node.level < 2 or node.module == "errors"
        elif isinstance(node, ast.Name):
            assert node.id not in ("print", "open", "input", "exec", "eval", "globals")
