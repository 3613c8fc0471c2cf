"""The rules are values and functions: no input or output, clock, chance or log, and no other module."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import pbmstar.games

HOME = Path(pbmstar.games.__file__).parent
FILES = sorted(HOME.rglob("*.py"))
ALLOWED = {
    "__future__", "abc", "collections", "dataclasses", "functools", "itertools", "json", "math",
    "operator", "re", "string", "textwrap", "typing",
}  # fmt: skip


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(HOME)))
def test_imports_and_calls(file: Path) -> None:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            assert {alias.name.partition(".")[0] for alias in node.names} <= ALLOWED
        elif isinstance(node, ast.ImportFrom) and node.level:
            folder = file.parents[node.level - 1]
            assert folder.is_relative_to(HOME) or node.module == "errors"
        elif isinstance(node, ast.ImportFrom):
            assert (node.module or "").partition(".")[0] in ALLOWED
        elif isinstance(node, ast.Name):
            assert node.id not in ("print", "open", "input", "exec", "eval", "globals")


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(HOME)))
def test_every_refusal_has_a_code(file: Path) -> None:
    """Text and code, the code a word or a few joined by hyphens."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        if node.func.id in ("BadInput", "BadOption", "IllegalMove", "InvalidMove", "UnknownGame"):
            assert len(node.args) == 2, node.lineno
            code = node.args[1]
            if isinstance(code, ast.Constant):
                assert re.fullmatch(r"[a-z]+(-[a-z]+)*", str(code.value))
