"""DKIM: what we sign verifies, survives what relays do, and is the same on every try."""

import re
import subprocess
from pathlib import Path

import dkim
import pytest

from pbmstar.delivery.configured import Signer
from pbmstar.errors import BadInput

LETTER = (
    b"Date: Sat, 21 Nov 2026 07:20:19 +0000\nFrom: star@pbm.example\nTo: bob@bob.example\n"
    b"Subject: Star Board 1 bob\nMessage-ID: <pbmstar.1@pbm.example>\n"
    b"List-Unsubscribe: <mailto:star+ubob-x@pbm.example>\n"
    b"List-Unsubscribe-Post: List-Unsubscribe=One-Click\n\n 1-   . x o  \nend\n"
)


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("dkim") / "key.pem"
    subprocess.run(
        ["openssl", "genrsa", "-out", str(path), "2048"], check=True, capture_output=True
    )
    return path


@pytest.fixture(scope="module")
def record(key: Path) -> bytes:
    public = subprocess.run(
        ["openssl", "rsa", "-in", str(key), "-pubout"], check=True, capture_output=True
    ).stdout
    return b"v=DKIM1; k=rsa; p=" + b"".join(public.splitlines()[1:-1])


def verified(letter: bytes, record: bytes) -> bool:
    return bool(dkim.verify(letter.replace(b"\n", b"\r\n"), dnsfunc=lambda name, timeout=5: record))


@pytest.mark.slow
def test_a_signed_letter_verifies(key: Path, record: bytes) -> None:
    signed = Signer(key, "star", "pbm.example").sign(LETTER)
    assert signed.endswith(LETTER) and verified(signed, record)
    assert verified(signed.replace(b"x o  \n", b"x o\n"), record), "a stripped blank does no harm"
    assert not verified(signed.replace(b". x o", b". x x"), record)
    assert not verified(b"From: other@evil.example\n" + signed, record), "From is signed twice"


@pytest.mark.slow
def test_both_unsubscribe_headers_are_signed(key: Path) -> None:
    signed = Signer(key, "star", "pbm.example").sign(LETTER)
    names = re.sub(rb"\s", b"", re.search(rb"h=([^;]*);", signed)[1]).split(b":")  # type: ignore[index]
    assert b"list-unsubscribe" in names and b"list-unsubscribe-post" in names


def test_a_retry_is_the_same_letter(key: Path) -> None:
    signer = Signer(key, "star", "pbm.example")
    assert signer.sign(LETTER) == signer.sign(LETTER)
    assert b"t=1795245619" in signer.sign(LETTER)


def test_a_bad_key_is_said_without_a_path(tmp_path: Path) -> None:
    file = tmp_path / "secret-place"
    for content in (b"", b"-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n"):
        file.write_bytes(content)
        with pytest.raises(BadInput, match="PEM") as caught:
            Signer(file, "star", "pbm.example")
        assert "secret-place" not in str(caught.value)
