"""The configured relay. Letters are written on their way to it, and signed if there is a DKIM key."""

from __future__ import annotations

import ssl
from collections import deque
from collections.abc import Callable, Iterator
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any, NamedTuple

import jinja2

from ..config import Config
from ..errors import BadInput
from ..machine.account import account
from ..render.letters import Renderer
from ..render.recipe import Recipe
from ..render.wire import RETURNED
from .maildir import Maildir
from .relay import UNWRITTEN, Letter, Relay, Verdict
from .smtp import Smarthost


class _InTransit(NamedTuple):
    """A letter on its way. ``trouble``: why it cannot be written; ``undrawn``: True without its picture."""

    letter: Letter
    trouble: str
    undrawn: bool


class Written:
    """A relay that writes each letter, signs it if there is a key, and hands it to ``relay``; see ``Relay``.

    A letter that cannot be written waits, with the reason, and delays no other letter.
    """

    def __init__(
        self,
        relay: Relay,
        renderer: Renderer,
        sign: Callable[[bytes], bytes] | None = None,
        plain: bool = False,
    ) -> None:
        """Make it. ``plain``: our addresses take no details; a header field says where a bounce belongs."""
        self._relay, self._renderer, self._sign, self._plain = relay, renderer, sign, plain
        self.open, self.close, self.abort = relay.open, relay.close, relay.abort

    def send(self, letters: Iterator[Letter]) -> Iterator[tuple[Letter, Verdict]]:
        drawn: deque[_InTransit] = deque()  # without a verdict, in order

        def written() -> Iterator[Letter]:
            for letter in letters:
                content, trouble = self._content(letter)
                drawn.append(_InTransit(letter, trouble, self._renderer.undrawn))
                if not trouble:
                    sender, detail = _without_detail(letter.sender)
                    if self._plain and detail:
                        content = f"{RETURNED}: {detail}\n".encode("ascii") + content
                        letter = letter._replace(sender=sender)
                    yield letter._replace(content=content)

        def unwritten() -> Iterator[tuple[Letter, Verdict]]:
            while drawn and drawn[0].trouble:
                letter, trouble, _ = drawn.popleft()
                yield letter, Verdict("later", trouble, unwritten=True)

        for letter, verdict in self._relay.send(written()):
            yield from unwritten()
            yield letter, verdict._replace(undrawn=drawn.popleft().undrawn)
        yield from unwritten()

    def _content(self, letter: Letter) -> tuple[bytes, str]:
        """Return the mail, or nothing and the reason why it cannot be written, in words for the operator."""
        try:
            content = letter.content
            if content.startswith(b"{"):  # otherwise it is a message, passed on as it came
                content = self._renderer.write(Recipe.from_bytes(content))
            return self._sign(content) if self._sign else content, ""
        except Exception as error:  # a fault of ours or of a site's template: the others go on
            return b"", f"{UNWRITTEN}: {_reason(error)}"


def _without_detail(sender: str) -> tuple[str, str]:
    """Return an address of ours without its detail, and the detail; empty for none."""
    local, at, domain = sender.partition("@")
    name, _, detail = local.partition("+")
    return name + at + domain, detail


def _reason(error: Exception) -> str:
    """Return the error without texts of the letter; an error in a template gives its name and line."""
    if isinstance(error, jinja2.TemplateNotFound):  # its own text lists our directories
        return f"there is no template {error.name}"
    if isinstance(error, jinja2.TemplateSyntaxError):
        return f"{error.name}, line {error.lineno}: {error.message}"
    if isinstance(error, jinja2.TemplateError):
        return f"{type(error).__name__}: {error.message}"
    return type(error).__name__


# From stands here twice: a second From that is later put before ours breaks the signature.
_SIGNED = (
    b"from from to subject date message-id in-reply-to references reply-to mime-version "
    b"content-type content-transfer-encoding list-id list-unsubscribe list-unsubscribe-post "
    b"auto-submitted"
).split()


_FORMS = (
    "maildir:PATH, smtp://HOST:PORT, smtps://USER@HOST or smtp+starttls://USER:PASSWORD@HOST:PORT."
)
_PORTS = {"smtp": 25, "smtp+starttls": 587, "smtps": 465}


def relay(url: str, hostname: str, command: str = "", auth: str = "password") -> Relay:
    """Return the relay of a URL; ``hostname`` introduces us to it. Nothing is opened yet.

    ``command`` prints the password if the URL has none; ``auth`` says how we sign in. Raises BadInput, with a
    text without the password.
    """
    if url.startswith("maildir:") and len(url) > len("maildir:"):
        return Maildir(Path(url.removeprefix("maildir:")))
    found = account("relay", url, _PORTS, command, _FORMS)
    if found.scheme == "smtp":
        if found.user:
            raise BadInput("relay: a user and password are sent by smtps and smtp+starttls only.")
        return Smarthost(found, hostname)
    if found.user and not found.password and not found.command:
        raise BadInput("relay_password_command: a command that prints the relay's password.")
    return Smarthost(found, hostname, ssl.create_default_context(), auth)


def relay_of(config: Config) -> Relay:
    """Return the relay of a configuration; it signs letters if there is a key. Raises BadInput."""
    sign = None
    if config.dkim_key is not None:
        if not config.dkim_selector:
            raise BadInput("dkim_selector: the selector that the key's DNS record stands under.")
        sign = Signer(config.dkim_key, config.dkim_selector, config.domain).sign
    renderer = Renderer.of(config)
    command = config.relay_password_command or config.mailbox_password_command
    found = relay(config.relay, config.domain, command, config.auth)
    return Written(found, renderer, sign, config.detail == "none")


class Signer:
    """A signer of letters for a domain by DKIM, relaxed/relaxed, so that a stripped blank does no harm."""

    def __init__(self, key: Path, selector: str, domain: str) -> None:
        """Make it. ``key`` is a PEM file of an RSA key. Raises BadInput if it cannot be used."""
        try:
            import dkim  # noqa: PLC0415 - only installations that sign have it
        except ImportError:
            raise BadInput("dkim_key: signing needs dkimpy: pip install 'pbmstar[dkim]'.") from None
        try:
            self._key = key.read_bytes()
            dkim.parse_pem_private_key(self._key)
        except (OSError, dkim.UnparsableKeyError):
            raise BadInput("dkim_key: the file holds no RSA key in PEM form.") from None
        self._selector, self._domain = selector.encode("ascii"), domain.encode("ascii")

        class _Dated(dkim.DKIM):  # type: ignore[misc]
            """A signer that uses the letter's own Date: a retry is the same letter byte for byte."""

            def gen_header(self, fields: list[tuple[bytes, bytes]], *rest: Any) -> bytes:
                dates = [value for name, value in self.headers if name.lower() == b"date"]
                at = int(parsedate_to_datetime(dates[0].decode("ascii").strip()).timestamp())
                dated = [(name, b"%d" % at if name == b"t" else value) for name, value in fields]
                header: bytes = super().gen_header(dated, *rest)
                return header

        self._dkim = _Dated

    def sign(self, letter: bytes) -> bytes:
        """Return the letter, with LF at its line ends and a DKIM-Signature before it."""
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
