"""Every address that we accept is one that letters reach: what is stored is what a mail server takes."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest
from harness.letters import PASSWORD
from harness.office import Office, scribe
from harness.sink import Sink
from hypothesis import example, given
from hypothesis import strategies as st
from smart import smart

from pbmstar.delivery.configured import Written
from pbmstar.errors import BadInput
from pbmstar.identity import addresses

SMTP = re.compile(r"[!-;=?-~]+@[!-;=?-~]+")  # one word of its commands
LOCALS = (
    "pal",
    "p.a-l",
    "p+a",
    "o'neil",
    "{x}",
    "a/b",
    "x=y",
    "#1",
    "a_b",
    "!",
    "p$l&q*r~s`t^u|v?w",
    "A" * 64,
)
# As mail servers spell them, and as people do.
DOMAINS = {
    "xn--mnchen-3ya.example": "münchen.example",
    "xn--fsqu00a.xn--0zwm56d": "例子.测试",
    "xn--hxajbheg2az3al.xn--jxalpdlp": "παράδειγμα.δοκιμή",
    "xn--e1afmkfd.xn--80akhbyknj4f": "пример.испытание",
    "xn--mgbh0fb.xn--kgbechtv": "مثال.إختبار",
    "xn--strae-oqa.example": "straße.example",
    "xn--4gbrim.example": "موقع.example",
    "a-b.c1.example": "a-b.c1.example",
    "1.example": "1.example",
}  # fmt: skip


@pytest.mark.few(3)
@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("local", LOCALS)
def test_both_spellings_are_one(local: str, domain: str) -> None:
    asked = f"{local}@{domain}"
    assert (
        addresses.checked(asked) == asked.lower() == addresses.checked(f"{local}@{DOMAINS[domain]}")
    )
    assert SMTP.fullmatch(addresses.checked(asked))
    assert addresses.shown(asked.lower()) == f"{local.lower()}@{DOMAINS[domain]}"


@pytest.mark.slow
@given(
    st.text(max_size=20), st.one_of(st.sampled_from(sorted(DOMAINS.values())), st.text(max_size=20))
)
@example("a", "ａ.example")
@example("a", "a。example")
@example("a", "[1.2.3.4]")
def test_what_is_accepted_can_be_sent_to(local: str, domain: str) -> None:
    with suppress(BadInput):
        accepted = addresses.checked(f"{local}@{domain}")
        assert SMTP.fullmatch(accepted)
        assert (
            addresses.checked(accepted) == accepted == addresses.checked(addresses.shown(accepted))
        )


@pytest.mark.slow
def test_each_kind_of_letter_goes_to_each_form(office: Office) -> None:
    """A greeting, a password by mail, an account, a change of address and an invitation, by a real connection."""
    domains = iter(DOMAINS.items())
    with Sink() as sink:
        relay = smart(sink)
        office.relay = Written(relay, scribe(office.config.templates, office.config.address))

        def reached(sender: str, subject: str, body: str = "") -> list[str]:
            before = len(sink.letters)
            office.send(sender, subject, body)
            return sorted(to for each in sink.letters[before:] for to in each.recipients)

        for number, (domain, people_write) in enumerate(domains):
            pal, seen = f"pal{number}@{domain}", f"pal{number}@{people_write}"
            assert reached(pal, "hello") == [pal]
            assert reached(pal, f"signup pal{number}") == [pal]
            assert reached("x@y.example", f"signup a{number} s3cretw {seen}") == [pal]
            if number < 3:
                changed = reached("alice", f"change address alice {PASSWORD['alice']} {seen}")
                assert changed == sorted((pal, "alice@alice.example"))
                invited = reached("bob", f"invite bob {PASSWORD['bob']} x{seen}")
                assert invited == sorted((f"x{pal}", "bob@bob.example"))
        office.at_work(_opened, "Pal@MÜNCHEN.example")
        assert reached("alice", "star challenge alice pal") == [
            "alice@alice.example",
            "pal@xn--mnchen-3ya.example",
        ]
        assert "star move" not in reached("pal@xn--mnchen-3ya.example", "games")
        relay.close()


def _opened(work: object, address: str) -> None:
    from pbmstar.grammar.literals import Secret
    from pbmstar.service.admin import people

    people.add_user(work, "pal", address, Secret("s3cretw"), opener=None)  # type: ignore[arg-type]
