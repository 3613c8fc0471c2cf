"""A mail that comes twice has its effect once: every verb of time, leave, plans, requests and words."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from harness.letters import PASSWORD
from harness.office import DAY, Office

# Who sends what, in this order; ">" is a reply to the newest letter that the player can reply to, and
# "@" lets so many days pass. Boards are numbered as challenges come: 1 is begun before.
STORY = """
alice star extend 1 alice {} 7 | bob > extend 3 | bob away bob {} 5 | bob back bob {} | alice > away 2
alice > back | alice leave alice {} off | alice leave alice {} auto | alice zone alice {} Asia/Tokyo
alice drawing alice {} words | alice letters alice {} mine | alice letters alice {} each
bob star plan 1 bob {} if H6 then H7, if C8 then D8; else E8 | bob star queue 1 bob {} H7
bob star plan 1 bob {} none | alice star move 1 alice {} H6 if D5 then D6 | bob > D5 if D7 then E7
alice > note | alice star notes 1 alice {} | alice star say 1 alice {} | bob > try E5 F7 G5
bob > yes plan | bob star draw 1 bob {} | alice > no | alice > undo | bob > yes
bob star cancel 1 bob {} | alice > decline later | bob star undo 1 bob {} | alice > decline always
alice star resign 1 alice {} | bob > rematch | alice > counter -time=3d | alice > decline slow
alice star challenge -undo=free -private alice bob | alice > F6 | alice > undo
bob star decline 4 bob {} | alice star challenge alice bob | alice > F6 | bob > swap
bob resign all bob {} | bob > yes | bob signoff bob {}
""".replace("\n", " | ")


_COUNTED = ("handled", "counts", "facts")  # these tables count mails and remember them


@pytest.mark.slow
def test_a_doubled_mail_changes_nothing(office_of: Callable[..., Office]) -> None:
    """The second one is a duplicate, sends no letter, and leaves every table as it was."""
    office = office_of(limits="off")
    office.game()
    office.play(1, "F6", "G7")
    newest: dict[str, str] = {}
    for line in filter(None, map(str.strip, STORY.split("|"))):
        office.now += 60
        who, _, said = line.partition(" ")
        to, text = "star@pbm.example", said.format(PASSWORD[who])
        body = "Some words." if said.split()[0] != ">" else ""
        if said.startswith("> "):
            to, text, body = newest[who], "Re: board", f"{said[2:]}\nSome words."
        raw = office.write(who, text, body, to)
        outcome = office.deliver(raw, to=to)
        assert outcome.name == "applied", (line, outcome.codes)
        for letter in office.letters():
            if letter.mail["Reply-To"]:
                newest[letter.to.partition("@")[0]] = letter.reply_to
        before = office.rows(*_COUNTED)
        office.now += DAY / 24
        assert office.deliver(raw, to=to).name == "duplicate", line
        assert office.letters() == [], line
        assert office.rows(*_COUNTED) == before, line
    assert office.check() == []
