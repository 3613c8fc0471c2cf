"""Each reason for which a mail is refused has its sentence in ``pbmstar admin explain``."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from syntax import HOUSE, nodes

from pbmstar import errors
from pbmstar.cli.listings import REASONS, reason

_FILES = [
    file
    for room in ("command", "contest", "features", "games", "match", "service")
    for file in sorted((HOUSE / room).rglob("*.py"))
]
# What only the operator's commands say.
_BY_HAND = ["operating", "explain", "interruptions", "people", "moving", "operator", "probing"]
_ERRORS = {
    name for name, value in vars(errors).items()
    if isinstance(value, type) and issubclass(value, errors.Refusal)
}  # fmt: skip


def _name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _given(call: ast.Call, of_refusals: bool) -> ast.expr | None:
    """The expression of the code in a call that gives one."""
    name = _name(call)
    if name in _ERRORS | {"BoardRefusal"} or (name == "__init__" and of_refusals):
        return call.args[1] if len(call.args) > 1 else None
    if name == "_matched":
        return call.args[3]
    if name == "number_in":
        return call.args[2] if len(call.args) > 2 else None
    if name == "RefusedCommand":
        return call.args[2] if len(call.args) > 2 else None
    if name == "append" and ast.unparse(call.func).endswith(".codes.append"):
        return call.args[0]
    return None


def _codes(file: Path) -> Iterator[str]:
    """The codes of a module: where one is given, and what is assigned to ``code``."""
    refusals = [
        each for each in nodes(file)
        if isinstance(each, ast.ClassDef) and any(getattr(b, "id", "") in _ERRORS for b in each.bases)
    ]  # fmt: skip
    of_refusals = {id(node) for each in refusals for node in ast.walk(each)}
    for node in nodes(file):
        if isinstance(node, ast.Call) and (given := _given(node, id(node) in of_refusals)):
            if isinstance(given, ast.JoinedStr):
                yield ast.unparse(given)[2:-1]
            else:
                yield from _texts(given)
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple):
            for names in node.targets:
                if isinstance(names, ast.Tuple):
                    for name, value in zip(names.elts, node.value.elts, strict=False):
                        if getattr(name, "id", "") == "code":
                            yield from _texts(value)


def _texts(given: ast.expr) -> Iterator[str]:
    """The constant texts that an expression may be."""
    if isinstance(given, ast.Constant) and isinstance(given.value, str):
        yield given.value
    elif isinstance(given, ast.IfExp):
        yield from (*_texts(given.body), *_texts(given.orelse))


def test_each_reason_has_its_sentence() -> None:
    found = {code for file in _FILES if file.stem not in _BY_HAND for code in _codes(file)}
    assert {"not-you", "unknown-token", "in-the-way", "too-many-errors"} <= found
    assert {code for code in found if not reason(code)} == set()
    said = {"missing" if code.startswith("missing-") else code for code in found}
    assert set(REASONS) - said == set(), "no sentence for what is never said"


def test_a_sentence_is_one() -> None:
    for text in REASONS.values():
        assert text[0].isupper() and text.endswith(".") and text.count(". ") == 0


def test_a_reason_of_an_earlier_version_has_none() -> None:
    assert reason("of-before") == ""
