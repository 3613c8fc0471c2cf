"""Sentences in templates, which are translated when a template is compiled: a letter pays nothing for them.

``{% trans %}It is {{ board.to_move }}'s turn.{% endtrans %}`` is the sentence ``It is {to_move}'s turn.`` in
the catalogs. A value is a name, or a path that ends with the value's name; any other expression gets
its name in the tag: ``{% trans size=cells | length %}``. Line ends mean a blank. One that counts names a
``count``, and has two forms: ``{% trans count=days %}one day{% pluralize %}{{ count }} days{% endtrans %}``.

Within an expression it is ``_("Welcome, {userid}!", userid=name)``, or with two forms and a count
``_("one day", "{count} days", count=days)``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from string import Formatter
from typing import NamedTuple, TypeGuard

from jinja2 import nodes
from jinja2.ext import Extension
from jinja2.parser import Parser
from jinja2.visitor import NodeTransformer

from .translator import Translator

_BLOCK, _CALL = "trans", "_"  # a sentence in the text of a template, and in an expression
COUNTED = "counted"  # the filter that a sentence with two forms becomes, ``Translator.tell_many``
_LINE_END = re.compile(r"\s*\n\s*")
_OF_SCRIPT = re.compile(r"(?<![.\w])say\('((?:[^'\\]|\\.)*)'")


class Message(NamedTuple):
    """A sentence of a template: its line there, its text, and that for other counts than 1, or empty."""

    line: int
    text: str
    plural: str


class Trans(Extension):
    """The tag ``trans``, as a call for ``Folding``."""

    tags = {_BLOCK}  # noqa: RUF012 - as its base has it

    def parse(self, parser: Parser) -> nodes.Node:
        """Return the call. Raises TemplateSyntaxError for a tag within it, or a value without a name."""
        line = next(parser.stream).lineno
        values: dict[str, nodes.Expr] = {}
        while parser.stream.current.type != "block_end":
            if values:
                parser.stream.expect("comma")
            name = parser.stream.expect("name").value
            parser.stream.expect("assign")
            values[name] = parser.parse_expression()
        body = parser.parse_statements(("name:pluralize", "name:endtrans"))
        texts = [_text(body, values, parser, line)]
        if next(parser.stream).value == "pluralize":
            body = parser.parse_statements(("name:endtrans",), drop_needle=True)
            texts.append(_text(body, values, parser, line))
        constants: list[nodes.Expr] = [nodes.Const(each) for each in texts]
        given = [nodes.Keyword(name, value) for name, value in values.items()]
        call = nodes.Call(nodes.Name(_BLOCK, "load"), constants, given, None, None)
        return nodes.Output([call]).set_lineno(line)


def _text(body: list[nodes.Node], values: dict[str, nodes.Expr], parser: Parser, line: int) -> str:
    """Return a sentence, and add the values that stand in it to those that have a name."""
    text = ""
    for node in body:
        if not isinstance(node, nodes.Output):
            parser.fail("a sentence holds texts and values only", line)
        for each in node.nodes:
            if isinstance(each, nodes.TemplateData):
                text += each.data.replace("{", "{{").replace("}", "}}")
                continue
            if not isinstance(each, nodes.Name | nodes.Getattr):
                parser.fail("this value of a sentence needs a name", line)
            name = each.name if isinstance(each, nodes.Name) else each.attr
            is_given = isinstance(each, nodes.Name) and name in values
            if not is_given and values.setdefault(name, each) != each:
                parser.fail(f"two values of a sentence have the name {name}", line)
            text += f"{{{name}}}"
    return _LINE_END.sub(" ", text.strip())


def messages(tree: nodes.Template) -> Iterator[Message]:
    """Yield the sentences of a template that was parsed and not folded yet."""
    for call in tree.find_all(nodes.Call):
        if _is_sentence(call):
            texts = [each.as_const() for each in call.args]
            yield Message(call.lineno, texts[0], texts[1] if len(texts) > 1 else "")


def _is_sentence(node: nodes.Node) -> TypeGuard[nodes.Call]:
    names = (_BLOCK, _CALL)
    return isinstance(node, nodes.Call) and getattr(node.node, "name", "") in names


def of_script(script: str) -> Iterator[str]:
    """Yield the sentences of a script of web pages: ``say('Choose {count} cells.', {count: 2})``."""
    for text in _OF_SCRIPT.findall(script):
        yield text.replace("\\'", "'")


def in_language(script: str, translator: Translator) -> str:
    """Return a script of web pages with its sentences in a language."""

    def told(found: re.Match[str]) -> str:
        (english,) = of_script(found[0])
        return f"say({json.dumps(translator.text(english), ensure_ascii=False)}"

    return script if translator.is_english else _OF_SCRIPT.sub(told, script)


class Folding(NodeTransformer):
    """It translates the sentences of a template into one language, before the template is compiled."""

    def __init__(self, translator: Translator) -> None:
        self._translator = translator

    def visit_Output(self, node: nodes.Output) -> nodes.Output:  # noqa: N802
        folded: list[nodes.Expr] = []
        for each in node.nodes:
            if _is_sentence(each) and len(each.args) == 1:
                folded += self._parts(each, nodes.TemplateData if _is_block(each) else nodes.Const)
            else:
                folded.append(self.visit(each))
        node.nodes = folded
        return node

    def visit_Call(self, node: nodes.Call) -> nodes.Node:  # noqa: N802
        if not _is_sentence(node):
            return self.generic_visit(node)
        if len(node.args) == 1:
            return nodes.Concat(self._parts(node, nodes.Const))
        one, many = (nodes.MarkSafeIfAutoescape(t) if _is_block(node) else t for t in node.args)
        values = [nodes.Keyword(each.key, self.visit(each.value)) for each in node.kwargs]
        return nodes.Filter(one, COUNTED, [many], values, None, None)

    def _parts(
        self, call: nodes.Call, text: type[nodes.TemplateData | nodes.Const]
    ) -> list[nodes.Expr]:
        """Return a sentence as texts and values; in English if its translation names other values."""
        values = {each.key: self.visit(each.value) for each in call.kwargs}
        english = call.args[0].as_const()
        try:
            return list(_pieces(self._translator.text(english), values, text))
        except (ValueError, KeyError):
            return list(_pieces(english, values, text))


def _is_block(call: nodes.Call) -> bool:
    return isinstance(call.node, nodes.Name) and call.node.name == _BLOCK


def _pieces(
    pattern: str, values: Mapping[str, nodes.Expr], text: type[nodes.TemplateData | nodes.Const]
) -> Iterator[nodes.Expr]:
    for literal, name, *_ in Formatter().parse(pattern):
        if literal:
            yield text(literal)
        if name is not None:
            yield values[name]
