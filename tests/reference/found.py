"""What the program's own text says: events of the log, reasons, codes of refusals, headers of letters."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import pbmstar

HOUSE = Path(pbmstar.__file__).parent
_LEVELS = {"info": "info", "warning": "warning", "error": "error", "exception": "error"}
_REFUSALS = re.compile(r"Refusal|BadInput|UsageError|IllegalMove|InvalidMove|BadOption|UnknownGame|BoardRefusal|NotYou|RefusedCommand|refused|_matched|_refuse|__init__|number_in")  # fmt: skip
_CODE = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_MADE = re.compile(r"[a-z-]+-\{[a-z.]+\}|\{[a-z.]+\}-[a-z-]+")  # of a word of the program


@cache
def trees() -> Mapping[Path, ast.Module]:
    """The modules of the program, without migrations."""
    return {
        path: ast.parse(path.read_text())
        for path in sorted(HOUSE.rglob("*.py"))
        if "migrations" not in path.parts
    }


@cache
def calls() -> Sequence[ast.Call]:
    """Every call."""
    return [
        node for tree in trees().values() for node in ast.walk(tree) if isinstance(node, ast.Call)
    ]


def name_of(function: ast.expr) -> str:
    """The last word of what is called."""
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def text_of(node: ast.expr, known: Mapping[str, ast.expr] = MappingProxyType({})) -> str:
    """A text of the program; what is put into it stands in braces, as far as it has a name.

    ``known``: the values of names.
    """
    match node:
        case ast.Name(id=name) if name in known:
            return text_of(known[name], {each: known[each] for each in known if each != name})
        case ast.Constant(value=str(value)):
            return value
        case ast.JoinedStr(values=parts):
            return "".join(text_of(each, known) for each in parts)
        case ast.FormattedValue(value=inner):
            return "{" + (name_of(inner) or "...") + "}"
        case ast.BinOp(left=left, right=right):
            return text_of(left, known) + text_of(right, known)
        case ast.Call(func=function, args=[first, *_]) if name_of(function) == "say":
            return text_of(first, known)
        case ast.Call(func=function, args=[_, many, *_]) if name_of(function) == "say_many":
            return text_of(many, known)
        case ast.Call(func=ast.Attribute(value=said, attr="given")):
            return text_of(said, known)
        case ast.Call(func=function, args=args) if name_of(function) == "together":
            return " ".join(filter(None, (text_of(each, known) for each in args)))
        case ast.IfExp(body=body):
            return text_of(body, known)
    return ""


class Logged(NamedTuple):
    """A call that writes a line of the log; its facts as far as they stand there."""

    event: str
    level: str
    facts: frozenset[str]


def logged() -> list[Logged]:
    """The calls that write lines of the log, with an event that stands there."""
    found = []
    for call in calls():
        if not isinstance(call.func, ast.Attribute) or call.func.attr not in _LEVELS:
            continue
        owner = ast.unparse(call.func.value)
        if owner != "log" and "getLogger('pbmstar')" not in owner:
            continue
        event = call.args[0]
        if isinstance(event, ast.Constant):
            facts = frozenset(_keys(call))
            found.append(Logged(str(event.value), _LEVELS[call.func.attr], facts))
    return found


def _keys(call: ast.Call) -> Iterator[str]:
    for keyword in call.keywords:
        if keyword.arg == "extra":
            for node in ast.walk(keyword.value):
                if isinstance(node, ast.Dict) and node is not keyword.value:
                    yield from (text_of(key) for key in node.keys if key is not None)


def outcomes() -> dict[str, set[str]]:
    """The outcomes of messages, each with the reasons that stand there."""
    found: dict[str, set[str]] = {}
    for call in calls():
        if name_of(call.func) != "Outcome" or not call.args:
            continue
        names = [call.args[0]]
        if isinstance(call.args[0], ast.IfExp):
            names = [call.args[0].body, call.args[0].orelse]
        for name in names:
            reasons = found.setdefault(text_of(name), set())
            if len(call.args) > 1 and isinstance(call.args[1], ast.Constant):
                reasons.add(call.args[1].value)
    return found


def automatic() -> set[str]:
    """The reasons for which a message is a program's, or gets no answer about an error."""
    tree = trees()[HOUSE / "inbound" / "nature.py"]
    found = set()
    for function in tree.body:
        if isinstance(function, ast.FunctionDef) and function.name in (
            "automatic",
            "looks",
            "quiet",
        ):
            for node in ast.walk(function):
                if isinstance(node, ast.Return) and isinstance(node.value, ast.Constant):
                    found.add(node.value.value)
    return {each for each in found if each}


def limits() -> set[str]:
    """The limits that a message can reach."""
    return {
        text_of(call.args[0]) for call in calls() if name_of(call.func) == "reached" and call.args
    } - {""}


def codes() -> dict[str, str]:
    """The codes of refusals, each with the first sentence that has it."""
    found: dict[str, str] = {}
    for tree in trees().values():
        nodes = list(ast.walk(tree))
        known = {
            target.id: node.value
            for node in nodes
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for call in (node for node in nodes if isinstance(node, ast.Call)):
            if not _REFUSALS.fullmatch(name_of(call.func)):
                continue
            given = (*call.args, *(each.value for each in call.keywords))
            texts = [text_of(each, known) for each in given]
            said = next((each for each in texts if " " in each), "")
            for at, text in enumerate(texts):
                is_first = at == 0 and name_of(call.func) != "refused"
                if not is_first and (_CODE.fullmatch(text) or _MADE.fullmatch(text)):
                    found[text] = found.get(text) or said
        for name in _named(tree):
            found.setdefault(name, "")
    return dict(sorted(found.items()))


def _named(tree: ast.Module) -> Iterator[str]:
    """Yield the codes that a module gives to a variable called code."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Assign):
            continue
        pairs = [(node.targets[0], node.value)]
        if isinstance(node.targets[0], ast.Tuple) and isinstance(node.value, ast.Tuple):
            pairs = list(zip(node.targets[0].elts, node.value.elts, strict=False))
        for target, value in pairs:
            text = text_of(value)
            if getattr(target, "id", "") == "code" and "-" in text and _CODE.fullmatch(text):
                yield text


def headers() -> set[str]:
    """The headers of our own that letters may have."""
    return {
        name
        for path in trees()
        for name in re.findall(r'"(X-Pbmstar-[A-Za-z-]+)"', path.read_text())
    }


def unreadable() -> set[str]:
    """Why a message cannot be read."""
    return {
        text_of(call.args[0])
        for call in calls()
        if name_of(call.func) == "Unreadable" and call.args
    } - {""}


def topics() -> set[str]:
    """The topics of letters about an account."""
    return {
        text_of(call.args[2])
        for call in calls()
        if name_of(call.func) == "tell_account" and len(call.args) > 2
    }
