"""Details of our addresses: those in mailboxes are read, and speak for what they were signed for."""

from __future__ import annotations

import pytest

from pbmstar import identity
from pbmstar.identity import KEY, REQUEST, ReplyScope

SCOPE = ReplyScope("alice", 17, 1, 5)
MARK = "abcdefgh234567aa"
HOME = ("al-ice", "alice@home.example")
# What each detail below is signed for, in order.
SIGNED: tuple[tuple[object, ...], ...] = (
    ("reply", *SCOPE), ("reply", *SCOPE), ("digest", "alice", 9), ("lesson", "al-ice", 2), ("b", *HOME),
    ("n", MARK, ""), ("s", MARK, ""), ("u", *HOME), ("w", *HOME), ("c", *HOME), ("d", MARK, ""),
)  # fmt: skip
SINCE_0_2_0 = (
    "r17t5k3zxvjg2dopvoqis47ucnzl3b3amq",
    "r17t5k3zxvjg2dopvoqis47ucnzl3b3amqqvdxl",
    "g9k3zl2v267rooyhxu5v6bzzzqlr2z4",
    "l2k3-al-ice-7rilfghpt5saweloxli4cu6ypy",
    "bal-ice-n2c5euoeax3ghrt5er457y4dy4",
    "nabcdefgh234567aa-4yatyz7wexzbjru425uih2p5wq",
    "sabcdefgh234567aa-dlh42jfwvbnsfui7ai7vuf4ioa",
    "ual-ice-u52kfsnpkxveqq33e7fatnfmr4",
    "wal-ice-vgwsfn654e34xy67bo6cxya6me",
    "cal-ice-6qddyfmlzuhesctprmxrk227vi",
    "dabcdefgh234567aa-fogezkh4lo3zambskl24qe5yxq",
)
OF_0_1_0 = (
    "r17t5k3za2hsnxqb3glrszrswju4wds5ya",
    "r17t5k3za2hsnxqb3glrszrswju4wds5yaqeep5",
    "g9k3zqqjy6xcjwlzpxogqjiatosmocq",
    "l2k3-al-ice-jitezmzq3owhu243yhz6esdsly",
    "bal-ice-pglzb5e2enfyw7qijg3q5d77pe",
    "nabcdefgh234567aa-5jiq6pm3zqmcd4wlvbxn6ffxzm",
    "sabcdefgh234567aa-jeried3xx4u5ohniphlqfaoape",
    "ual-ice-xwkdsql3kmzshe5p4mxc37g3dm",
    "wal-ice-ola3mgwgoty7kkcaa42n2du6am",
    "cal-ice-htlrhrnt4qu25jeqqjk6qbrxnq",
    "dabcdefgh234567aa-3zonxqgjdixxlpqfjfmnbvwama",
)
CASES = [
    (size, detail, signed)
    for size, details in ((KEY, SINCE_0_2_0), (32, OF_0_1_0))
    for detail, signed in zip(details, SIGNED, strict=True)
]


@pytest.mark.parametrize(("size", "detail", "signed"), CASES)
def test_a_detail_in_a_mailbox_speaks_for_what_it_was_signed_for(
    size: int, detail: str, signed: tuple[str, ...]
) -> None:
    keys = [(4, bytes(KEY)[1:] + b"x"), (3, bytes(size))]
    for typed in (detail, detail.upper()):
        address = identity.read(typed)
        assert isinstance(address, identity.SignedAddress)
        assert identity.is_signed(keys, address, *signed)
        assert not identity.is_signed(keys[:1], address, *signed)
        assert not identity.is_signed(keys, address, *signed[:-1], f"{signed[-1]}x")
    mark = identity.shown_mark(keys[1:], REQUEST, SCOPE, "draw") if "q" in detail[-5:-4] else ""
    assert identity.sign(keys[1:], *signed) + mark == detail


@pytest.mark.parametrize(
    "detail",
    [
        "",
        "x",
        "r17",
        f"{SINCE_0_2_0[0]}x",
        SINCE_0_2_0[0][:-1],
        SINCE_0_2_0[4].replace("b", "e", 1),
    ],
)
def test_any_other_detail_is_none(detail: str) -> None:
    assert identity.read(detail) == identity.PlainAddress()


def test_a_one_time_token_is_not_shown() -> None:
    token = identity.one_time_token(bytes(20))
    address = identity.read(identity.ONCE + token.value.upper())
    assert isinstance(address, identity.OnceAddress)
    assert (address.token.value, repr(address.token)) == (token.value, "******")
