"""The relay that the configuration names, its letters signed if there is a key."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import SplitResult, unquote, urlsplit

from ..config import Config
from ..errors import BadInput
from ..store import Letter
from .maildir import Maildir
from .relay import Relay, Verdict
from .smtp import Smarthost


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
    found = relay(config.relay, config.domain)
    if config.dkim_key is None:
        return found
    if not config.dkim_selector:
        raise BadInput("dkim_selector: the selector that the key's DNS record stands under.")
    from .dkim import Signer

    return Signed(found, Signer(config.dkim_key, config.dkim_selector, config.domain).sign)


class Signed:
    """A relay whose letters are signed on their way; the same letter always gets the same bytes."""

    def __init__(self, relay: Relay, sign: Callable[[bytes], bytes]) -> None:
        self._relay, self._sign = relay, sign
        self.open, self.close, self.abort = relay.open, relay.close, relay.abort

    def send(self, letters: Iterator[Letter]) -> Iterator[tuple[Letter, Verdict]]:
        """See ``Relay``."""
        return self._relay.send(
            letter._replace(content=self._sign(letter.content)) for letter in letters
        )


def _host(parts: SplitResult, default: int) -> tuple[str, int]:
    try:
        port = parts.port or default
    except ValueError:
        port = 0
    if not parts.hostname or not port or parts.path not in ("", "/") or parts.query:
        raise BadInput("relay: after the scheme comes HOST or HOST:PORT and nothing else.")
    return parts.hostname, port
