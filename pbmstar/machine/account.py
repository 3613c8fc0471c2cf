"""An account at a mail server, as one URL names it, and its password, which a command may tell."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import SplitResult, unquote, urlsplit

from ..errors import BadInput, TemporaryFailure
from .times import Seconds

PATIENCE: Seconds = (
    60.0  # for a command that tells a password: it may ask another server for a token
)


class Account(NamedTuple):
    """An account, or only a server if ``user`` is empty.

    password  as it stands in the URL; empty if a command tells it
    command   a line for the shell whose first line of output is the password or the token; empty for none
    """

    scheme: str
    host: str
    port: int
    user: str = ""
    password: str = ""
    command: str = ""

    def __repr__(self) -> str:
        return f"Account({self.scheme!r}, {self.host!r}, {self.port})"

    def secret(self) -> str:
        """Return the password or the token. Raises TemporaryFailure if the command tells none."""
        if self.password or not self.command:
            return self.password
        try:
            done = subprocess.run(  # noqa: S602 - the operator's own line, as in mutt, msmtp and mbsync
                self.command,
                shell=True,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=PATIENCE,
                check=True,
            )
        except subprocess.CalledProcessError as error:
            raise TemporaryFailure(
                f"the password command ended with status {error.returncode}"
            ) from None
        except (OSError, subprocess.TimeoutExpired) as error:
            raise TemporaryFailure(f"the password command failed: {type(error).__name__}") from None
        secret = done.stdout.decode("utf-8", "replace").partition("\n")[0].strip("\r")
        if not secret:
            raise TemporaryFailure("the password command printed nothing")
        return secret


def account(key: str, url: str, ports: Mapping[str, int], command: str, forms: str) -> Account:
    """Return the account of a URL such as ``imaps://USER:PASSWORD@HOST:PORT``.

    ``ports``: the usual port of each scheme that is possible; ``forms``: what to write instead of a wrong
    URL. Raises BadInput, with a text without the password.
    """
    parts = urlsplit(url)
    if parts.scheme not in ports:
        raise BadInput(f"{key}: {forms}")
    host, port = _host(key, parts, ports[parts.scheme])
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    return Account(parts.scheme, host, port, user, password, "" if password else command)


def _host(key: str, parts: SplitResult, default: int) -> tuple[str, int]:
    try:
        port = parts.port or default
    except ValueError:
        port = 0
    if not parts.hostname or not port or parts.path not in ("", "/") or parts.query:
        raise BadInput(f"{key}: after the scheme comes HOST or HOST:PORT and nothing else.")
    return parts.hostname, port
