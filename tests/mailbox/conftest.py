"""A server whose mail comes from a mailbox: that of the small IMAP server, or of a Dovecot."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from fetching import House
from harness.dovecot import Dovecot, dovecot, is_possible
from harness.imap import TLS, Imap, serving
from harness.office import Office


@pytest.fixture(autouse=True)
def _known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our certificate is one that the machine knows."""
    monkeypatch.setenv("SSL_CERT_FILE", str(TLS))


@pytest.fixture
def imap() -> Iterator[Imap]:
    with serving(Imap()) as running:
        yield running


@pytest.fixture
def house(office_of: Callable[..., Office], imap: Imap) -> House:
    url = imap.url.replace("@", ":s3cret@", 1)
    return House(office_of(mailbox=url), imap)


@pytest.fixture(scope="session")
def provider() -> Iterator[Dovecot]:
    """A Dovecot for all tests; each opens mailboxes of its own."""
    if not is_possible():
        pytest.skip("only root can start a Dovecot, and there must be one")
    with dovecot() as running:
        yield running
