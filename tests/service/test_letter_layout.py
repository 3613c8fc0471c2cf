"""The letters line by line: parts and their order, Subjects, headers, threads."""

from __future__ import annotations

import re
from email.utils import parsedate_to_datetime

import pytest
from harness.letters import RULE
from harness.office import Got, Office, address

from pbmstar.games import make


def of(letters: list[Got], userid: str) -> Got:
    """The one letter to that player."""
    (found,) = [letter for letter in letters if letter.to == address(userid)]
    return found


def test_a_board_mail_line_by_line(office: Office) -> None:
    office.game("star challenge -size=4 -maxi alice bob")
    office.play(1, "C2")
    letters = office.send("bob", "star move 1 bob hunter2 A6", "Take that!\n\nIt is cold here.")
    common = """\
Summary of Star Board 1

Options: -size=4 -maxi

It is alice's turn.

alice (x): 0   bob (o): 1
  alice: chains 0
  bob: chains 1
Still possible: alice 0 to 19, bob 0 to 19.

Moves:
  1 C2   2 A6

       1-   . . .
      2-   . x . .
     3-   . . . . .
    4-   . . . . . .
     5-   . . . . .   \\
      6-   o . . .   \\ F
                    \\ E
             \\ \\ \\ \\ D
              A B C D

Last move: 2 A6 by bob.

"""
    # The bounds and the drawing are the games' own business; what stands around them is not.
    alice, bob = of(letters, "alice").text, of(letters, "bob").text
    head, _, rest = alice.partition("You can:\n")
    assert _without_drawing(head) == _without_drawing(common)
    assert make("star", {"size": 4}).draw(_stones()) in head
    assert (
        rest
        == f"""\
  star move 1 alice password B4#3
  star move 1 alice password pass#3
  star resign 1 alice password
  star show 1
  star help
Send one of these as the Subject of a mail to
star@pbm.example

or just reply to this mail; its first line is your move, or one of:

  pass  resign  show  score  help

{RULE}
bob writes:

Take that!

It is cold here.
"""
    )
    assert bob.partition("You can:\n")[0] == head
    assert (
        bob.partition("You can:\n")[2]
        == f"""\
  star resign 1 bob password
  star show 1
  star help
Send one of these as the Subject of a mail to
star@pbm.example

or just reply to this mail; its first line is one of:

  resign  show  score  help

{RULE}
bob writes:

Take that!

It is cold here.
"""
    )


def _stones() -> bytes:
    game = make("star", {"size": 4})
    return game.start().play("C2").play("A6").stones


def _without_drawing(text: str) -> str:
    """The text without the lines of the drawing, and without the numbers still possible."""
    text = re.sub(r"Still possible: .*\n", "Still possible: ...\n", text)
    return re.sub(r"(?m)^ +([0-9]+-  |\\).*\n", "", text)


def test_the_parts_stand_in_this_order(office: Office) -> None:
    office.game("*star challenge -rings=4 alice bob")
    office.play(1, "S42")
    letter = of(office.send("bob", "*star move 1 bob hunter2 pass", "hm"), "alice")
    places = [
        letter.text.index(part)
        for part in (
            "Summary of *Star Board 1\n",
            "Options: -rings=4\n",
            "bob passes. A second pass",
            "It is alice's turn.\n",
            "alice (x): ",
            "Moves:\n",
            "T     .",
            "Last move: 2 pass by bob.",
            "You can:\n",
            "or just reply to this mail",
            RULE,
            "bob writes:\n\nhm\n",
        )
    ]
    assert places == sorted(places)
    assert places[0] == 0


@pytest.mark.parametrize(
    ("challenge", "moves", "status", "result"),
    [
        ("star challenge -size=3 alice bob", ["pass", "pass"], "Game was a tie.", "tie"),
        (
            "star challenge -size=3 alice bob",
            ["C1", "pass", "pass"],
            "Game won by alice by 1 point.",
            "alice",
        ),
        (
            "star challenge -size=3 alice bob",
            ["C1", "D1", "pass", "pass"],
            "Game was a tie.",
            "tie",
        ),
        (
            "star challenge -size=3 alice bob",
            ["C1", "swap", "D1", "C3", "D2", "pass", "pass"],
            "Game won by alice by 1 point.",
            "alice",
        ),
        ("star challenge -size=3 alice bob", ["C1", "D1", "resign"], "Game won by bob.", "bob"),
        ("stary challenge -rings=3 alice bob", ["pass", "pass"], "Game was a tie.", "tie"),
        (
            "*star challenge -rings=4 -points=7 alice bob",
            ["pass", "pass"],
            "Game won by bob by 14 points.",
            "bob",
        ),
    ],
)
def test_status_lines_of_games_that_are_over(
    office: Office, challenge: str, moves: list[str], status: str, result: str
) -> None:
    office.game(challenge)
    for letter in office.play(1, *moves):
        assert letter.text.split("\n\n").count(status) == 1
        assert letter.mail["X-Pbmstar-Result"] == result
        assert letter.mail["X-Pbmstar-To-Move"] is None
        assert not letter.subject.endswith(("alice", "bob"))
        assert letter.mail["Reply-To"] is None
        again = {"alice": "alice bob", "bob": "bob alice"}[letter.to.partition("@")[0]]
        assert f"You can:\n  {' '.join(challenge.split()[:-2])} {again}\n" in letter.text
    row = office.row(1)
    assert row is not None
    assert (row.to_move, row.result) == ("", result)


def test_headers_for_programs(office: Office) -> None:
    office.game("*star challenge -rings=4 alice bob")
    for letter in office.play(1, "S42"):
        told = {name: value for name, value in letter.mail.items() if name.startswith("X-Pbmstar")}
        assert told == {
            "X-Pbmstar-Loop": "pbm.example",
            "X-Pbmstar-Game": "*star",
            "X-Pbmstar-Board": "1",
            "X-Pbmstar-Move": "1",
            "X-Pbmstar-To-Move": "bob",
        }


def test_date_is_the_offices_clock(office: Office) -> None:
    for letter in office.send("alice", "star challenge alice bob"):
        date = letter.mail["Date"]
        assert date.endswith(" +0000")
        assert parsedate_to_datetime(date).timestamp() == office.now


def test_one_thread_for_each_board_and_player(office: Office) -> None:
    first = office.send("alice", "star challenge alice bob")
    roots = {letter.to: letter.mail["Message-ID"] for letter in first}
    assert len(set(roots.values())) == 2
    assert of(first, "bob").mail["References"] is None
    later = [*office.play(1, "F6"), *office.play(1, "swap"), *office.play(1, "G7")]
    later += office.send("bob", "star propose 1 bob hunter2 16-15")
    later += office.send("bob", "star show 1")
    later += office.send("bob", "star move 1 bob hunter2 F6")  # refused
    later += office.send("alice", "star resign 1 alice s3cret")
    seen = set(roots.values())
    for letter in later:
        root = roots[letter.to]
        references = letter.mail["References"].split()
        assert references[0] == root
        answered = letter.mail["In-Reply-To"]
        if letter.mail["Auto-Submitted"] == "auto-replied":
            assert references == [root, answered]
            assert answered.endswith("@mua.example>")
        else:  # the other player's Message-ID says too much about the other player
            assert references == [root]
            assert answered == root
        assert letter.mail["Message-ID"] not in seen
        seen.add(letter.mail["Message-ID"])
    other = office.send("alice", "star challenge alice bob")
    assert not {letter.mail["Message-ID"] for letter in other} & seen


def test_only_the_writer_is_answered_and_the_other_is_mailed_anew(office: Office) -> None:
    office.game()
    letters = office.send("alice", "star move 1 alice s3cret F6")
    assert of(letters, "alice").mail["Auto-Submitted"] == "auto-replied"
    assert of(letters, "bob").mail["Auto-Submitted"] == "auto-generated"
    assert b"mua.example" not in of(letters, "bob").raw


def test_a_letter_in_the_outbox_keeps_its_message_id_and_bytes(office: Office) -> None:
    office.deliver(office.write("alice", "star challenge alice bob"))
    with office.store.transaction() as tx:
        first = tx.claim("one", office.now, office.now + 300, 10)
        for letter in first:
            tx.retry(letter.id, office.now + 900, "421 later", 1)
    office.now += 1000
    with office.store.transaction() as tx:
        again = tx.claim("two", office.now, office.now + 300, 10)
    assert [(each.message_id, each.content) for each in again] == [
        (each.message_id, each.content) for each in first
    ]
    assert [each.tries for each in again] == [2, 2]


def test_the_size_of_a_letter(office: Office) -> None:
    office.game("*star challenge alice bob")
    for letter in office.play(1, "*60"):
        assert len(letter.raw) < 20_000


def test_size_14_is_drawn_in_73_columns_and_all_else_in_72(office: Office) -> None:
    office.game("star challenge -size=14 alice bob")
    (alice, _) = office.play(1, "A26")
    wide = [line for line in alice.text.split("\n") if len(line) > 72]
    assert len(wide) == 1
    assert wide[0].lstrip().startswith("17-")


def test_a_long_game_is_listed_in_lines(office: Office) -> None:
    office.game("star challenge -size=4 alice bob")
    moves = list(make("star", {"size": 4}).grid.names)[:20]
    (alice, _) = office.play(1, *moves)
    listed = alice.text.split("Moves:\n")[1].split("\n\n")[0]
    assert re.findall(r"([0-9]+) ([A-F][0-9])", listed) == [
        (str(number), move) for number, move in enumerate(moves, 1)
    ]


def test_the_same_is_said_in_html(office: Office) -> None:
    letter = of(office.send("alice", "star challenge -size=3 alice bob", "<b>1 & 2</b>"), "bob")
    plain, html = letter.mail.get_payload()
    assert plain.get_content_type() == "text/plain"
    assert html.get_content_type() == "text/html"
    said = html.get_payload(decode=True).decode()
    assert "&lt;b&gt;1 &amp; 2&lt;/b&gt;" in said
    assert "<b>1" not in said
    assert "alice plays X" in said


def test_an_error_says_all_that_it_should(office: Office) -> None:
    office.game("star challenge -size=3 alice bob")
    (letter,) = office.send("alice", "star move 1 alice s3cret C9")
    assert letter.subject == "Star Board 1 Error"
    assert letter.text.startswith("""\
This was understood:

  star move 1 alice ****** C9

There is no cell C9 on this board; a cell is written like C4.

Nothing was done for that line.

Summary of Star Board 1

Options: -size=3

It is alice's turn.
""")
    assert "  star move 1 alice password B3#1\n" in letter.text
    assert letter.mail["Reply-To"] is not None


def test_an_error_without_a_board(office: Office) -> None:
    (letter,) = office.send("alice", "star move 7 alice s3cret F6")
    assert letter.subject == "Star Error"
    assert (
        letter.text
        == """\
This was understood:

  star move 7 alice ****** F6

There is no board 7. To see which there are: star games

Nothing was done for that line.

Send the command "help" as the Subject of a mail to star@pbm.example for
all that this server understands.
"""
    )
