"""What a relay answers, step by step."""

from __future__ import annotations

from collections.abc import Callable

from harness.sink import Taken


class Plan:
    """Rules of a sink that come one after the other: at the n-th of a step an answer, or an act, once."""

    def __init__(self, *steps: tuple[str, int, str | Callable[[Taken], str | None]]) -> None:
        self._steps, self._seen = list(steps), 0

    def add(self, step: str, number: int, answer: str | Callable[[Taken], str | None]) -> None:
        """At the ``number``-th ``step`` from now on, if nothing else is to come first."""
        self._steps.append((step, number, answer))

    @property
    def done(self) -> bool:
        """Whether all have come."""
        return not self._steps

    def rule(self, step: str, _number: int, letter: Taken) -> str | None:
        """See Sink."""
        if not self._steps or step != self._steps[0][0]:
            return None
        self._seen += 1
        if self._seen < self._steps[0][1]:
            return None
        answer, self._seen = self._steps[0][2], 0
        reply = answer(letter) if callable(answer) else answer
        del self._steps[0]
        return reply
