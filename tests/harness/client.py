"""An SMTP client that speaks lines: a player's mail server, which can stop at any of them."""

from __future__ import annotations

import socket

from harness.server import PATIENCE

STEPS = ("greeting", "EHLO", "MAIL", "RCPT", "DATA", "content", "almost", "dot")


class Line:
    """A connection. Raises OSError when it is cut."""

    def __init__(self, port: int, to: str, source: str = "127.0.0.1") -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE, (source, 0))
        self._file = self.socket.makefile("rb")
        self._greeted = False
        self._to = to

    def __enter__(self) -> Line:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._file.close()
        self.socket.close()

    def hear(self) -> str:
        """The next reply."""
        lines = []
        while True:
            line = self._file.readline()
            if not line.endswith(b"\r\n"):
                raise ConnectionError("cut")
            lines.append(line.decode())
            if line[3:4] != b"-":
                return "".join(lines)

    def say(self, what: bytes) -> str:
        """Say a line, and hear the reply."""
        self.socket.sendall(what + b"\r\n")
        return self.hear()

    def envelope(self) -> str:
        """All up to the content; returns the reply to DATA, or the first that is a refusal."""
        steps = [] if self._greeted else ["", "EHLO player.example"]
        steps += ["MAIL FROM:<player@mta.example>", f"RCPT TO:<{self._to}>", "DATA"]
        for step in steps:
            reply = self.say(step.encode()) if step else self.hear()
            if reply[0] not in "23":
                return reply
        self._greeted = True
        return reply

    def mail(self, raw: bytes) -> str:
        """Send a mail; returns the last reply."""
        reply = self.envelope()
        return self.say(raw + b"\r\n.") if reply.startswith("354") else reply

    def go(self, raw: bytes, step: str) -> None:
        """A conversation up to and with this one of STEPS, whose reply is not waited for."""
        place = STEPS.index(step)
        if place == 0:
            return
        self.hear()
        lines = ["EHLO x.example", "MAIL FROM:<x@y.example>", f"RCPT TO:<{self._to}>", "DATA"]
        for what in lines[:place]:
            self.say(what.encode())
        if place > 4:
            end = {"content": raw[: len(raw) // 2], "almost": raw + b"\r\n.\r"}
            self.socket.sendall(end.get(step, raw + b"\r\n.\r\n"))


def send(port: int, raw: bytes, to: str) -> str:
    """Send one mail; returns the last reply."""
    with Line(port, to) as line:
        return line.mail(raw)
