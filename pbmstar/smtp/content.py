"""Collects the content of a mail, what follows DATA, however the network cuts it into pieces."""

from __future__ import annotations

_END = b"\r\n.\r\n"


class Content:
    """Takes bytes up to the one sequence that ends a mail: CRLF, dot, CRLF.

    Of a content that is too big only the last bytes are held, so that its end is still found.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._held = bytearray(b"\r\n")  # so that a first line of one dot is an end
        self.seen = 0  # bytes fed so far
        self.too_big = False

    def feed(self, data: bytes) -> bytes | None:
        """Take the next bytes; returns those behind the end, or None while the end has not come."""
        start = max(0, len(self._held) - len(_END) + 1)
        self._held += data
        self.seen += len(data)
        at = self._held.find(_END, start)
        if at >= 0:
            rest = bytes(self._held[at + len(_END) :])
            del self._held[at + 2 :]
            self.too_big = self.too_big or len(self._held) - 2 > self._size
            return rest
        if len(self._held) > self._size + len(_END):
            self.too_big = True
            del self._held[: 1 - len(_END)]
        return None

    def text(self) -> bytes:
        """The mail, without the dots that were put before dots at the beginning of a line."""
        return bytes(self._held).replace(b"\r\n.", b"\r\n")[2:]
