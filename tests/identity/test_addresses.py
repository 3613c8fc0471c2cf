"""Details of our addresses: those in mailboxes are read, and speak for what they were signed for."""

from __future__ import annotations

from pathlib import Path

import pytest
from harness.tables import rows

from pbmstar import identity
from pbmstar.identity import KEY, REQUEST, ReplyScope

SCOPE = ReplyScope("alice", 17, 1, 5)
HERE = Path(__file__).parent
DETAILS = [HERE / "details.txt", *sorted(HERE.parent.glob("features/*/details.txt"))]


def _cases(details: Path, section: str) -> list[tuple[str, list[int | str]]]:
    return [
        (detail, [int(word) if word.isdigit() else word for word in signed])
        for detail, *signed in rows(details, section)
    ]


CASES = [case for details in DETAILS for case in _cases(details, "signed")]
LONGER = _cases(DETAILS[0], "longer")
REPLY, *_, BOUNCE = (detail for detail, signed in CASES[:10] if signed[0] in ("reply", "b"))


@pytest.mark.parametrize(("detail", "signed"), CASES + LONGER)
def test_a_detail_in_a_mailbox_speaks_for_what_it_was_signed_for(
    detail: str, signed: list[object]
) -> None:
    keys = [(4, bytes(KEY)[1:] + b"x"), (3, bytes(KEY))]
    for typed in (detail, detail.upper()):
        address = identity.read(typed)
        assert isinstance(address, identity.SignedAddress)
        assert identity.is_signed(keys, address, *signed)
        assert not identity.is_signed(keys[:1], address, *signed)
        assert not identity.is_signed(keys, address, *signed[:-1], f"{signed[-1]}x")


@pytest.mark.parametrize(("detail", "signed"), CASES)
def test_a_detail_is_signed_in_the_same_way_as_ever(detail: str, signed: list[object]) -> None:
    keys = [(3, bytes(KEY))]
    mark = identity.shown_mark(keys, REQUEST, SCOPE, "draw") if "q" in detail[-5:-4] else ""
    assert identity.sign(keys, *signed) + mark == detail


@pytest.mark.parametrize(
    "detail",
    ["", "x", "r17", f"{REPLY}x", REPLY[:-1], LONGER[0][0][:-1], BOUNCE.replace("b", "e", 1)],
)
def test_any_other_detail_is_none(detail: str) -> None:
    assert identity.read(detail) == identity.PlainAddress()


def test_a_one_time_token_is_not_shown() -> None:
    token = identity.one_time_token(bytes(20))
    address = identity.read(identity.ONCE + token.value.upper())
    assert isinstance(address, identity.OnceAddress)
    assert (address.token.value, repr(address.token)) == (token.value, "******")
