"""A relay that writes letters on their way: the outbox holds recipes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import NamedTuple

import jinja2

from ..render import Recipe, Renderer
from ..store import Letter
from .relay import Relay, Verdict


class _InTransit(NamedTuple):
    """A letter on its way. ``trouble``: why it cannot be written; ``undrawn``: it goes without a picture."""

    letter: Letter
    trouble: str
    undrawn: bool


class Written:
    """Writes each letter, signs it if there is a key, and hands it to ``relay``; see ``Relay``.

    A letter that cannot be written waits, with the reason, and holds up no other.
    """

    def __init__(
        self, relay: Relay, renderer: Renderer, sign: Callable[[bytes], bytes] | None = None
    ) -> None:
        self._relay, self._renderer, self._sign = relay, renderer, sign
        self.open, self.close, self.abort = relay.open, relay.close, relay.abort

    def send(self, letters: Iterator[Letter]) -> Iterator[tuple[Letter, Verdict]]:
        """See ``Relay``."""
        drawn: deque[_InTransit] = deque()  # without a verdict, in order

        def written() -> Iterator[Letter]:
            for letter in letters:
                content, trouble = self._content(letter)
                drawn.append(_InTransit(letter, trouble, self._renderer.undrawn))
                if not trouble:
                    yield letter._replace(content=content)

        def unwritten() -> Iterator[tuple[Letter, Verdict]]:
            while drawn and drawn[0].trouble:
                letter, trouble, _ = drawn.popleft()
                yield letter, Verdict("later", trouble)

        for letter, verdict in self._relay.send(written()):
            yield from unwritten()
            yield letter, verdict._replace(undrawn=drawn.popleft().undrawn)
        yield from unwritten()

    def _content(self, letter: Letter) -> tuple[bytes, str]:
        """Return the mail, or the reason that it cannot be written, in words for the operator."""
        try:
            content = letter.content
            if content.startswith(b"{"):  # else a mail, passed on as it came
                content = self._renderer.write(Recipe.from_bytes(content))
            return self._sign(content) if self._sign else content, ""
        except Exception as error:  # a fault, ours or of a site's template: the others go on
            return b"", f"cannot be written: {_reason(error)}"


def _reason(error: Exception) -> str:
    """Return the error without texts of the letter: for a template its name and line."""
    if isinstance(error, jinja2.TemplateNotFound):  # its own text lists our directories
        return f"there is no template {error.name}"
    if isinstance(error, jinja2.TemplateSyntaxError):
        return f"{error.name}, line {error.lineno}: {error.message}"
    if isinstance(error, jinja2.TemplateError):
        return f"{type(error).__name__}: {error.message}"
    return type(error).__name__
