"""The syntax of the program's modules, each read once."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pbmstar

HOUSE = Path(pbmstar.__file__).parent


@cache
def tree(path: Path) -> ast.Module:
    """Return the syntax of a module."""
    return ast.parse(path.read_text())


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Return each node of a module."""
    return tuple(ast.walk(tree(path)))
