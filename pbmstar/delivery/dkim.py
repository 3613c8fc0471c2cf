"""DKIM: letters signed by ourselves, for those who have no milter that does it."""

from __future__ import annotations

from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

from ..errors import BadInput

# From twice: a second From put before ours later breaks the signature.
_SIGNED = (
    b"from from to subject date message-id in-reply-to references reply-to mime-version "
    b"content-type content-transfer-encoding list-id list-unsubscribe list-unsubscribe-post "
    b"auto-submitted"
).split()


class Signer:
    """Signs letters for a domain, relaxed/relaxed, so that a stripped blank does no harm."""

    def __init__(self, key: Path, selector: str, domain: str) -> None:
        """``key`` is a PEM file of an RSA key. Raises BadInput if it cannot be used."""
        try:
            import dkim
        except ImportError:
            raise BadInput("dkim_key: signing needs dkimpy: pip install 'pbmstar[dkim]'.") from None
        try:
            self._key = key.read_bytes()
            dkim.parse_pem_private_key(self._key)
        except (OSError, dkim.UnparsableKeyError):
            raise BadInput("dkim_key: the file holds no RSA key in PEM form.") from None
        self._selector, self._domain = selector.encode("ascii"), domain.encode("ascii")

        class _Dated(dkim.DKIM):  # type: ignore[misc]
            """Signs as of the letter's own Date: a retry is the same letter to the last byte."""

            def gen_header(self, fields: list[tuple[bytes, bytes]], *rest: Any) -> bytes:
                dates = [value for name, value in self.headers if name.lower() == b"date"]
                at = int(parsedate_to_datetime(dates[0].decode("ascii").strip()).timestamp())
                dated = [(name, b"%d" % at if name == b"t" else value) for name, value in fields]
                header: bytes = super().gen_header(dated, *rest)
                return header

        self._dkim = _Dated

    def sign(self, letter: bytes) -> bytes:
        """The letter, lines ended by LF, with a DKIM-Signature before it."""
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
