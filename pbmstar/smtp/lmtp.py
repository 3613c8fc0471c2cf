"""One LMTP connection: a mail server of ours hands mails in, and tells whom they come from."""

from __future__ import annotations

from ipaddress import ip_address

from aiosmtpd.lmtp import LMTP

from . import status
from .limits import LOOPBACK
from .session import Session


class LmtpSession(Session, LMTP):
    """One LMTP connection: a mail server of ours, which gets a status for each recipient.

    One on this machine may tell by XFORWARD, as Postfix does, which machine a mail came from.
    """

    lmtp = True

    @property
    def _is_near(self) -> bool:
        return self.peer == "local" or self.peer in LOOPBACK

    def _offered(self) -> list[str]:
        return [*super()._offered(), *(["XFORWARD ADDR"] if self._is_near else [])]

    def _set_rset_state(self) -> None:
        """A mail is given up: what was said of its client holds no longer."""
        super()._set_rset_state()  # type: ignore[no-untyped-call]
        self._client = ""

    def _set_post_data_state(self) -> None:
        """A mail has ended."""
        super()._set_post_data_state()  # type: ignore[no-untyped-call]
        self._client = ""

    async def smtp_XFORWARD(self, arg: str | None) -> None:  # noqa: N802
        """The client of the mail that comes: ``ADDR=192.0.2.1``; other attributes are skipped."""
        if not self._is_near:
            await self.push(status.NOT_IMPLEMENTED)
            return
        for word in (arg or "").split():
            name, _, value = word.partition("=")
            if name.upper() == "ADDR":
                self._client = _address(value)
        await self.push(status.OK)


def _address(text: str) -> str:
    """A network address as XFORWARD writes it; empty for one that is not known."""
    try:
        return str(ip_address(text.upper().removeprefix("IPV6:")))
    except ValueError:
        return ""
