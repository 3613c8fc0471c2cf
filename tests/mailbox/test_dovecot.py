"""The same against a Dovecot: TLS by STARTTLS, servers with few abilities, other names of folders."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from harness.dovecot import PASSWORD, Dovecot, dovecot, is_possible
from harness.office import Office

from pbmstar.cli.fetch import read_mailbox

pytestmark = pytest.mark.slow
CHALLENGE = "star challenge -size=4 alice bob"


def fetched(office: Office) -> tuple[str, bool]:
    office.now = time.time()  # Dovecot dates what arrives
    return read_mailbox(office.config, office.context, office.store)


def with_password(url: str) -> str:
    return url.replace("@", f":{PASSWORD}@", 1)


def test_starttls(provider: Dovecot, office_of: Callable[..., Office]) -> None:
    provider.add("start")
    url = f"imap://start:{PASSWORD}@localhost:{provider.port}"
    office = office_of(mailbox=url)
    provider.append("start", office.write("alice", CHALLENGE))
    assert fetched(office) == ("1 message from the mailbox handled.", True)
    assert provider.count("start", "pbmstar/done") == 1


@pytest.mark.parametrize("without", ["MOVE", "MOVE UIDPLUS", "IDLE MOVE UIDPLUS NAMESPACE"])
def test_few_abilities(office_of: Callable[..., Office], without: str) -> None:
    if not is_possible():
        pytest.skip("only root can start a Dovecot, and there must be one")
    with dovecot(without=without) as provider:
        office = office_of(mailbox=with_password(provider.add("few")))
        provider.append("few", office.write("alice", CHALLENGE))
        for handled in ("1 message", "0 messages"):
            assert fetched(office)[0] == f"{handled} from the mailbox handled."
        assert provider.count("few", "pbmstar/done") == 1
        assert len(office.letters()) == 2


def test_folders_below_the_inbox(office_of: Callable[..., Office]) -> None:
    if not is_possible():
        pytest.skip("only root can start a Dovecot, and there must be one")
    with dovecot(separator=".", prefix="INBOX.") as provider:
        office = office_of(mailbox=with_password(provider.add("below")))
        provider.append("below", office.write("alice", CHALLENGE))
        assert fetched(office)[1]
        assert provider.count("below", "INBOX.pbmstar.done") == 1


def test_a_mailbox_over_its_quota(office_of: Callable[..., Office]) -> None:
    """A copy needs room: what was carried out stays in the inbox until there is some, and is not done twice."""
    if not is_possible():
        pytest.skip("only root can start a Dovecot, and there must be one")
    with dovecot(without="MOVE") as provider:
        office = office_of(mailbox=with_password(provider.add("full", quota=2600)))
        raw = office.write("alice", CHALLENGE, headers=f"X-Long: {'x' * 800}\r\n")
        with provider.client("full") as person:
            person.create_folder("Old")
            person.append("Old", raw)
            person.append("INBOX", raw)
            said, is_done = fetched(office)
            assert said.startswith(
                "1 message from the mailbox handled. Messages cannot be moved to pbmstar/done: "
                "the mailbox is full: copy failed: [OVERQUOTA] "
            )
            assert said.endswith(" secs).")
            assert not is_done
            assert fetched(office)[0].startswith(
                "0 messages from the mailbox handled. Messages can"
            )
            assert (provider.count("full"), provider.count("full", "pbmstar/done")) == (1, 0)
            person.select_folder("Old")
            person.delete_messages(person.search())
            person.expunge()
        assert fetched(office) == ("0 messages from the mailbox handled.", True)
        assert (provider.count("full"), provider.count("full", "pbmstar/done")) == (0, 1)
        assert len(office.letters()) == 2


def test_moving_within_a_full_mailbox_needs_no_room(
    provider: Dovecot, office_of: Callable[..., Office]
) -> None:
    office = office_of(mailbox=with_password(provider.add("brim", quota=1500)))
    provider.append("brim", office.write("alice", CHALLENGE, body="x" * 800))
    assert fetched(office) == ("1 message from the mailbox handled.", True)
    assert provider.count("brim", "pbmstar/done") == 1
