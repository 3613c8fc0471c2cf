"""Authentication-Results (RFC 8601): believed from our own mail server only."""

from __future__ import annotations

import time

import pytest

from pbmstar.inbound import read

OURS = "mx.pbm.example"


def found(*fields: str, authserv_id: str = OURS, author: str = "alice@home.example") -> str:
    lines = "".join(f"Authentication-Results: {field}\r\n" for field in fields)
    raw = f"{lines}From: {author}\r\n\r\nhello\r\n".encode()
    return read(raw, "pbm.example", authserv_id).authentic


@pytest.mark.parametrize(
    ("fields", "result"),
    [
        ((), "none"),
        ((f"{OURS}; none",), "none"),
        ((f"{OURS}; dmarc=pass (p=none) header.from=home.example",), "pass"),
        ((f"{OURS.upper()} 1; dmarc=pass header.from=home.example",), "pass"),
        ((f"{OURS}; dmarc=pass header.from=evil.example",), "none"),
        ((f"{OURS}; dmarc=pass",), "none"),
        ((f"{OURS}; dmarc=fail header.from=home.example",), "fail"),
        ((f"{OURS}; dkim=pass header.d=home.example",), "pass"),
        ((f"{OURS}; dkim=pass header.i=@mail.home.example header.s=x",), "pass"),
        ((f"{OURS}; dkim=pass header.d=evil.example",), "none"),
        ((f"{OURS}; dkim=pass header.d=example",), "none"),
        ((f"{OURS}; spf=pass smtp.mailfrom=alice@home.example",), "pass"),
        ((f"{OURS}; spf=pass smtp.mailfrom=list.example",), "none"),
        ((f"{OURS}; spf=fail smtp.mailfrom=home.example",), "fail"),
        ((f"{OURS}; spf=softfail smtp.mailfrom=home.example",), "none"),
        # A forwarder breaks SPF, and DKIM survives; DMARC says what counts.
        ((f"{OURS}; spf=fail smtp.mailfrom=x.example", f"{OURS}; dkim=pass header.d=home.example"), "pass"),
        ((f"{OURS}; dkim=pass header.d=home.example; dmarc=fail header.from=home.example",), "fail"),
        # Where a domain has no policy DMARC says nothing.
        ((f"{OURS}; dmarc=none header.from=home.example", f"{OURS}; dkim=pass header.d=home.example"), "pass"),
        ((f"{OURS}; dmarc=none header.from=home.example; spf=fail smtp.mailfrom=home.example",), "fail"),
        # H20: of a field that our server left in, added by opendmarc's own.
        ((f"{OURS}; dmarc=fail header.from=home.example", f"{OURS}; dmarc=pass header.from=home.example"), "fail"),
        ((f"{OURS}; dmarc=none", f"{OURS}; dmarc=pass header.from=home.example"), "none"),
        # H20: what a sender may choose is no result: an envelope.
        ((f'{OURS}; spf=fail smtp.mailfrom="x; dmarc=pass header.from=home.example"@evil.example',), "fail"),
        ((f'{OURS}; spf=pass smtp.mailfrom="x\\"; header.d=home.example"@evil.example',), "none"),
        ((f'{OURS}; spf=pass smtp.mailfrom="alice@home.example"',), "pass"),
        # H20: what others say is nothing.
        ((f"{OURS[:4]}(){OURS[4:]}; dmarc=pass header.from=home.example",), "none"),
        (("evil.example; dmarc=pass header.from=home.example",), "none"),
        ((f"evil.{OURS}; dmarc=pass header.from=home.example",), "none"),
        ((f"{OURS}.evil.example; dmarc=pass header.from=home.example",), "none"),
        ((f"({OURS}) evil.example; dmarc=pass header.from=home.example",), "none"),
        (("", ";", "=", f"{OURS}", f"{OURS}; dmarc", f"{OURS}; =pass; dkim="), "none"),
    ],
)  # fmt: skip
def test_what_is_believed(fields: tuple[str, ...], result: str) -> None:
    assert found(*fields) == result


def test_without_a_name_or_an_author_nothing_is_believed() -> None:
    field = f"{OURS}; dmarc=pass header.from=home.example"
    assert found(field, authserv_id="") == "none"
    assert found(field, author="a@home.example, b@home.example") == "none"


@pytest.mark.parametrize("text", ["header.d=", "(", "dkim=pass ", ";", "header.i=a@", '"', '\\"'])
def test_hostile_results_take_no_time(text: str) -> None:
    """All that the gate lets through: 20 ms is the bound, a hundred times that the test's."""
    begun = time.process_time()
    found(*[f"{OURS}; dkim=pass {text * (8000 // len(text))}"] * 7)
    assert time.process_time() - begun < 2
