"""The board of a bot: what a player can do on it, and what letters offer there."""

from __future__ import annotations

from collections.abc import Callable

from harness.letters import PASSWORD
from harness.office import Office, address
from service.test_further import PHONE, WORK, further
from service.test_offers import play_and_take


def test_nothing_is_planned_on_it(office: Office) -> None:
    office.game("star challenge -size=4 alice bot1")
    (shown,) = office.send("alice", "star show 1")
    (preview,) = office.send("alice", "Re: x", "try C3 D3 B3", shown.reply_to)
    assert "reply yes." in preview.text and "yes plan" not in preview.text
    (refused,) = office.send("alice", "Re: x", "yes plan", preview.reply_to)
    assert "nothing to plan on this board" in refused.words
    assert office.record(1) == []


def test_what_its_letters_offer_is_taken(office_of: Callable[..., Office]) -> None:
    play_and_take(office_of(limits="off"), "star challenge -size=3 alice bot1", 1)


def test_forged_challenges_to_bots_take_no_place_from_the_owner(office: Office) -> None:
    """Three that prove nothing are all; a player who proves who challenges has three beside them."""
    office.run("admin", "bot", "add", "bot1")
    line = "star challenge -size=3 alice bot1"

    def begun(raw: bytes, sender: str) -> int:
        before = len(office.ask("boards.of", "alice"))
        office.deliver(raw, sender=sender)
        office.letters()
        return len(office.ask("boards.of", "alice")) - before

    def forged() -> int:
        return begun(office.write("alice", line), "evil@evil.example")

    def proved() -> int:
        lines = f"reminders alice {PASSWORD['alice']} on\r\n{line}"
        return begun(office.write("alice", "", lines), address("alice"))

    assert [forged() for _ in range(5)] == [1, 1, 1, 0, 0]
    (letter,) = office.send("alice", "star show 1")
    (new, *_) = office.send("alice", "Re: x", line, letter.reply_to)
    assert new.subject == "New Star Board 4 alice"
    assert [proved() for _ in range(4)] == [1, 1, 0, 0]
    assert forged() == 0
    for board in (4, 5):
        office.send("alice", f"star resign {board} alice {PASSWORD['alice']}")
    office.send("alice", f"star move 1 alice {PASSWORD['alice']} B2")
    assert [proved(), proved()] == [1, 0], "who moves in a game takes it for the player's own"
    assert office.check() == []


def test_a_copy_waits_for_a_bots_answer_as_the_letter_does(office: Office) -> None:
    office.run("admin", "bot", "add")
    further(office, PHONE, "short")
    further(office, WORK, "none")
    office.send("alice", "star challenge -size=4 alice bot1")
    assert office.send(WORK, f"star move 1 alice {PASSWORD['alice']} D4") == []
    office.think()
    letters = {letter.to: letter for letter in office.letters()}
    assert set(letters) == {address("alice"), PHONE, WORK}
    for letter in letters.values():
        assert "bot1 played C4." in letter.text
        assert letter.mail["X-Pbmstar-Move"] == "2"
    assert letters[address("alice")].reply_to == letters[PHONE].reply_to
    assert letters[WORK].mail["Reply-To"] is None
    office.send(PHONE, "Re: board", "C3", to=letters[PHONE].reply_to)
    assert len(office.record(1)) == 3
