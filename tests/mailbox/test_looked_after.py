"""An operator sees what the mailbox is like: doctor, status, and the configuration without its password."""

from __future__ import annotations

import pytest
from fetching import House
from harness.imap import ALL

pytestmark = pytest.mark.usefixtures("queue")


def found(house: House) -> dict[str, str]:
    """What doctor says of the mailbox, with the verdict."""
    findings = house.office.facts("doctor")
    return {
        each["what"]: each["verdict"] for each in findings if each["what"].startswith("mailbox")
    }


def test_doctor_signs_in_and_changes_nothing(house: House) -> None:
    house.arrive("alice", "help")
    assert found(house) == {"mailbox: signed in; 1 message of the last two days in the inbox": "ok"}
    assert house.imap.count() == 1
    assert house.imap.said("EXAMINE") > 0
    assert not any(word in line for line in house.imap.log for word in ("MOVE", "STORE", "CREATE"))


def test_doctor_sees_if_details_arrive(house: House) -> None:
    house.arrive("alice", "help")
    house.fetch()
    assert found(house)["mailbox: no reply to an address with a + has come yet"] == "warn"
    house.arrive("alice", "help", to="star+x@pbm.example")
    house.fetch()
    assert found(house)["mailbox: replies to addresses with a + arrive"] == "ok"


def test_doctor_names_what_a_server_cannot_do(house: House) -> None:
    house.imap.capabilities = ALL.replace("IDLE ", "").replace("MOVE ", "").replace("UIDPLUS ", "")
    said = found(house)
    assert said["mailbox: no IDLE"] == said["mailbox: no MOVE and no UIDPLUS"] == "warn"


def test_doctor_says_why_it_cannot_sign_in(house: House) -> None:
    house.imap.passwords = set()
    (said,) = found(house)
    assert said.startswith("mailbox: localhost refuses the user or the password")
    assert "s3cret" not in said


@pytest.mark.parametrize("words", [("config",), ("config", "--json")])
def test_passwords_are_masked(house: House, words: tuple[str, ...]) -> None:
    said = house.office.run(*words).output
    assert "imaps://star:******@localhost" in said
    assert "s3cret" not in said
