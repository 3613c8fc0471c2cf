"""The rules are values and functions: no input or output, clock, chance or log, and no other module."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pbmstar.games

HOME = Path(pbmstar.games.__file__).parent
ALLOWED = {
    "__future__", "abc", "collections", "dataclasses", "functools", "itertools", "json", "math",
    "operator", "re", "string", "textwrap", "typing", "unicodedata",
}  # fmt: skip


def nodes() -> Iterator[tuple[Path, ast.AST]]:
    """Yield each node of the rules' syntax with its file."""
    for file in sorted(HOME.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            yield file, node


def test_imports_and_calls() -> None:
    for file, node in nodes():
        if isinstance(node, ast.Import):
            assert {alias.name.partition(".")[0] for alias in node.names} <= ALLOWED, file
        elif isinstance(node, ast.ImportFrom) and node.level:
            folder = file.parents[node.level - 1]
            assert folder.is_relative_to(HOME) or node.module == "errors", file
        elif isinstance(node, ast.ImportFrom):
            assert (node.module or "").partition(".")[0] in ALLOWED, file
        elif isinstance(node, ast.Name):
            assert node.id not in ("print", "open", "input", "exec", "eval", "globals"), file


def test_every_refusal_has_a_code() -> None:
    """Text and code, the code a word or a few joined by hyphens."""
    errors = ("BadInput", "BadOption", "IllegalMove", "InvalidMove", "UnknownGame")
    for file, node in nodes():
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in errors:
            assert len(node.args) == 2, (file, node.lineno)
            code = node.args[1]
            if isinstance(code, ast.Constant):
                assert re.fullmatch(r"[a-z]+(-[a-z]+)*", str(code.value)), file
