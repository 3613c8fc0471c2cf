"""Games by mail beside the same games played with the bare rules; long names and long games."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from contextlib import suppress

import pytest
from harness.common import sentence
from harness.letters import PASSWORD
from harness.office import DAY, Office, address

from pbmstar import games
from pbmstar.delivery.relay import SENT, Verdict
from pbmstar.errors import Refusal
from pbmstar.games.base import PLAYERS

_OVER = r"(?m)^(\w+ won |The game was a tie)"

EMPTY = ord(".")


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "challenge",
    [
        "star challenge -size=4 alice bob",
        "*star challenge -rings=3 -handicap=2 -points=3 alice bob",
        "*star challenge -rings=3 -double alice bob",
        *(
            pytest.param(challenge, marks=pytest.mark.slow)
            for challenge in (
                "*star challenge -rings=3 alice bob",
                "star challenge -size=4 -maxi alice bob",
                "*star challenge -rings=4 -nobridge alice bob",
                "stary challenge -rings=4 alice bob",
            )
        ),
    ],
)
def test_letters_say_what_the_rules_say(office: Office, challenge: str, seed: int) -> None:
    """Random moves to the end, as commands and replies in turn: board, scores, turn, result."""
    rng = random.Random(seed)
    word, _, *options, _, _ = challenge.split()
    game = games.make(word, dict(each.lstrip("-").partition("=")[::2] for each in options))
    position, seats = game.start(), {"X": "alice", "O": "bob"}
    letters = {got.to: got for got in office.send("alice", challenge)}
    while not position.over:
        cells = zip(game.grid.names, position.stones, strict=True)
        empty = [name for name, stone in cells if stone == EMPTY]
        due = 2 if "-double" in challenge and position.played and len(empty) > 1 else 1
        move = " ".join(rng.sample(empty, due))
        if position.played == 1 and seats["X"] == "alice" and seed == 1:
            with suppress(Refusal):  # not every game has it
                position.play("swap")
                move = "swap"
        if rng.random() < 0.05:
            move = "pass"
        who = seats[position.mover]
        if position.played % 2:
            answer = office.send(who, f"{word} move 1 {who} {PASSWORD[who]} {move}")
        else:
            to = letters[address(who)].reply_to
            answer = office.send(who, "Re: board", f"{move}\n\nyours, {who}", to)
        letters = {got.to: got for got in answer}
        assert set(letters) == {address("alice"), address("bob")}, move
        position = position.play(move)
        if move == "swap":
            seats = {"X": seats["O"], "O": seats["X"]}
        for got in letters.values():
            assert game.draw(position.stones) in got.text
            assert got.mail["X-Pbmstar-Move"] == str(position.played)
            assert got.mail["X-Pbmstar-To-Move"] == (
                seats[position.to_move] if position.to_move else None
            )
            result = seats[position.winner] if position.winner else "tie"
            assert got.mail["X-Pbmstar-Result"] == (result if position.over else None)
            assert bool(re.search(_OVER, got.text)) == position.over
            if game.has_points:
                x, o = game.score(position.stones).points
                ends = [game.bounds(position.stones).of(p) for p in PLAYERS]
                fits = all(a <= n <= b for n, (a, b) in zip((x, o), ends, strict=True))
                told = fits or position.over  # no score stands there that cannot come about
                scores = (f" {x}", f" {o}") if told else ("", "")
                assert f"\n{seats['X']} (x){scores[0]}, {seats['O']} (o){scores[1]}." in got.text
            assert got.mail["Reply-To"] is not None
    assert office.run("admin", "check").exit_code == 0


ONE, TWO = "wwwwwwwwwwwwwww1", "wwwwwwwwwwwwwww2"


@pytest.fixture
def wide(office: Office, monkeypatch: pytest.MonkeyPatch) -> Office:
    for userid in (ONE, TWO):
        monkeypatch.setitem(PASSWORD, userid, "wide.word")
        office.add(userid)
    return office


@pytest.mark.slow
@pytest.mark.parametrize(
    ("challenge", "moves"),
    [
        ("*star challenge -rings=4 -double -nobridge -handicap=10 -points=-99",
         ["A40", "T40 *31", "pass"]),
        ("star challenge -size=14 -maxi", ["A26", "swap", "F20", "pass"]),
        ("stary challenge -rings=9", ["S80", "swap", "*80", "pass"]),
        ("*star challenge -points=99 -rings=10", ["T92", "*31", "pass"]),
    ],
)  # fmt: skip
def test_the_longest_names_and_options(wide: Office, challenge: str, moves: list[str]) -> None:
    """No line grows beyond 72 columns, which every letter is measured for (size 14 has one of 73)."""

    def texts(who: str, subject: str, body: str = "") -> list[str]:
        return [got.text for got in wide.send(who, subject, body)]

    word = challenge.split(maxsplit=1)[0]
    assert len(texts(ONE, f"{challenge} {ONE} {TWO}", "x" * 300)) == 2
    for move in moves:
        assert len(wide.play(1, move, body="y " * 200)) == 2, move
    for command in ("show 1", "show 1#1", "score 1", "games", f"games {TWO} active", "help"):
        assert texts(ONE, f"{word} {command}")
    for command in (
        *(f"move 1 {ONE} wide.word Z99", f"propose 1 {ONE} wide.word 999-999", "w" * 200),
        *(f"challenge -{'w' * 80} {ONE} {TWO}", f"challenge {'w' * 80} {TWO}", f"show {'9' * 9}"),
    ):  # fmt: skip
        (text,) = texts(ONE, f"{word} {command}")
        assert "Nothing has changed" in text
    for days in (8, 11):
        wide.now += days * DAY
        assert wide.remind()[1]
    wide.run("admin", "board", "reset", "1", "--to-move", "2")
    assert len(wide.letters()) == 2
    texts(TWO, f"{word} resign 1 {TWO} wide.word")
    (text,) = texts(ONE, f"{word} show 1")
    (options,) = [line for line in text.split("\n") if line.startswith("Options:")]
    again = texts(ONE, f"{word} rematch 1 {ONE} wide.word")
    assert len(again) == 2 and all(f"\n{options}\n" in text for text in again)
    for subject in (f"forgot {ONE}", f"block {ONE} wide.word {TWO}", f"reject {ONE} wide.word",
                    f"limit {ONE} wide.word 9999", f"signoff {ONE} wide.word",
                    f"change address {TWO} wide.word {'w' * 60}@{'w' * 60}.example"):  # fmt: skip
        assert texts(TWO if TWO in subject and "address" in subject else ONE, subject), subject


def test_a_letter_that_is_tried_again_keeps_its_bytes(office: Office) -> None:
    """Message-ID and bytes are those of the first try, also when the board has changed meanwhile."""
    office.tray.verdict = Verdict("later", "421 not now")
    first = office.send("alice", "star challenge alice bob")
    assert [letter.subject for letter in first] == ["New Star Board 1 alice"] * 2
    office.deliver(office.write("alice", "star move 1 alice s3cret F6"))
    office.now += 1000
    office.tray.verdict = SENT
    assert [got.raw for got in office.letters()][:2] == [letter.raw for letter in first]


def test_nobody_is_told_of_a_leave_in_a_puzzle(office: Office) -> None:
    """There is nobody who waits; in a game for two both are told."""
    office.send("alice", "away alice s3cret 3")
    (own,) = office.send("alice", "queens challenge alice")
    assert "is away" not in own.text
    letters = {each.to: each.text for each in office.send("bob", "star challenge bob alice")}
    assert "You're away until" in letters["alice@alice.example"]
    assert "alice is away until" in letters["bob@bob.example"]


def test_only_the_player_to_move_is_told_a_first_move(office: Office) -> None:
    first, second = office.send("alice", "star challenge -size=3 alice bob")
    assert sentence("first could be", "B3") in first.text
    assert "Your first move could" not in second.text
    assert f"{sentence('all rules')} star help" in second.text


def test_a_list_of_games_is_small_boards_to_tap(office_of: Callable[..., Office]) -> None:
    """The first ten are small pictures; a tap opens a board, and in one's turn it is a reply about that board."""
    office = office_of(limits="off", pictures="on")
    for seats in ["bob alice", *["alice bob"] * 11]:
        office.deliver(office.write("alice", f"star challenge -size=4 {seats}"))
    office.sql("DELETE FROM outbox")
    (letter,) = office.send("bob", "games")
    pictures = [part for part in letter.parts if part.get_content_subtype() == "png"]
    assert len(pictures) == letter.html.count("<img") == 10 and len(letter.raw) < 70_000
    rows = re.findall(r'<a href="mailto:([^?"]*)\?subject=([^"]*)"[^>]*><b', letter.html)
    assert len(rows) == 12
    for to, line in rows[:2]:
        said = line.replace("%20", " ")
        (board,) = office.send("bob", said, "", to.replace("%2B", "+"))
        assert board.subject.startswith("Star Board ")


@pytest.mark.parametrize(("ring", "fewest"), [(5, 3), (6, 4)])
def test_letters_of_ring_solitaire_speak_of_few_stones_and_of_no_goal_cells(
    office: Office, ring: int, fewest: int
) -> None:
    """No last stone can end on the star, and nobody is told otherwise."""
    office.game(f"ringsolitaire challenge -ring={ring} alice")
    show = f"ringsolitaire {{}} 1 alice {PASSWORD['alice']}"
    (score,) = office.send("alice", show.format("score"))
    assert f"{5 * ring} stones left" in score.words and "goal cell" not in score.words
    (hint,) = office.send("alice", show.format("hint"))
    assert f"You can still get down to {fewest} stones after that." in hint.words
    game = games.make("ringsolitaire", {"ring": ring})
    lost = next(move for move in game.start().moves() if not game.start().play(move).hint())
    office.play(1, lost)
    (unknown,) = office.send("alice", show.format("hint"))
    assert f"We don't know how to get down to {fewest} stones from here." in unknown.words
