"""What mails with a forged From bring to the player whom they name."""

from __future__ import annotations

import pytest
from harness.letters import PASSWORD
from harness.office import DAY, Office, address

from pbmstar.command import GAME_VERBS, SERVER_VERBS, Verb
from pbmstar.service.proof import rations
from pbmstar.service.proof.rations import ASKED_A_MAIL

_MAILS, _LINES = 8, 5


@pytest.mark.parametrize("verb", [*GAME_VERBS, *SERVER_VERBS], ids=lambda verb: verb.name)
def test_no_verb_brings_more_than_the_ration(
    office: Office, verb: Verb, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each line of the table, with a wrong password where one belongs; here the ration is small."""
    monkeypatch.setattr(rations, "LETTERS_A_DAY", 12)
    office.begun()
    word = "" if verb in SERVER_VERBS else "minisolitaire " if 2 not in verb.seats else "star "
    example = verb.example.replace("17", "1").replace("18", "1").replace("s3cret", "wr0ng")
    example = example.replace("alice@new.example", address("alice"))
    letters = 0
    for number in range(_MAILS):
        lines = [f"{word}{example}"] * _LINES
        raw = office.write("alice", f"no. {number}", "\r\n".join(lines))
        office.deliver(raw, sender="evil@evil.example", peer="192.0.2.66")
        letters += sum(letter.to == address("alice") for letter in office.letters())
    assert letters <= 12


def test_challenges_to_one_player_count_when_they_are_made(office: Office) -> None:
    """Ten a day, declined or not; those that forged mails make are counted apart."""
    board = office.game()
    office.send("alice", f"star decline {board} alice {PASSWORD['alice']}")

    def made(sender: str) -> int:
        count = 0
        for _ in range(15):
            office.deliver(office.write("alice", "star challenge alice bob"), sender=sender)
            for letter in office.letters():
                if letter.to == address("alice") and letter.subject.startswith("New Star"):
                    count += 1
                    office.send("alice", "", "decline", letter.reply_to)
        return count

    assert made("evil@evil.example") == 9, "the first was not proved either"
    assert made(address("alice")) == 10
    office.now += DAY
    assert made(address("alice")) == 10


def test_one_mail_orders_twenty_letters(office: Office) -> None:
    """Of lines with a password each of which asks for more."""
    for _ in range(3):
        office.begun()
    lines = [f"star show {n}#{move}" for n in (1, 2, 3) for move in (1, 2)]
    lines += [f"star show {n}" for n in (1, 2, 3)] + [f"star score {n}" for n in (1, 2, 3)]
    lines += [f"star record {n}" for n in (1, 2, 3)] + ["who", "help", "star games", "games"]
    lines += [f"help {topic}" for topic in office.context.topics[:5]]
    first = f"limit alice {PASSWORD['alice']} 9"
    outcome = office.deliver(office.write("alice", "", "\r\n".join([first, *lines[:19]])))
    assert len(outcome.letters) == 20 and not outcome.codes
    digest = office.write(
        "alice", "", "\r\n".join([first, *["star show 1#1 1#2 2#1 2#2 3 3#1 3#2"], *lines[8:25]])
    )
    outcome = office.deliver(digest)
    assert len(outcome.letters) == ASKED_A_MAIL + 2, "with that about the limit, and the error"
    assert set(outcome.codes) == {"too-many-letters"}


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
