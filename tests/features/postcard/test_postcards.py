"""Postcards: what they show, whom they name, and what counts as an invitation."""

from __future__ import annotations

import re
from urllib.parse import unquote

import pytest
from harness.letters import PASSWORD, Got
from harness.office import Office, address

from pbmstar.features.postcard.feature import moment, scene
from pbmstar.service.work.apply import load

AUNT = "aunt@home.example"
EVIL = "evil@evil.example"
# alice, X, resigns when bob leads; the game is open until then.
MOVES = ("C3", "B3", "D3", "D2", "C4", "C2")


def finished(office: Office, *moves: str, challenge: str = "star challenge -size=3") -> int:
    board = office.game(f"{challenge} alice bob")
    office.play(board, *MOVES, *moves)
    return board


def sent(office: Office, board: int, who: str = "alice", to: str = AUNT, word: str = "star") -> Got:
    """The postcard that comes of the command."""
    letters = office.send(who, f"{word} postcard {board} {who} {PASSWORD[who]} {to}")
    (card,) = (each for each in letters if each.to == to)
    return card


def bets(card: Got) -> dict[str, str]:
    """The buttons of a postcard: what each says, and what it sends."""
    links = re.findall(r'href="mailto:[^"]*subject=(bet[^"]*)">([^<]*)', card.html)
    return {said: unquote(line) for line, said in links}


# -- the scene


@pytest.mark.parametrize(
    "challenge", ["star challenge -size=3", "hex challenge -size=4", "*star challenge -rings=3"]
)
def test_a_postcard_shows_the_last_board_that_both_could_still_win(
    office: Office, challenge: str
) -> None:
    """One move later one of them could not; the very last move is never there."""
    board = office.game(f"{challenge} alice bob")
    with office.store.transaction() as tx:
        match = load(office.work(tx), board)
    for at in range(200):
        moves = [move for move in match.position.moves() if move not in ("pass", "swap")]
        if match.position.over or not moves:
            break
        match = match.after(match.to_move, moves[at * 7 % len(moves)], 0.0)
    number = moment(match)
    assert 0 < number < match.position.played
    assert match.at_move(number).bounds.decided is None
    assert match.at_move(number + 1).bounds.decided or number + 1 == match.position.played


def test_a_scene_keeps_the_sides_after_a_swap_and_nothing_of_the_players(office: Office) -> None:
    board = office.game("star challenge -size=3 alice bob")
    office.play(board, "C3", "swap", "B3", "D3", "D2", "resign")
    with office.store.transaction() as tx:
        match = load(office.work(tx), board)
    shown = scene(match, 3, "alice", "another player")
    assert shown.players == {"X": "another player", "O": "alice"}
    assert shown.position.stones == match.at_move(3).position.stones
    assert "bob" not in repr(shown) and shown.number == 0


# -- the letter


def test_a_postcard_names_no_person_but_its_sender_and_has_no_words(office: Office) -> None:
    board = office.game("star challenge -size=3 alice bob")
    office.play(board, *MOVES, body="Your corner is weak, Alice")
    office.play(board, "resign", body="Well played, from Bob")
    card = sent(office, board)
    content = card.text + card.html + str(card.mail)
    assert "alice" in content and "another player" in content
    assert not re.search(r"\bbob\b|Bob|corner|Well played", content)
    assert address("alice") not in content and address("bob") not in content


def test_a_postcard_names_a_program(office: Office) -> None:
    board = office.game("star challenge -size=3 alice bot1")
    office.advance(board, *MOVES, "resign")
    assert "against bot1, a computer program" in sent(office, board).words


def test_the_buttons_bet_on_the_sender_or_against(office: Office) -> None:
    """Wherever the sender sits."""
    board = finished(office, "resign")
    assert bets(sent(office, board)) == {"I bet on alice": "bet x", "I bet against alice": "bet o"}
    mine = bets(sent(office, board, "bob", "uncle@home.example"))
    assert mine == {"I bet on bob": "bet o", "I bet against bob": "bet x"}


# -- the answer


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("last", "line", "said"),
    [
        (("resign",), "bet o", "You saw it coming: alice lost."),
        (("resign",), "I bet on X.", "Not this time: alice lost."),
        (("B4", "resign"), "x", "You saw it coming: alice won."),
        (("pass", "pass"), "bet x", "You saw it coming: alice won by 3 points."),
    ],
)
def test_a_bet_is_answered_and_opens_the_game_of_the_door(
    office: Office, last: tuple[str, ...], line: str, said: str
) -> None:
    card = sent(office, finished(office, *last))
    (welcome,) = office.send(AUNT, line, "", card.reply_to)
    assert said in welcome.words and "bot1, our easiest bot" in welcome.words
    (name,) = office.send(AUNT, "C3", "", welcome.reply_to)
    office.send(AUNT, "signup aunt", "", name.reply_to)
    row = office.row(2)
    assert row is not None and row.seats == ("aunt", "bot1") and office.row(3) is None
    assert office.check() == []


def test_the_board_of_the_answer_is_of_the_game_that_was_shown(office: Office) -> None:
    board = office.game("hex challenge -size=4 alice bob")
    office.play(board, "B2", "C2", "B3", "C3", "resign")
    (welcome,) = office.send(AUNT, "bet x", "", sent(office, board, word="hex").reply_to)
    assert "this game of Hex" in welcome.words


def test_a_bet_on_a_game_that_goes_on_again_is_open(office: Office) -> None:
    card = sent(office, finished(office, "resign"))
    assert office.run("admin", "board", "reset", "--to-move", "3", "1").exit_code == 0
    office.letters()
    (welcome,) = office.send(AUNT, "bet o", "", card.reply_to)
    assert "that game was reopened" in welcome.words
    office.run("admin", "board", "remove", "1", "--yes")
    office.letters()
    (welcome,) = office.send(AUNT, "bet o", "", card.reply_to)
    assert "that game was reopened" in welcome.words


def test_a_bet_on_a_player_who_was_erased_names_a_side(office: Office) -> None:
    card = sent(office, finished(office, "resign"))
    assert office.run("admin", "user", "erase", "alice").exit_code == 0
    office.letters()
    (welcome,) = office.send(AUNT, "bet o", "", card.reply_to)
    assert "You saw it coming: o won." in welcome.words


@pytest.mark.parametrize(
    ("challenge", "word", "cell"),
    [("star challenge -size=3", "star", "C3"), ("hex challenge -size=4", "hex", "B2")],
)
def test_a_cell_in_reply_to_a_postcard_is_the_first_stone_of_a_game(
    office: Office, challenge: str, word: str, cell: str
) -> None:
    card = sent(office, finished(office, "resign", challenge=challenge), word=word)
    assert "reply with a cell" in card.words
    (letter,) = office.send(AUNT, "Re: Star", cell, card.reply_to)
    assert f"Your stone is on {cell}" in letter.words
    office.send(AUNT, "Re: Star", "signup aunt", letter.reply_to)
    assert office.record(2)[:1] == [cell]
    assert office.row(2).game == word  # type: ignore[union-attr]


@pytest.mark.parametrize("text", ["C3\nsignup aunt", "signup aunt\nC3"])
def test_a_cell_and_a_name_in_reply_to_a_postcard_are_a_game(office: Office, text: str) -> None:
    card = sent(office, finished(office, "resign"))
    office.send(AUNT, "Re: Star", text, card.reply_to)
    assert office.record(2)[:1] == ["C3"]


# -- limits


def test_postcards_and_invitations_count_together(office: Office) -> None:
    """Three people a week; one letter to an address, ever."""
    board = finished(office, "resign")
    said = f"alice {PASSWORD['alice']}"
    lines = [
        f"star postcard {board} {said} one@x.example",
        f"invite {said} one@x.example",
        f"star postcard {board} {said} two@x.example",
        f"invite {said} three@x.example",
    ]
    sent_to = [
        [e.to for e in office.send("alice", line) if e.to != address("alice")] for line in lines
    ]
    assert sent_to == [["one@x.example"], [], ["two@x.example"], ["three@x.example"]]
    (refused,) = office.send("alice", f"star postcard {board} {said} four@x.example")
    assert "3 people a week" in refused.words
    letters = office.send("bob", f"star postcard {board} bob {PASSWORD['bob']} one@x.example")
    assert [each.to for each in letters] == [address("bob")]


def test_an_operator_stops_the_postcards_and_invitations_of_one_player(office: Office) -> None:
    board = finished(office, "resign")

    def gone(who: str, number: int) -> set[str]:
        said = f"{who} {PASSWORD[who]}"
        lines = (
            f"star postcard {board} {said} a{number}@x.example",
            f"invite {said} b{number}@x.example",
        )
        return {each.to for line in lines for each in office.send(who, line)} - {address(who)}

    stop, allow = (["admin", "invitation", word, "Alice"] for word in ("stop", "allow"))
    assert office.run(*allow).exit_code and office.run(*stop[:-1], "nobody").exit_code
    assert office.run(*stop).output == "alice can't send invitations and postcards any more.\n"
    assert gone("alice", 1) == set() and gone("bob", 2) == {"a2@x.example", "b2@x.example"}
    (letter,) = office.send("alice", f"invite alice {PASSWORD['alice']} c@x.example")
    assert "has blocked you from sending invitations and postcards" in letter.words
    listed = {each["userid"]: each for each in office.facts("admin", "invitation", "list")}
    assert listed["alice"] == {"userid": "alice", "invited": 0, "state": "stopped"}
    assert listed["bob"] == {"userid": "bob", "invited": 2, "state": "allowed"}
    assert office.facts("admin", "user", "export", "alice")["stopped_invitations"]
    assert office.run(*allow).exit_code == 0 and gone("alice", 3)
    acts = [each["act"] for each in office.facts("admin", "audit")]
    assert {"invitation stop alice", "invitation allow alice"} <= set(acts)


def test_no_game_with_the_sender_follows_a_postcard(office: Office) -> None:
    card = sent(office, finished(office, "resign"))
    letters = office.send(AUNT, "signup aunt", "", card.reply_to)
    assert {each.to for each in letters} == {AUNT} and office.row(2) is None


def test_the_answer_does_not_tell_if_an_address_has_an_account(office: Office) -> None:
    board = finished(office, "resign")
    line = f"star postcard {board} alice {PASSWORD['alice']}"
    known = office.send("alice", f"{line} {address('bob')}")
    unknown = office.send("alice", f"{line} {AUNT}")
    assert [each.to for each in known] == [address("alice")]
    assert known[0].text == unknown[0].text


@pytest.mark.parametrize(
    ("challenge", "end", "why"),
    [
        ("star challenge -size=3", (), "is still running"),
        ("star challenge -size=3 -private", ("resign",), "is private"),
    ],
)
def test_a_game_that_runs_or_is_private_is_shown_to_nobody(
    office: Office, challenge: str, end: tuple[str, ...], why: str
) -> None:
    board = finished(office, *end, challenge=challenge)
    (letter,) = office.send("alice", f"star postcard {board} alice {PASSWORD['alice']} {AUNT}")
    assert letter.to == address("alice") and why in letter.words
    assert office.rows()["invitations"] == []


def test_only_players_send_a_postcard(office: Office) -> None:
    office.add("carol")
    board = finished(office, "resign")
    for line in (
        f"star postcard {board} carol {PASSWORD['carol']} {AUNT}",
        f"star postcard {board} {AUNT}",
    ):
        letters = office.send("carol", line)
        assert {each.to for each in letters} == {address("carol")}
    assert office.rows()["invitations"] == []


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "line", ["postcard to {}", "postcard {}", "postcard 1 {}", "star postcard 1 {}"]
)
def test_a_postcard_is_sent_by_any_reply(office: Office, line: str) -> None:
    board = finished(office, "resign")
    for asked in (f"star show {board}", "help"):
        if asked == "help" and "1" not in line:
            continue
        to = office.send("alice", asked)[-1].reply_to
        friend = f"a{len(asked)}@home.example"
        letters = office.send("alice", "Re: Star", line.format(friend), to)
        assert {each.to for each in letters} == {address("alice"), friend}


# -- what a forged mail can do


@pytest.mark.parametrize("line", ["bet x", "never mind", "signup aunt"])
def test_a_reply_from_another_address_learns_nothing(office: Office, line: str) -> None:
    card = sent(office, finished(office, "resign"))
    office.send(EVIL, "hello")
    letters = office.send(EVIL, "Re: Star", line, card.reply_to)
    assert {each.to for each in letters} <= {EVIL}
    assert not any("alice" in each.words for each in letters)


@pytest.mark.slow
def test_a_bet_on_another_board_is_not_answered(office: Office) -> None:
    """The address names the board, and cannot be changed."""
    card = sent(office, finished(office, "resign"))
    other = finished(office, "B4", "resign", challenge="star challenge -size=3 -private")
    to = re.sub(r"b\d+-", f"b{other}-", card.reply_to)
    assert to != card.reply_to
    assert not any(
        "won" in each.words or "lost" in each.words for each in office.send(AUNT, "bet x", "", to)
    )


def test_what_is_kept_of_a_postcard_is_exported_and_erased(office: Office) -> None:
    """As of an invitation: the mark of the address stays, since no second letter goes there."""
    board = finished(office, "resign")
    sent(office, board)
    kept = office.facts("admin", "user", "export", "alice")["invitations"]
    assert [(each["mailed"], each["board"]) for each in kept] == [(1, 0)]
    assert AUNT not in str(kept)
    office.run("admin", "user", "erase", "alice")
    letters = office.send("bob", f"star postcard {board} bob {PASSWORD['bob']} {AUNT}")
    assert [each.to for each in letters] == [address("bob")]
