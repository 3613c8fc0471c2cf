"""What a peer may do, and the counting of connections. Pure: the time is an argument."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from ..inbound import gate

# A peer on this machine may be a mail server that relays for everybody, so what is counted by address
# does not bind it, except the number of connections open at once.
LOOPBACK = frozenset(("127.0.0.1", "::1"))
_COMMANDS = {"*": 20, "MAIL": 200, "RCPT": 4000, "DATA": 200, "RSET": 200}


@dataclass(frozen=True)
class Limits:
    """What a peer may do. ``None``: as much as it likes. Sizes in bytes, times in seconds."""

    size: int = gate.MAIL
    discarded: int = 16 * gate.MAIL  # of a mail that is too big, read only to say so at its end
    recipients: int = 10
    peers: int | None = 100  # connections
    peers_of_one: int | None = 10  # ... from one address
    fresh: int | None = 30  # ... from one address, begun within a minute
    mails: int | None = 100  # on one connection
    commands: dict[str, int] | None = None  # on one connection, by verb; * stands for any other
    idle: float = 300.0  # until the next command
    content: float = 300.0  # from DATA to the end of the content
    session: float | None = 3600.0

    @classmethod
    def of(cls, on: bool) -> Limits:
        """Those that the configuration key ``limits`` stands for."""
        if on:
            return cls(commands=_COMMANDS)
        return cls(peers=None, peers_of_one=None, fresh=None, mails=None, session=None)


class Connections:
    """Counts connections by the peer's address, those that are open and those begun in a minute."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._open: Counter[str] = Counter()
        self._begun: Counter[str] = Counter()  # in this minute
        self._minute = 0.0

    def enter(self, peer: str, now: float) -> bool:
        """Count a new connection; whether there is room for it. If so, ``leave`` must follow.

        ``now`` is in seconds of any clock that never goes back.
        """
        total, each = self._limits.peers, self._limits.peers_of_one
        if (
            self._is_rush(peer, now)
            or (total is not None and self._open.total() >= total)
            or (each is not None and self._open[peer] >= each)
        ):
            return False
        self._open[peer] += 1
        return True

    def _is_rush(self, peer: str, now: float) -> bool:
        if self._limits.fresh is None or peer in LOOPBACK:
            return False
        if now // 60 != self._minute:
            self._minute, self._begun = now // 60, Counter()
        self._begun[peer] += 1
        return self._begun[peer] > self._limits.fresh

    def leave(self, peer: str) -> None:
        """A connection that there was room for has ended."""
        self._open[peer] -= 1
        if not self._open[peer]:
            del self._open[peer]
