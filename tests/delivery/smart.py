"""What the tests of handing letters over share: the relay to a sink, and rules for that."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from harness.sink import Sink, Taken

from pbmstar.delivery.smtp import Patience, Smarthost
from pbmstar.machine.account import Account

TLS = Path(__file__).parent.parent / "tls.pem"


def smart(
    sink: Sink,
    step: float = 0.25,
    taken: float = 0.25,
    login: tuple[str, str] = ("", ""),
    scheme: str = "smtp",
    **more: Any,
) -> Smarthost:
    """The relay to a sink, with little patience."""
    account = Account(scheme, "127.0.0.1", sink.port, *login)
    return Smarthost(account, "pbm.example", patience=Patience(step, taken), **more)


def at(step: str, number: int, answer: str, times: int = 1):  # type: ignore[no-untyped-def]
    """A rule: this answer the ``number``-th time that it comes to this step, counted from 0."""

    def rule(now: str, count: int, _letter: Taken) -> str | None:
        return answer if now == step and number <= count < number + times else None

    return rule
