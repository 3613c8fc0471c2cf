"""Hand letters to a mail server: one connection for many letters, pipelined if the server allows it.

A letter counts as taken only after the reply to its final dot. So a cut line can double a letter but never
lose one.
"""

from __future__ import annotations

import re
import select
import smtplib
import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

from ..errors import TemporaryFailure
from ..machine.account import Account
from ..machine.times import Seconds
from .relay import FULL, SENT, Letter, RelayDown, Verdict

# Refusals after which we connect again: after ten, Postfix delays each answer by a second.
REFUSALS = 8
IDLE = 60.0  # a connection unused for this time is not trusted any more

# A dot that begins a line. Looking for the dot first is four times as fast, because dots are rarer than
# line ends.
_FIRST_DOT = re.compile(rb"\.(?<![^\n]\.)")
_QUEUED = re.compile(rb"queued as ([A-Za-z0-9-]{5,40})")  # as Postfix and others answer


class Patience(NamedTuple):
    """Seconds that a server may take.

    step   to answer a command
    taken  to answer the final dot, when it scans and stores the letter. RFC 5321 wants ten minutes, because
           giving up early doubles the letter. But process.LONGEST ends a try after five minutes.
    """

    step: float = 30.0
    taken: Seconds = 120.0


PATIENCE = Patience()


class Smarthost:
    """A mail server that takes our letters. See ``Relay``.

    account  its host and port; with a user we sign in, only under TLS. By ``smtps`` TLS comes first
    tls      the context of TLS, which we then demand; it checks the server's certificate
    auth     how we sign in, see ``Config.auth``
    """

    def __init__(
        self,
        account: Account,
        hostname: str,
        tls: ssl.SSLContext | None = None,
        auth: str = "password",
        patience: Patience = PATIENCE,
    ) -> None:
        self.account, self.host, self._hostname = account, account.host, hostname
        self.tls, self._auth, self._patience = tls, auth, patience
        self._smtp: smtplib.SMTP | None = None
        self._pipelining = self._eight_bit = False
        self._used = 0.0
        self._refusals = 0  # on this connection

    # -- the connection

    def open(self) -> None:
        """Connect and greet, unless the last connection can still be used. Raises RelayDown.

        A refusal before the first letter is the server's fault or ours, and no letter's.
        """
        if self._smtp is not None:
            if self._is_quiet(self._smtp):
                return
            self.close()
        self._refusals = 0
        try:
            self._smtp = self._connect()
            self._used = time.monotonic()
        except (OSError, smtplib.SMTPException, ValueError) as error:
            raise self._down(_trouble(error)) from error
        except RelayDown:
            raise
        except TemporaryFailure as error:  # of the password command
            raise RelayDown(f"relay {self.host}: {error}") from None

    def _down(self, why: str) -> RelayDown:
        """Return the error for the relay's words; they may say that it takes no more letters for now."""
        return RelayDown(f"relay {self.host}{f' {FULL}' if is_full(why) else ''}: {why}")

    def _connect(self) -> smtplib.SMTP:
        secret = self.account.secret() if self.account.user else ""
        where = (self.host, self.account.port, self._hostname)
        smtp: smtplib.SMTP
        if is_implicit := self.account.scheme == "smtps":
            smtp = smtplib.SMTP_SSL(*where, timeout=self._patience.step, context=self.tls)
        else:
            smtp = smtplib.SMTP(*where, self._patience.step)
        try:
            smtp.ehlo_or_helo_if_needed()
            if self.tls is not None and not is_implicit:
                smtp.starttls(context=self.tls)
                smtp.ehlo_or_helo_if_needed()
            if self.account.user:
                self._sign_in(smtp, secret)
        except BaseException:
            smtp.close()
            raise
        self._pipelining = smtp.has_extn("pipelining")
        self._eight_bit = smtp.has_extn("8bitmime")
        return smtp

    def _sign_in(self, smtp: smtplib.SMTP, secret: str) -> None:
        user = self.account.user
        if self._auth == "xoauth2":
            token = f"user={user}\1auth=Bearer {secret}\1\1"
            smtp.auth("XOAUTH2", lambda challenge=None: "" if challenge else token)
        else:
            smtp.login(user, secret)

    def _is_quiet(self, smtp: smtplib.SMTP) -> bool:
        """Return True if the connection may be used again. A server that speaks unasked says farewell."""
        if smtp.sock is None or time.monotonic() - self._used > IDLE:
            return False
        poll = select.poll()
        poll.register(smtp.sock, select.POLLIN)
        return not poll.poll(0)

    def close(self) -> None:
        """Send QUIT and close the connection."""
        smtp, self._smtp = self._smtp, None
        if smtp is not None:
            with suppress(OSError, smtplib.SMTPException):  # it may be gone already
                if smtp.sock is not None:
                    smtp.sock.settimeout(2.0)
                    smtp.quit()
            smtp.close()

    def abort(self) -> None:
        """Cut the line; a thread that waits for an answer gets an error."""
        smtp = self._smtp
        sock = smtp.sock if smtp is not None else None
        if sock is not None:
            with suppress(OSError):  # it may be cut already
                sock.shutdown(socket.SHUT_RDWR)

    # -- letters

    def send(self, letters: Iterator[Letter]) -> Iterator[tuple[Letter, Verdict]]:
        """See ``Relay``. The next letter's envelope goes out right after a letter's content.

        The letter after that is drawn, which writes it, while the server takes the content.
        """
        letter = next(letters, None)
        finished = False
        reset = False  # True if a failed transaction is still open at the server
        try:
            if letter is not None:
                self._write(self._begin(letter))
            following = next(letters, None)
            while letter is not None:
                coming, ahead = None, b""
                verdict = self._envelope(letter, reset)
                reset = verdict is not None
                self._refusals += reset
                if verdict is None:
                    if self._pipelining and following is not None:
                        ahead = self._begin(following)
                    self._write(on_the_wire(letter.content) + ahead)
                    coming = next(letters, None)
                    verdict = self._judge(*self._reply(self._patience.taken))
                yield letter, verdict
                letter, following = following, coming or next(letters, None)
                if reset and self._refusals >= REFUSALS:
                    self.close()
                    reset = False
                if letter is not None and not ahead:
                    if self._smtp is None:
                        self.open()
                    self._write((b"RSET\r\n" if reset else b"") + self._begin(letter))
            if reset:
                self._write(b"RSET\r\n")
                self._reply()
            finished = True
        except (OSError, smtplib.SMTPException) as error:
            raise RelayDown(f"relay {self.host}: {_trouble(error)}", letter) from error
        except RelayDown as error:
            error.letter = None if error.is_full else letter
            raise
        finally:
            self._used = time.monotonic()
            if not finished and self._smtp is not None:
                self._smtp.close()
                self._smtp = None

    def _begin(self, letter: Letter) -> bytes:
        """Return the beginning of a letter's transaction: with pipelining it is the whole envelope."""
        commands = self._commands(letter)
        return b"".join(commands) if self._pipelining else commands[0]

    def _commands(self, letter: Letter) -> tuple[bytes, bytes, bytes]:
        body = " BODY=8BITMIME" if self._eight_bit and not letter.content.isascii() else ""
        return (
            f"MAIL FROM:<{letter.sender}>{body}\r\n".encode("ascii"),
            f"RCPT TO:<{letter.address}>\r\n".encode("ascii"),
            b"DATA\r\n",
        )

    def _envelope(self, letter: Letter, reset: bool) -> Verdict | None:
        """Read the replies to a letter's envelope; return None if the server now awaits the content.

        Otherwise return the verdict.
        """
        if reset:
            self._reply()
        refused: Verdict | None = None
        code = 0
        for step, command in enumerate(self._commands(letter)):
            if step and not self._pipelining:
                self._write(command)
            code, text = self._reply()
            if code == 354 if step == 2 else 200 <= code < 300:
                continue
            if refused is None:
                if step == 0 and code in (530, 538):  # it wants us to log in, or TLS first
                    raise RelayDown(f"relay {self.host}: {_one_line(code, text)}")
                refused = self._judge(code, text, accepted=False, recipient=step == 1)
            if not self._pipelining:
                break
        if refused is not None and code == 354:
            self._write(b".\r\n")  # it awaits a content nevertheless
            self._reply(self._patience.taken)
        return refused

    def _judge(
        self, code: int, text: bytes, accepted: bool = True, recipient: bool = False
    ) -> Verdict:
        """Return the verdict of a reply on a letter. Raises RelayDown for a reply that is not a verdict."""
        if accepted and 200 <= code < 300:
            queued = _QUEUED.search(text)
            return SENT._replace(why=queued[1].decode()) if queued else SENT
        if 400 <= code < 600 and is_full(_one_line(code, text)):
            raise self._down(_one_line(code, text))
        if 400 <= code < 500:
            return Verdict("later", _one_line(code, text), recipient)
        if 500 <= code < 600:
            return Verdict("dead", _one_line(code, text), recipient)
        raise RelayDown(f"relay {self.host}: out of step: {_one_line(code, text)}")

    def _write(self, data: bytes) -> None:
        if self._smtp is None:
            raise smtplib.SMTPServerDisconnected("not connected")
        self._smtp.send(data)

    def _reply(self, patience: Seconds | None = None) -> tuple[int, bytes]:
        """Return the next reply. Raises RelayDown for 421, which is always a farewell."""
        smtp = self._smtp
        if smtp is None or smtp.sock is None:
            raise smtplib.SMTPServerDisconnected("not connected")
        if patience is None:
            code, text = smtp.getreply()
        else:
            smtp.sock.settimeout(patience)
            code, text = smtp.getreply()
            smtp.sock.settimeout(self._patience.step)
        if code == 421:
            raise self._down(_one_line(code, text))
        return code, text


# What providers say when an account has sent too much. Addresses (x.1.x) and mailboxes (x.2.x) are a
# recipient's, unless the words say that the limit is ours; an overlong connection is opened again.
_WHOSE = "(?:daily|hourly|sending|relay|submission|outgoing|outbound|message rate|rate)"
_LIMITED = re.compile(
    "|".join((
        r"\b5\.4\.5\b",
        r"\b5\.1\.90\b",
        rf"\b{_WHOSE}[ -](?:(?:user|message|mail|email|smtp|relay|sending) )*(?:limit|quota)",
        r"\b(?:limit|quota) (?:on|for|of) (?:sending|outgoing|messages|recipients)",
        r"\btoo (?:many|much) (?:e?mails?|messages|recipients)\b.*\b(?:hour|day|today|sender|account|user)",
        r"\bsend(?:ing)? too (?:many|much|fast)",
        r"\bthrottl",
        r"\btry again tomorrow",
        r"\btoo many login attempts",
    )),
    re.I,
)  # fmt: skip
_NOT_OURS = re.compile(
    r"\b[45]\.(?:1\.[0-8]|2\.[0-9])\b(?!.*\b(?:relay|sending|submission) )", re.I
)


def is_full(words: str) -> bool:
    """Return True if a relay says that it takes no more letters of ours for now."""
    return bool(_LIMITED.search(words)) and not _NOT_OURS.search(words)


def on_the_wire(content: bytes) -> bytes:
    """Return a letter with CRLF at its line ends, its dots doubled, and the final dot."""
    if b"\r" in content:  # a message that is passed on; bare line ends count as well
        content = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    content = _FIRST_DOT.sub(b"..", content).replace(b"\n", b"\r\n")
    return content + (b".\r\n" if content.endswith(b"\r\n") else b"\r\n.\r\n")


def _one_line(code: int, text: bytes) -> str:
    words = " ".join(text.decode("ascii", "replace").split())
    return "".join(c if " " <= c <= "~" else "?" for c in f"{code} {words}"[:200])


def _trouble(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPResponseException):
        text = error.smtp_error
        return _one_line(error.smtp_code, text if isinstance(text, bytes) else text.encode())
    return str(error) or type(error).__name__
