"""The law of messages: what a player is told is a value, which can be told in any language."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pbmstar

HOUSE = Path(pbmstar.__file__).parent
TOLD = ("games", "match", "command", "service", "features")
# What operators read, who have English.
FOR_OPERATORS = {"admin", "cli.py", "alerts.py", "context.py", "sgf.py"}
# The place of the sentence among what each is given.
REFUSALS = dict.fromkeys(
    (
        "Refusal",
        "BadInput",
        "BoardRefusal",
        "IllegalMove",
        "InvalidMove",
        "BadOption",
        "UsageError",
    ),
    0,
) | {"RefusedCommand": 1}
MODULES = sorted(
    path
    for folder in TOLD
    for path in (HOUSE / folder).rglob("*.py")
    if not FOR_OPERATORS & set(path.relative_to(HOUSE).parts)
)


def texts(tree: ast.Module) -> Iterator[str]:
    """Yield refusals whose sentence is a text, and messages that are put together before they are told."""
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call):
            continue
        name = getattr(call.func, "id", "")
        if name in REFUSALS:
            said = call.args[REFUSALS[name] :][:1]
            yield from (ast.unparse(each) for each in said if _is_sentence(each))
        if name in ("say", "say_many"):
            yield from (ast.unparse(each) for each in call.args[:2] if not _is_whole(each))


def _is_sentence(node: ast.expr) -> bool:
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and " " in node.value
    return isinstance(node, ast.JoinedStr) and any(
        isinstance(part, ast.Constant) and " " in part.value for part in node.values
    )


def _is_whole(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant | ast.Name | ast.Attribute)


def test_a_message_is_a_value() -> None:
    found = {
        str(path.relative_to(HOUSE)): list(texts(ast.parse(path.read_text()))) for path in MODULES
    }
    assert not {path: each for path, each in found.items() if each}


def test_a_text_would_be_found() -> None:
    code = (
        'Refusal(f"There is no {name}.", "no-name")\nsay(f"{name} is gone.")\nsay(text, name=name)'
    )
    assert len(list(texts(ast.parse(code)))) == 2
