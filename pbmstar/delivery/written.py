"""A relay that letters are written for on their way: what the outbox holds is a recipe."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator

import jinja2

from ..render import Recipe, Renderer
from ..store import Letter
from .relay import Relay, Verdict


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
        drawn: deque[Verdict | None] = deque()  # on the letters drawn: None if they were written
        failed: deque[Letter] = deque()
        undrawn: set[int] = set()

        def written() -> Iterator[Letter]:
            for letter in letters:
                content, trouble = self._content(letter)
                drawn.append(Verdict("later", trouble) if trouble else None)
                if trouble:
                    failed.append(letter)
                else:
                    if self._renderer.undrawn:
                        undrawn.add(letter.id)
                    yield letter._replace(content=content)

        def unwritten() -> Iterator[tuple[Letter, Verdict]]:
            while drawn and drawn[0] is not None:
                yield failed.popleft(), drawn[0]
                drawn.popleft()

        for letter, verdict in self._relay.send(written()):
            yield from unwritten()
            drawn.popleft()
            yield letter, verdict._replace(undrawn=letter.id in undrawn)
        yield from unwritten()

    def _content(self, letter: Letter) -> tuple[bytes, str]:
        """The mail; or why it cannot be written, in words for the operator."""
        try:
            content = letter.content
            if content.startswith(b"{"):  # else a mail, passed on as it came
                content = self._renderer.write(Recipe.from_bytes(content))
            return self._sign(content) if self._sign else content, ""
        except Exception as error:  # a fault, ours or of a site's template: the others go on
            return b"", f"cannot be written: {_reason(error)}"


def _reason(error: Exception) -> str:
    """What is wrong, without texts of the letter: for a template its name and line."""
    if isinstance(error, jinja2.TemplateNotFound):  # its own text lists our directories
        return f"there is no template {error.name}"
    if isinstance(error, jinja2.TemplateSyntaxError):
        return f"{error.name}, line {error.lineno}: {error.message}"
    if isinstance(error, jinja2.TemplateError):
        return f"{type(error).__name__}: {error.message}"
    return type(error).__name__
