"""Mails that are signed or encrypted."""

from __future__ import annotations

import pytest

from .written import FILE, MIXED, MOVE, OLD, TEXT, got, lines, part, parts

SIGNED = f"""-----BEGIN PGP SIGNED MESSAGE-----
Hash: SHA256

{MOVE}
- -----
- - pass
- --
not read
-----BEGIN PGP SIGNATURE-----

{OLD}
iQEzBAEBCAAdFiEE
=abcd
-----END PGP SIGNATURE-----
"""


def test_signed_inline():
    """M18: the armour goes, the dash escapes are undone, and what they hid is what it is."""
    assert lines(SIGNED) == (MOVE, "-----", "- pass")
    assert lines(f"-----BEGIN PGP SIGNED MESSAGE-----\n\n{MOVE}") == (MOVE,)
    assert lines(SIGNED.replace("- --\n", "") + "after") == (
        MOVE,
        "-----",
        "- pass",
        "not read",
        "after",
    )
    assert lines("hi\n> -----BEGIN PGP SIGNED MESSAGE-----\nho") == ("hi", "ho")


@pytest.mark.parametrize("protocol", ["application/pgp-signature", "application/pkcs7-signature"])
def test_multipart_signed(protocol):
    """M18: the text of a signed mail, PGP or S/MIME; never its signature."""
    kind = f'multipart/signed; protocol="{protocol}"; micalg=pgp-sha256; boundary=x'
    assert lines(parts("x", TEXT, part(protocol, "AAAA", FILE)), kind=kind) == (MOVE,)
    assert lines(parts("x", part(protocol, MOVE), TEXT), kind=kind) == ()
    inner = (
        f"Content-Type: {kind.replace('=x', '=y')}\n\n"
        + parts("y", TEXT, part(protocol, "A")).decode()
    )
    assert lines(parts("x", inner, part("text/plain", "list footer")), kind=MIXED) == (MOVE,)


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (
            'multipart/encrypted; protocol="application/pgp-encrypted"; boundary=x',
            parts("x", part("application/pgp-encrypted", "Version: 1"), part("text/plain", MOVE)),
        ),
        ("application/pkcs7-mime; smime-type=enveloped-data", MOVE),
        ("application/x-pkcs7-mime", MOVE),
        ("text/plain", f"-----BEGIN PGP MESSAGE-----\n\n{MOVE}\n-----END PGP MESSAGE-----"),
        ("text/plain", f"\n\n-----BEGIN PGP MESSAGE-----\n\n{MOVE}"),
    ],
)
def test_encrypted(kind, body):
    """M19: nothing is read, and the player is told why."""
    inbound = got(body, kind=kind)
    assert inbound.lines == ()
    assert "encrypted" in str(inbound.trouble)
    assert "plain text" in str(inbound.trouble)
