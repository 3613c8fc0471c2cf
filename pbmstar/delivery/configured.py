"""The configured relay; letters are written on their way to it, and signed if there is a DKIM key."""

from __future__ import annotations

import ssl
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit

from ..config import Config
from ..errors import BadInput
from ..render import Renderer
from .maildir import Maildir
from .relay import Relay
from .smtp import Smarthost
from .written import Written

# From twice: a second From put before ours later breaks the signature.
_SIGNED = (
    b"from from to subject date message-id in-reply-to references reply-to mime-version "
    b"content-type content-transfer-encoding list-id list-unsubscribe list-unsubscribe-post "
    b"auto-submitted"
).split()


def relay(url: str, hostname: str) -> Relay:
    """Return the relay of a URL; ``hostname`` introduces us to it. Nothing is opened yet.

    Raises BadInput, with a text that has no password in it.
    """
    if url.startswith("maildir:") and len(url) > len("maildir:"):
        return Maildir(Path(url.removeprefix("maildir:")))
    parts = urlsplit(url)
    if parts.scheme in ("smtp", "smtp+starttls"):
        starttls = parts.scheme == "smtp+starttls"
        host, port = _host(parts, 587 if starttls else 25)
        login = None
        if parts.username is not None:
            login = (unquote(parts.username), unquote(parts.password or ""))
            if not starttls:
                raise BadInput("relay: a user and password are sent by smtp+starttls only.")
        tls = ssl.create_default_context() if starttls else None
        return Smarthost(host, port, hostname, tls, login)
    raise BadInput(
        "relay: maildir:PATH, smtp://HOST:PORT or smtp+starttls://USER:PASSWORD@HOST:PORT."
    )


def relay_of(config: Config) -> Relay:
    """Return the relay of a configuration; it signs letters if there is a key. Raises BadInput."""
    sign = None
    if config.dkim_key is not None:
        if not config.dkim_selector:
            raise BadInput("dkim_selector: the selector that the key's DNS record stands under.")
        sign = Signer(config.dkim_key, config.dkim_selector, config.domain).sign
    renderer = Renderer.of(config)
    return Written(relay(config.relay, config.domain), renderer, sign)


def _host(parts: SplitResult, default: int) -> tuple[str, int]:
    try:
        port = parts.port or default
    except ValueError:
        port = 0
    if not parts.hostname or not port or parts.path not in ("", "/") or parts.query:
        raise BadInput("relay: after the scheme comes HOST or HOST:PORT and nothing else.")
    return parts.hostname, port


class Signer:
    """Signs letters for a domain by DKIM, relaxed/relaxed, so that a stripped blank does no harm."""

    def __init__(self, key: Path, selector: str, domain: str) -> None:
        """``key`` is a PEM file of an RSA key. Raises BadInput if it cannot be used."""
        try:
            import dkim  # noqa: PLC0415 - only those who sign have it
        except ImportError:
            raise BadInput("dkim_key: signing needs dkimpy: pip install 'pbmstar[dkim]'.") from None
        try:
            self._key = key.read_bytes()
            dkim.parse_pem_private_key(self._key)
        except (OSError, dkim.UnparsableKeyError):
            raise BadInput("dkim_key: the file holds no RSA key in PEM form.") from None
        self._selector, self._domain = selector.encode("ascii"), domain.encode("ascii")

        class _Dated(dkim.DKIM):  # type: ignore[misc]
            """Signs as of the letter's own Date: a retry is the same letter byte for byte."""

            def gen_header(self, fields: list[tuple[bytes, bytes]], *rest: Any) -> bytes:
                dates = [value for name, value in self.headers if name.lower() == b"date"]
                at = int(parsedate_to_datetime(dates[0].decode("ascii").strip()).timestamp())
                dated = [(name, b"%d" % at if name == b"t" else value) for name, value in fields]
                header: bytes = super().gen_header(dated, *rest)
                return header

        self._dkim = _Dated

    def sign(self, letter: bytes) -> bytes:
        """Return the letter, lines ended by LF, with a DKIM-Signature before it."""
        work = self._dkim(letter.replace(b"\n", b"\r\n"))
        present = {name.lower() for name, _ in work.headers}
        signed = [name for name in _SIGNED if name in present]
        header: bytes = work.sign(
            self._selector,
            self._domain,
            self._key,
            canonicalize=(b"relaxed", b"relaxed"),
            include_headers=signed,
        )
        return header.replace(b"\r\n", b"\n") + letter
