"""Whole games by mail, to their ends; now and then with replies, now and then with commands."""

from __future__ import annotations

import random

import pytest
from harness.office import PASSWORD, Got, Office, address

from pbmstar import games
from pbmstar.games.base import Position


class Table:
    """One board played by mail beside the same game played with the bare rules."""

    def __init__(self, office: Office, challenge: str) -> None:
        self.office = office
        words = challenge.split()
        game = games.find(words[0])
        assert game is not None
        options = dict(
            word.lstrip("-").partition("=")[::2] for word in words if word.startswith("-")
        )
        self.word = words[0]
        self.position: Position = game(options).start()
        letters = office.send("alice", challenge)
        self.board = int(letters[0].mail["X-Pbmstar-Board"])
        self.letters = {letter.to: letter for letter in letters}
        self.seats = {"X": "alice", "O": "bob"}

    def play(self, *moves: str) -> list[Got]:
        """Moves by whoever is to move, each as a reply or as a command in turn."""
        letters: list[Got] = []
        for move in moves:
            who = self.seats[self.position.mover]
            number = self.position.played + 1
            if number % 2:
                to = self.letters[address(who)].reply_to
                letters = self.office.send(who, "Re: board", f"{move}\n\nyours, {who}", to)
            else:
                line = f"{self.word} move {self.board} {who} {PASSWORD[who]} {move}#{number}"
                letters = self.office.send(who, line)
            assert {letter.to for letter in letters} == {address("alice"), address("bob")}, move
            self.letters = {letter.to: letter for letter in letters}
            if move == "swap":
                self.seats = {"X": self.seats["O"], "O": self.seats["X"]}
            self.position = self.position.play(move)
            self.compare(letters)
        return letters

    def compare(self, letters: list[Got]) -> None:
        """What the letters say is what the rules say."""
        position = self.position
        drawing = position.game.draw(position.stones)
        for letter in letters:
            assert drawing in letter.text
            assert letter.mail["X-Pbmstar-Move"] == str(position.played)
            to_move = self.seats[position.to_move] if position.to_move else None
            assert letter.mail["X-Pbmstar-To-Move"] == to_move
            result = self.seats[position.winner] if position.winner else "tie"
            assert letter.mail["X-Pbmstar-Result"] == (result if position.over else None)
            assert ("Game w" in letter.text) == position.over
            if position.game.has_points:
                x, o = position.game.score(position.stones).points
                line = f"{self.seats['X']} (x): {x}   {self.seats['O']} (o): {o}"
                assert f"\n{line}\n" in letter.text

    def shuffled(self, seed: int) -> list[str]:
        """All empty cells, in an order that depends on the seed only."""
        game = self.position.game
        names = [
            name
            for name, stone in zip(game.grid.names, self.position.stones, strict=True)
            if stone == ord(".")
        ]
        random.Random(seed).shuffle(names)
        return names


def test_star_on_a_full_board(office: Office) -> None:
    table = Table(office, "star challenge -size=3 alice bob")
    cells = table.shuffled(1)
    letters = table.play(cells[0], "swap", *cells[1:])
    ending = table.position.ending
    assert ending is not None
    assert ending.how == "full"
    x, o = table.position.game.score(table.position.stones).points
    assert x + o == 6 * 3 - 5
    winner = table.seats["X" if x > o else "O"]
    points = f"{abs(x - o)} point{'s' if abs(x - o) > 1 else ''}"
    for letter in letters:
        assert letter.subject == "Star Board 1"
        assert f"\nGame won by {winner} by {points}.\n" in letter.text
    assert office.check() == []
    (shown,) = office.send("alice", "star games alice finished")
    assert f"over, {winner} won -size=3" in shown.text


def test_maxi_star_that_goes_by_the_second_chain(office: Office) -> None:
    """Both have a best chain of 2 points; X's next one brings a point, O's none: X wins."""
    table = Table(office, "star challenge -size=4 -maxi alice bob")
    moves = ["E1", "A6", "D3", "F3", "D6", "A5", "F1", "C4", "pass", "pass"]
    letters = table.play(*moves)
    chains = table.position.game.score(table.position.stones).detail["chains"]
    assert chains == {"X": [2, 1], "O": [2, 0]}
    for letter in letters:
        assert "\nOptions: -size=4 -maxi\n" in letter.text
        assert "\nGame won by alice.\n" in letter.text  # by no points: the best chains are equal
        assert letter.mail["X-Pbmstar-Result"] == "alice"


def test_star_star_on_ten_rings_and_two_passes(office: Office) -> None:
    table = Table(office, "*star challenge alice bob")
    first = table.play("*60", "swap", "S60", "T60", "*00", "*01", "S00", "S01", "pass")
    for letter in first:
        assert "A second pass in succession ends the game" in letter.text
        assert "The board is not settled" in " ".join(letter.text.split())
    letters = table.play("pass")
    for letter in letters:
        assert letter.subject.removesuffix(" **") == "*Star Board 1"
        assert "passes too: the game is over." in letter.text
    assert office.check() == []


@pytest.mark.parametrize("seed", [1, 2])
def test_star_star_on_a_full_board_of_three_rings(office: Office, seed: int) -> None:
    table = Table(office, "starstar challenge -rings=3 alice bob")
    letters = table.play(*table.shuffled(seed))
    x, o = table.position.game.score(table.position.stones).points
    assert x + o == 5 * 3 + 1
    assert letters[0].mail["X-Pbmstar-Result"] in ("alice", "bob")  # the quarks break a tie
    for letter in letters:
        assert letter.subject == "*Star Board 1"
        assert "star score 1" in letter.text or "star show 1" in letter.text
    (report,) = office.send("bob", "*star score 1")
    assert "Game won by" in report.text


def test_double_star_star(office: Office) -> None:
    table = Table(office, "*star challenge -rings=3 -double alice bob")
    cells = table.shuffled(3)
    turns = [cells[0], *(f"{a} {b}" for a, b in zip(cells[1::2], cells[2::2], strict=False))]
    if len(cells) % 2 == 0:
        turns.append(cells[-1])
    letters = table.play(*turns)
    assert table.position.over
    ending = table.position.ending
    assert ending is not None
    assert ending.how == "full"
    assert f"\nLast move: {len(turns)} {turns[-1]} by " in letters[0].text
    assert office.check() == []


def test_star_y_to_its_winning_chain(office: Office) -> None:
    table = Table(office, "stary challenge -rings=4 alice bob")
    chain = ["@", "*10", "*20", "*30", "*40", "T10", "T20", "T30", "T41"]
    others = ["S10", "S20", "S30", "S40", "R10", "R20", "R30", "R40"]
    moves = [move for pair in zip(chain, others, strict=False) for move in pair] + chain[-1:]
    letters = table.play(*moves[:-1])
    assert not table.position.over
    letters = table.play(moves[-1])
    assert table.position.over
    for letter in letters:
        assert letter.subject.removesuffix(" **") == "Star Y Board 1"
        assert "\nGame won by alice.\n" in letter.text
        told = letter.text.split("Winning chain: ")[1].split("\n\n")[0].split()
        assert set(told) <= set(chain)
        assert "T41" in told
        assert "*40" in told
    assert office.check() == []


def test_a_handicap_game_with_points(office: Office) -> None:
    table = Table(office, "*star challenge -rings=3 -handicap=2 -points=3 alice bob")
    letters = table.play(*table.shuffled(5))
    assert table.position.over
    assert "Options: -rings=3 -handicap=2 -points=3\n" in letters[0].text
    assert office.check() == []


def test_a_settled_game_ends_by_agreement(office: Office) -> None:
    """As soon as nothing can change, the mail says so and offers the score ready to be sent."""
    table = Table(office, "star challenge -size=3 alice bob")
    cells = table.shuffled(7)
    offered: list[Got] = []
    for cell in cells[:-1]:
        letters = table.play(cell)
        settled = table.position.game.bounds(table.position.stones).settled
        for letter in letters:
            assert ("The game is settled" in letter.text) == settled
            assert ("  star propose 1 " in letter.text) or not settled
        if settled:
            offered = letters
            break
    if not offered:
        return
    x, o = table.position.game.bounds(table.position.stones).worst.points
    office.send("alice", f"star propose 1 alice s3cret {x}-{o}")
    letters = office.send("bob", "star accept 1 bob hunter2")
    assert letters[0].subject == "Star Board 1"
    assert f"alice (x): {x}   bob (o): {o}" in letters[0].text
