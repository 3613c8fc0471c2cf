"""The longest names, options and scores: no line grows beyond 72 columns (each letter is measured)."""

from __future__ import annotations

import pytest
from harness.office import PASSWORD, Office

from pbmstar.service import admin

ONE, TWO = "wwwwwwwwwwwwwww1", "wwwwwwwwwwwwwww2"
OPTIONS = "-rings=4 -double -nobridge -handicap=10 -points=-99"


@pytest.fixture
def wide(office: Office) -> Office:
    for userid in (ONE, TWO):
        PASSWORD.setdefault(userid, "wide.word")
        office.add(userid, f"{userid}@w.example")
    return office


def send(office: Office, userid: str, subject: str, body: str = "") -> list[str]:
    """The texts of the letters that come of a mail."""
    return [letter.text for letter in office.send(f"{userid}@w.example", subject, body)]


@pytest.mark.parametrize(
    ("challenge", "moves"),
    [
        (f"*star challenge {OPTIONS}", ["T40 *31", "T41 *32", "pass"]),
        ("star challenge -size=14 -maxi", ["A26", "swap", "F20", "pass"]),
        ("stary challenge -rings=9", ["S80", "swap", "*80", "pass"]),
        ("*star challenge -points=99 -rings=10", ["T92", "*31", "pass"]),
    ],
)
def test_a_game_between_the_longest_names(wide: Office, challenge: str, moves: list[str]) -> None:
    word = challenge.split(maxsplit=1)[0]
    send(wide, ONE, f"{challenge} {ONE} {TWO}", "x" * 300)
    if word == "*star" and "double" in challenge:
        moves = ["A40", *moves]
    for move in moves:
        row = wide.row(1)
        assert row is not None
        texts = send(wide, row.to_move, f"{word} move 1 {row.to_move} wide.word {move}", "y " * 200)
        assert len(texts) == 2, texts
    for command in ("show 1", "show 1#1", "score 1", "games", f"games {TWO} active", "help"):
        assert send(wide, ONE, f"{word} {command}")
    for command in (
        f"move 1 {ONE} wide.word Z99",
        f"propose 1 {ONE} wide.word 999-999",
        f"decline 1 {ONE} wide.word",
        f"challenge -{'w' * 80} {ONE} {TWO}",
        f"challenge {'w' * 80} {TWO}",
        f"show {'9' * 9}",
        "w" * 200,
    ):
        (text,) = send(wide, ONE, f"{word} {command}")
        assert "Nothing was done" in text
    wide.now += 8 * 86400
    wide.remind()
    wide.now += 11 * 86400
    wide.remind()
    wide.at_desk(admin.reset_board, 1, 2)
    wide.letters()
    send(wide, TWO, f"{word} resign 1 {TWO} wide.word")
    (text,) = send(wide, ONE, f"{word} show 1")
    (again,) = [line for line in text.split("\n") if line.startswith(f"  {word} chall")]
    letters = send(wide, ONE, again.strip())
    said = {line for text in letters for line in text.split("\n") if line.startswith("Options:")}
    assert said == {line for line in text.split("\n") if line.startswith("Options:")}
    assert send(wide, ONE, f"{word} games")
    send(wide, ONE, f"signoff {ONE} wide.word")


def test_letters_about_accounts(wide: Office) -> None:
    long = "w" * 60 + "@" + "w" * 60 + ".example"
    for subject in (
        f"forgot {ONE}",
        f"change address {ONE} wide.word {long}",
        f"change password {ONE} wide.word n3w.word",
        f"block {ONE} n3w.word {TWO}",
        f"reject {ONE} n3w.word",
        f"limit {ONE} n3w.word 9999",
    ):
        assert send(wide, ONE, subject)
    assert wide.send(long, f"signup {'w' * 16} wide.word")
