"""Replies to a board mail: a bare move to an address that speaks for one player, board and turn."""

from __future__ import annotations

import pytest
from harness.office import DAY, Got, Office, address

from pbmstar.service import Outcome


def to_reply(letters: list[Got], userid: str) -> str:
    """The Reply-To of the letter to that player."""
    (letter,) = [letter for letter in letters if letter.to == address(userid)]
    return letter.reply_to


def test_a_move(office: Office) -> None:
    """A4: the token of the turn, from the player's address, plays; the text below is the comment."""
    letters = office.send("alice", "star challenge alice bob")
    replied = office.send(
        "alice", "Re: New Star Board 1 alice", "F6\n\nGood luck!", to_reply(letters, "alice")
    )
    assert office.record(1) == ["F6"]
    assert sorted(letter.to for letter in replied) == [address("alice"), address("bob")]
    assert all(letter.text.endswith("alice writes:\n\nGood luck!\n") for letter in replied)
    office.send("bob", "Re: Star Board 1 bob", "swap", to_reply(replied, "bob"))
    assert office.record(1) == ["F6", "swap"]


def test_a_whole_game_by_replies(office: Office) -> None:
    letters = office.send("alice", "star challenge -size=3 alice bob")
    for who, move in (("alice", "c1"), ("bob", "*D1*"), ("alice", "Pass."), ("bob", "PASS")):
        letters = office.send(who, "Re: x", move, to_reply(letters, who))
    assert office.record(1) == ["C1", "D1", "pass", "pass"]
    assert letters[0].subject == "Star Board 1"
    assert letters[0].mail["Reply-To"] is None


@pytest.mark.parametrize(
    "line", ["F6", "f6", "F6#1", "F6 #1", "F6.", "F6!", "*F6*", "“F6”", "\u00a0F6 "]
)
def test_forms_of_a_move(office: Office, line: str) -> None:
    letters = office.send("alice", "star challenge alice bob")
    office.send("alice", "Re: x", line, to_reply(letters, "alice"))
    assert office.record(1) == ["F6"]


def test_a_command_as_the_subject_of_a_mail_to_the_reply_address(office: Office) -> None:
    """The old syntax keeps working: what the text says is the comment then."""
    letters = office.send("alice", "star challenge alice bob")
    to = to_reply(letters, "alice")
    office.send("alice", "star move 1 alice wr0ng F6", "G7", to)
    assert office.record(1) == []
    replied = office.send("alice", "star move 1 alice s3cret F6", "G7", to)
    assert office.record(1) == ["F6"]
    assert replied[0].text.endswith("alice writes:\n\nG7\n")
    office.send("bob", "Star is a fine game", "swap", to_reply(replied, "bob"))
    assert office.record(1) == ["F6", "swap"]


def test_quoted_text_is_not_read(office: Office) -> None:
    letters = office.send("alice", "star challenge alice bob")
    to = to_reply(letters, "alice")
    office.send("alice", "Re: x", "> G7\n\nF6\n\n> You can:\n>   star resign 1 alice password", to)
    assert office.record(1) == ["F6"]
    assert "You can" not in office.record(1)


@pytest.mark.parametrize(
    ("line", "subject"),
    [
        ("show", "Star Board 1 alice"),
        ("score", "Star Board 1 Score"),
        ("help", "Help: Star"),
        ("Show.", "Star Board 1 alice"),
        ("help account", "Help: account"),
    ],
)
def test_words_that_only_ask(office: Office, line: str, subject: str) -> None:
    letters = office.send("alice", "star challenge alice bob")
    before = office.state()
    (letter,) = office.send("alice", "Re: x", line, to_reply(letters, "alice"))
    assert (letter.to, letter.subject) == (address("alice"), subject)
    assert office.state() == before


def test_resign_propose_accept_decline(office: Office) -> None:
    letters = office.send("alice", "star challenge -size=3 alice bob")
    letters = office.send("bob", "Re: x", "propose 8-5", to_reply(letters, "bob"))
    assert "bob proposes to end the game" in letters[0].text
    office.send("alice", "Re: x", "accept", to_reply(letters, "alice"))
    assert office.record(1) == ["agree 8 5"]
    letters = office.send("alice", "star challenge alice bob")
    office.send("bob", "Re: x", "Decline", to_reply(letters, "bob"))
    assert office.row(2) is None
    letters = office.send("alice", "star challenge alice bob")
    office.send("bob", "Re: x", "resign", to_reply(letters, "bob"))  # out of turn
    assert office.record(3) == ["resign"]


@pytest.mark.parametrize(
    "line",
    [
        "Decline? No, I will play.",
        "Accept my thanks for the game",
        "resign now",
        "I resign",
        "pass, I think",
        "propose 8-5 or so",
        "swap?? never",
        "Thanks, I am thinking about it",
        "F6 G7",
        "yes",
        "propose",
        "-- ",
        "",
    ],
)
def test_a_line_that_is_no_move_does_nothing(office: Office, line: str) -> None:
    office.game("star challenge -size=3 alice bob")
    office.play(1, "C1", "D1")
    letters = office.send("bob", "star propose 1 bob hunter2 8-5")
    before = office.state()
    answers = office.send("alice", "Re: x", line, to_reply(letters, "alice"))
    (letter,) = answers
    assert letter.subject == "Star Board 1 Error"
    assert letter.to == address("alice")
    assert "\nIt is alice's turn.\n" in letter.text
    assert office.state() == before


def test_a_refused_move_can_be_replied_to_again(office: Office) -> None:
    letters = office.send("alice", "star challenge alice bob")
    (letter,) = office.send("alice", "Re: x", "Z9", to_reply(letters, "alice"))
    assert letter.text.startswith("This was understood:\n\n  Z9\n\nThere is no cell Z9")
    office.send("alice", "Re: Star Board 1 Error", "F6", letter.reply_to)
    assert office.record(1) == ["F6"]


def test_a_whole_command_in_a_reply(office: Office) -> None:
    """Whoever writes a whole command into a reply means that command, password and all."""
    letters = office.send("alice", "star challenge alice bob")
    to = to_reply(letters, "alice")
    office.send("alice", "Re: x", "star move 1 alice s3cret F6", to)
    assert office.record(1) == ["F6"]
    (letter,) = office.send("alice", "Re: x", "star move 1 alice wr0ngone F7", to)
    assert "The userid or the password is not right" in letter.text


def test_an_old_token(office: Office) -> None:
    """A4 D4: a reply to a mail about an earlier turn is told that the board has changed."""
    letters = office.send("alice", "star challenge alice bob")
    office.play(1, "F6", "G7")
    before = office.state()
    for line in ("H7", "F6", "resign", "pass", "decline"):
        (letter,) = office.send("alice", "Re: x", line, to_reply(letters, "alice"))
        assert letter.subject == "Star Board 1 Error"
        assert "an earlier turn" in letter.text
        assert "\n  1 F6   2 G7\n" in letter.text
    assert office.state() == before
    # What is only asked may be asked at any time.
    (letter,) = office.send("alice", "Re: x", "show", to_reply(letters, "alice"))
    assert letter.subject == "Star Board 1 alice"


def test_the_token_of_a_turn_plays_once(office: Office) -> None:
    letters = office.send("alice", "star challenge alice bob")
    to = to_reply(letters, "alice")
    office.send("alice", "Re: x", "F6", to)
    (letter,) = office.send("alice", "Re: x", "G7", to)
    assert "an earlier turn" in letter.text
    assert office.record(1) == ["F6"]


def test_out_of_turn(office: Office) -> None:
    letters = office.send("alice", "star challenge alice bob")
    (letter,) = office.send("bob", "Re: x", "F6", to_reply(letters, "bob"))
    assert "It is not your turn." in letter.text
    assert office.record(1) == []


def test_upper_case(office: Office) -> None:
    """A4: some servers change the case of an address: accepted."""
    letters = office.send("alice", "star challenge alice bob")
    office.send("alice", "Re: x", "F6", to_reply(letters, "alice").upper())
    assert office.record(1) == ["F6"]


def test_a_bit_flipped(office: Office) -> None:
    """A4: a token of which one letter is wrong is nobody's: nothing happens, nobody is told."""
    letters = office.send("alice", "star challenge alice bob")
    local, _, domain = to_reply(letters, "alice").partition("@")
    start = local.index("z") + 1
    before = office.state()
    for place in range(start, len(local)):
        other = "b" if local[place] == "a" else "a"
        forged = f"{local[:place]}{other}{local[place + 1 :]}@{domain}"
        assert office.send("alice", "Re: x", "F6", forged) == []
    assert office.state() == before


def test_the_token_of_another_board_turn_or_key(office: Office) -> None:
    """A4: what a token says about itself is signed as well."""
    first = to_reply(office.send("alice", "star challenge alice bob"), "alice")
    office.game()
    before = office.state()
    for old, new in (("r1t", "r2t"), ("r1t0k", "r1t1k"), ("k1z", "k2z"), ("r1t", "r9t")):
        assert office.send("alice", "Re: x", "F6", first.replace(old, new)) == []
    assert office.state() == before


def test_another_players_token(office: Office) -> None:
    """A3: from any other address a token is refused, and its owner is told once a day."""
    office.add("carol")
    letters = office.send("alice", "star challenge alice bob")
    to = to_reply(letters, "alice")
    before = office.state()
    for sender in ("bob", "carol", "thief@evil.example"):
        office.deliver(office.write(sender, "Re: x", "F6", to), to=to)
    (letter,) = office.letters()
    assert letter.to == address("alice")
    assert "came from an address that is not yours" in " ".join(letter.text.split())
    assert office.state() == before
    office.now += DAY
    assert len(office.send("bob", "Re: x", "F6", to)) == 1


def test_my_opponents_token_from_my_address_is_not_mine(office: Office) -> None:
    """A3: bob's own letters never hold a token that speaks for alice."""
    letters = office.send("alice", "star challenge alice bob")
    assert to_reply(letters, "alice") != to_reply(letters, "bob")
    assert to_reply(letters, "alice").encode() not in letters[1].raw


def test_a_vacation_reply_that_quotes_the_token(office: Office) -> None:
    """H13: ignored, and the token still serves."""
    letters = office.send("alice", "star challenge alice bob")
    to = to_reply(letters, "alice")
    for headers in ("Auto-Submitted: auto-replied\r\n", "X-Autoreply: yes\r\n"):
        raw = office.write("alice", "Out of office", "F6\n\nReply to " + to, to, headers)
        assert office.deliver(raw, to=to).name == "ignored"
    assert (
        office.deliver(office.write("alice", "Automatic reply: x", "F6", to), to=to).name
        == "ignored"
    )
    assert office.letters() == []
    assert office.record(1) == []
    office.send("alice", "Re: x", "F6", to)
    assert office.record(1) == ["F6"]


def test_the_null_sender_with_a_token(office: Office) -> None:
    """T28: a token does not make a bounce into a move."""
    letters = office.send("alice", "star challenge alice bob")
    to = to_reply(letters, "alice")
    raw = office.write("alice", "Re: x", "F6", to)
    assert office.deliver(raw, sender="", to=to) == Outcome("ignored", "null sender")


def test_a_token_of_before_a_reset_is_void(office: Office) -> None:
    from pbmstar.service import admin

    letters = office.send("alice", "star challenge alice bob")
    office.play(1, "F6")
    after = office.at_desk(admin.reset_board, 1, 1)
    assert after.turn == 1
    fresh = office.letters()
    assert office.send("alice", "Re: x", "G7", to_reply(letters, "alice")) == []
    assert office.record(1) == []
    office.send("alice", "Re: x", "G7", to_reply(fresh, "alice"))
    assert office.record(1) == ["G7"]


def test_a_token_of_a_removed_board(office: Office) -> None:
    letters = office.send("alice", "star challenge alice bob")
    office.send("alice", "star decline 1 alice s3cret")
    assert office.send("alice", "Re: x", "F6", to_reply(letters, "alice")) == []


def test_a_token_after_a_new_key(office: Office) -> None:
    """A new key signs from then on; tokens of the old one still serve."""
    letters = office.send("alice", "star challenge alice bob")
    office.ask("add_key", b"k" * 32, office.now)
    office.now += 120
    letters = office.send("alice", "Re: x", "F6", to_reply(letters, "alice"))
    assert office.record(1) == ["F6"]
    assert "k2z" in to_reply(letters, "bob")
    thread = [
        letter.mail["References"].split()[0] for letter in letters if letter.to == address("bob")
    ]
    assert thread == [office.send("bob", "star show 1")[0].mail["References"].split()[0]]


def test_a_token_after_the_address_has_changed(office: Office) -> None:
    from pbmstar.service import admin

    letters = office.send("alice", "star challenge alice bob")
    office.at_desk(admin.set_address, "alice", "alice@new.example")
    office.letters()
    to = to_reply(letters, "alice")
    office.send("alice@new.example", "Re: x", "F6", to)
    assert office.record(1) == ["F6"]


def test_an_account_that_is_closed(office: Office) -> None:
    letters = office.send("alice", "star challenge alice bob")
    office.send("bob", "signoff bob hunter2")
    assert office.send("bob", "Re: x", "show", to_reply(letters, "bob")) == []


def test_the_same_reply_twice(office: Office) -> None:
    """D1: a reply delivered twice has one effect."""
    letters = office.send("alice", "star challenge alice bob")
    to = to_reply(letters, "alice")
    raw = office.write("alice", "Re: x", "F6", to)
    assert [office.deliver(raw, to=to).name for _ in range(3)] == [
        "applied",
        "duplicate",
        "duplicate",
    ]


def test_the_address_fits_into_a_local_part(office: Office) -> None:
    letters = office.send("alice", "star challenge alice bob")
    for letter in letters:
        assert len(letter.reply_to.partition("@")[0]) <= 64
        assert letter.reply_to == letter.reply_to.lower()
