"""The From field of domains with letters beyond ASCII, which some email apps write as they are."""

from __future__ import annotations

import pytest

from pbmstar.inbound import fields


@pytest.mark.parametrize(
    ("written", "author"),
    [
        ("pal@münchen.example", "pal@xn--mnchen-3ya.example"),
        ("Pal <Pal@MÜNCHEN.example>", "pal@xn--mnchen-3ya.example"),
        ("pal@例え.example", "pal@xn--r8jz45g.example"),
        ("pal@post.bücher.example", "pal@post.xn--bcher-kva.example"),
        ("pål@home.example", None),
        ("alice@alıce.example", "alice@xn--alce-mza.example"),
        ("alice@\u212aing.example", None),  # the Kelvin sign is no k
        ("alice@\uff41lice.example", None),
        (f"pal@{'ü' * 70}.example", None),
        ("pal@ü..example", None),
    ],
)
def test_a_domain_is_spelled_as_mail_servers_write_it(written: str, author: str | None) -> None:
    assert fields.author({"from": [written]}) == author
    assert fields.author(fields.parse(f"From: {written}".encode())) == author
