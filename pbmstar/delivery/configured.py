"""The relay that the configuration names; letters are written, and signed, on their way to it."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import SplitResult, unquote, urlsplit

from ..config import Config
from ..errors import BadInput
from ..render import Renderer
from .maildir import Maildir
from .relay import Relay
from .smtp import Smarthost
from .written import Written


def relay(url: str, hostname: str) -> Relay:
    """The relay of that URL; ``hostname`` is how we introduce ourselves to it.

    Raises BadInput, with a text that has no password in it. Nothing is opened yet.
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
        return Smarthost(host, port, hostname, starttls=starttls, login=login)
    raise BadInput(
        "relay: maildir:PATH, smtp://HOST:PORT or smtp+starttls://USER:PASSWORD@HOST:PORT."
    )


def relay_of(config: Config) -> Relay:
    """The relay of a configuration; its letters are signed if there is a key. Raises BadInput."""
    sign = None
    if config.dkim_key is not None:
        if not config.dkim_selector:
            raise BadInput("dkim_selector: the selector that the key's DNS record stands under.")
        from .dkim import Signer

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
