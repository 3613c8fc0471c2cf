"""A letter to any address, and what came back of it."""

from __future__ import annotations

import json
from typing import Any

from harness.office import Office


def listed(office: Office) -> list[dict[str, Any]]:
    return list(json.loads(office.run("admin", "probe", "--json").output))


def test_a_reply_to_a_probe_is_listed(office: Office) -> None:
    """It has all that letters have, and the reply changes nothing else."""
    done = office.run("admin", "probe", "me@far.example", pictures="on")
    assert done.exit_code == 0, done.output
    (letter,) = office.letters()
    kinds = {part.get_content_type() for part in letter.mail.walk()}
    assert {"text/plain", "text/html"} <= kinds
    state = office.state()
    office.now += 42
    assert (
        office.send("me@far.example", "Re: probe", "star show 1", to=letter.mail["Reply-To"]) == []
    )
    (probe,) = listed(office)
    assert (probe["state"], probe["back"]) == (
        "sent",
        "a reply, none by our mail server after 42 s",
    )
    assert office.state() == state


def test_what_no_probe_asked_for_is_not_listed(office: Office) -> None:
    office.run("admin", "probe", "me@far.example")
    (letter,) = office.letters()
    forged = letter.mail["Reply-To"].replace("+p", "+pzz")
    office.send("me@far.example", "Re: probe", "x", to=forged)
    assert [each["back"] for each in listed(office)] == [None]


def test_an_address_that_is_none_is_refused(office: Office) -> None:
    assert office.run("admin", "probe", "nobody").exit_code == 1
