"""One connection to a mailbox by IMAP, as far as we need it. IMAPClient speaks the protocol.

Every error is a ``MailboxDown`` with a sentence for the operator. Messages are named by UID only, and reading
them sets no flag.
"""

from __future__ import annotations

import re
import socket
import ssl
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

from ..config import Config
from ..errors import BadInput, TemporaryFailure
from ..inbound.gate import MAIL
from ..machine.account import Account, account
from ..machine.times import Seconds

if TYPE_CHECKING:
    from imapclient import IMAPClient

CONNECT, ANSWER = 15.0, 60.0  # seconds that a server may take: to let us in, to answer
QUIET = (
    60.0,
    15.0,
)  # seconds of silence after which the kernel asks if the other side is there, and again
INBOX = "INBOX"
_CONTENT = f"BODY.PEEK[]<0.{MAIL + 1}>"  # a message that is longer than we read shows it by its first bytes
_FORMS = "imaps://USER@HOST, or imap://USER@HOST with STARTTLS."
_PORTS = {"imaps": 993, "imap": 143}


class MailboxDown(TemporaryFailure):
    """The mailbox cannot be used now."""


class NotFiled(TemporaryFailure):
    """A message stays where it is: the folder of its fate is missing, or full."""


class MailFolder(NamedTuple):
    """A folder that is selected: its UIDVALIDITY, and the name under which its messages are known."""

    name: str
    validity: int

    def mark(self, uid: int) -> str:
        """Return the name of a message, which no other message of this folder ever gets."""
        return f"{self.name} {self.validity} {uid}"


def account_of(config: Config) -> Account:
    """Return the account whose mailbox is read. Raises BadInput."""
    found = account("mailbox", config.mailbox, _PORTS, config.mailbox_password_command, _FORMS)
    if not found.user:
        raise BadInput(f"mailbox: {_FORMS}")
    if not found.password and not found.command:
        raise BadInput("mailbox_password_command: a command that prints the mailbox's password.")
    return found


class MailboxLine:
    """A connection that ``open`` makes, and makes again. One thread uses it; any may ``abort`` it."""

    def __init__(self, account: Account, auth: str = "password", answer: Seconds = ANSWER) -> None:
        self.account, self._auth, self._answer = account, auth, answer
        self._client: IMAPClient | None = None
        self._folder: MailFolder | None = None
        self._names: dict[str, str] = {}  # of folders, as the server writes them

    # -- the connection

    def open(self) -> None:
        """Connect and sign in, unless that is done. Raises MailboxDown."""
        if self._client is None:
            with self._troubles():
                secret = self.account.secret()
                self._client = self._connect()
                self._sign_in(self._client, secret)
                self._client.capabilities()

    def _connect(self) -> IMAPClient:
        import imapclient  # noqa: PLC0415 - only servers with a mailbox need it

        where, is_tls = self.account, self.account.scheme == "imaps"
        tls = ssl.create_default_context()
        patience = imapclient.SocketTimeout(CONNECT, self._answer)
        client = imapclient.IMAPClient(
            where.host, where.port, ssl=is_tls, ssl_context=tls, timeout=patience
        )
        try:
            _watch_over(client.socket())
            if not is_tls:
                client.starttls(tls)
        except BaseException:
            client.shutdown()
            raise
        return client

    def _sign_in(self, client: IMAPClient, secret: str) -> None:
        from imapclient.exceptions import LoginError  # noqa: PLC0415

        try:
            if self._auth == "xoauth2":
                client.oauth2_login(self.account.user, secret)
            else:
                client.login(self.account.user, secret)
        except LoginError as error:
            raise MailboxDown(
                f"{self.account.host} refuses the user or the password{_quoted(error, secret)}"
            ) from None

    def can(self, capability: str) -> bool:
        """Return True if the server has a capability, such as MOVE."""
        with self._use() as client:
            return bool(client.has_capability(capability))

    def close(self) -> None:
        """Sign out and close the connection."""
        client, self._client, self._folder = self._client, None, None
        if client is not None:
            with suppress(Exception):  # it may be gone already
                client.socket().settimeout(2.0)
                client.logout()
            with suppress(Exception):
                client.shutdown()

    def abort(self) -> None:
        """Cut the line; a thread that waits for an answer gets MailboxDown."""
        client = self._client
        if client is not None:
            with suppress(Exception):  # it may be cut already
                client.socket().shutdown(socket.SHUT_RDWR)

    # -- folders

    def select(self, name: str, to_look: bool = False) -> MailFolder:
        """Select a folder; ``to_look``: nothing in it can be changed then. Raises MailboxDown."""
        with self._use() as client:
            answer = client.select_folder(self._written(client, name), readonly=to_look)
            self._folder = MailFolder(name, int(answer[b"UIDVALIDITY"]))
            return self._folder

    def junk(self) -> str:
        """Return the name of the junk folder; empty if none is known."""
        from imapclient.imapclient import JUNK  # noqa: PLC0415

        with self._use() as client:
            found = client.find_special_folder(JUNK)
            if found:
                self._names[found] = found
            return found or ""

    def _written(self, client: IMAPClient, name: str) -> str:
        """Return a folder's name in the server's spelling, with its prefix and its mark between levels."""
        if name == INBOX:
            return name
        if name not in self._names:
            prefix, between = "", "/"
            if client.has_capability("NAMESPACE"):
                personal = client.namespace().personal or ((prefix, between),)
                prefix, between = personal[0][0] or "", personal[0][1] or "/"
            self._names[name] = prefix + name.replace("/", between)
        return self._names[name]

    # -- messages of the folder that is selected

    def uids(self, *criteria: Any) -> list[int]:
        """Return the UIDs of the messages that meet criteria of SEARCH, in their order."""
        with self._use() as client:
            return sorted(client.search([*criteria] or "ALL"))

    def since(self, day: date, *criteria: Any) -> list[int]:
        """Return those among them that came on that day or later."""
        return self.uids(*criteria, "SINCE", day)

    def sizes(self, uids: Sequence[int]) -> dict[int, int]:
        """Return how many bytes of each message we would read."""
        with self._use() as client:
            found = client.fetch(uids, ["RFC822.SIZE"])
            return {
                uid: min(int(facts[b"RFC822.SIZE"]), MAIL + 1)
                for uid, facts in found.items()
                if b"RFC822.SIZE" in facts
            }

    def contents(self, uids: Sequence[int]) -> dict[int, bytes]:
        """Return the bytes of messages, or their beginning; of one that the server does not give none."""
        with self._use() as client:
            found = client.fetch(uids, [_CONTENT])
            return {
                uid: facts[b"BODY[]<0>"]
                for uid, facts in found.items()
                if uid in uids and isinstance(facts.get(b"BODY[]<0>"), bytes)
            }

    def file(self, uids: Sequence[int], name: str) -> None:
        """Move messages to a folder, which is made if it is missing; delete them without a name.

        A server without UIDPLUS cannot remove single messages: there they stay, marked as deleted. Raises
        NotFiled if the folder does not take them, MailboxDown if the line is gone.
        """
        from imapclient.exceptions import IMAPClientError  # noqa: PLC0415

        with self._use() as client:
            try:
                if name:
                    try:
                        self._move(client, uids, self._written(client, name))
                    except IMAPClientError as error:
                        if isinstance(error, client.AbortError) or _is_full(error):
                            raise
                        self._make(client, self._written(client, name))
                        self._move(client, uids, self._written(client, name))
                else:
                    self._delete(client, uids)
            except IMAPClientError as error:
                if isinstance(error, client.AbortError):
                    raise
                what = "the mailbox is full" if _is_full(error) else "the server refuses"
                where = f"moved to {name}" if name else "deleted"
                raise NotFiled(f"messages cannot be {where}: {what}{_quoted(error)}") from None

    def expunge(self, uids: Sequence[int]) -> None:
        """Remove messages that are marked as deleted, if the server can remove single ones."""
        if uids and self.can("UIDPLUS"):
            with self._use() as client:
                client.uid_expunge(uids)

    def _make(self, client: IMAPClient, name: str) -> None:
        with suppress(client.Error):  # it is there already, or the next move says what is wrong
            client.create_folder(name)
            client.subscribe_folder(name)

    def _move(self, client: IMAPClient, uids: Sequence[int], name: str) -> None:
        if client.has_capability("MOVE"):
            client.move(uids, name)
        else:
            client.copy(uids, name)
            self._delete(client, uids)

    def _delete(self, client: IMAPClient, uids: Sequence[int]) -> None:
        client.delete_messages(uids, silent=True)
        if client.has_capability(
            "UIDPLUS"
        ):  # EXPUNGE alone would remove what others have marked, too
            client.uid_expunge(uids)

    # -- waiting

    def wait(self, seconds: Seconds) -> bool:
        """Wait until something may have come, by IDLE; return False at once on a server without it.

        The inbox must be selected. Raises MailboxDown if the server says nothing afterwards.
        """
        with self._use() as client:
            if not client.has_capability("IDLE"):
                return False
            client.idle()
            said = _is_ahead(client) or client.idle_check(seconds)
            _, more = client.idle_done()
            if not said and not more:
                client.noop()
            return True

    # -- errors

    @contextmanager
    def _use(self) -> Iterator[IMAPClient]:
        """Give the client to the block; close it after an error that leaves the line in doubt."""
        with self._troubles():
            if self._client is None:
                raise MailboxDown(f"{self.account.host}: not connected")
            yield self._client

    @contextmanager
    def _troubles(self) -> Iterator[None]:
        try:
            yield
        except NotFiled:
            raise
        except TemporaryFailure as error:
            self.close()
            raise MailboxDown(f"mailbox: {error}") from None
        except ssl.SSLCertVerificationError as error:
            self.close()
            why = error.verify_message.rstrip(".")
            raise MailboxDown(
                f"mailbox: the certificate of {self.account.host} is not right: {why}"
            ) from None
        except TimeoutError:
            self._drop()
            raise MailboxDown(f"mailbox: {self.account.host} does not answer") from None
        except Exception as error:  # of the library, for whatever a server may send
            self._drop()
            raise MailboxDown(f"mailbox: {self.account.host}: {_named(error)}") from None

    def _drop(self) -> None:
        """Close the connection without a farewell: nobody may listen any more."""
        self.abort()
        self.close()


def _is_ahead(client: IMAPClient) -> bool:
    """Return True if the library has read more than it has shown, such as news in one packet with a go-ahead.

    Who waits for the socket then would wait for the news after these.
    """
    line = client.socket()
    patience = line.gettimeout()
    line.settimeout(0.0)
    try:
        return bool(client._imap.file.peek(1))
    except OSError:  # nothing is there
        return False
    finally:
        line.settimeout(patience)


def _watch_over(line: socket.socket) -> None:
    """Let the kernel send each command at once, and notice a silent end of the other side."""
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    line.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, int(QUIET[0]))
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, int(QUIET[1]))
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPCNT, 4)


def _is_full(error: Exception) -> bool:
    return "quota" in str(error).lower()


def _quoted(error: Exception, secret: str = "") -> str:
    """Return the server's words after a colon, cut and in ASCII, and not if they repeat the password."""
    words = " ".join(re.sub(r"^b(['\"])(.*)\1$", r"\2", str(error)).split()).rstrip(".")
    if not words or (secret and secret in words):
        return ""
    return ": " + "".join(c if " " <= c <= "~" else "?" for c in words[:120])


def _named(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return (_quoted(error).removeprefix(": ") or type(error).__name__)[:160]
