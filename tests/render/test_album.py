"""The album of a game: who led by the exact bounds, the moves that took most, and what fits into a letter."""

from __future__ import annotations

import email
import itertools
from dataclasses import replace
from typing import Any

import pytest
from harness.common import sentence
from harness.letters import RULE
from harness.positions import largest, match_of, some_games
from PIL import Image

from pbmstar.games import make
from pbmstar.match import Match, begin
from pbmstar.render.album import Swing, Words, album
from pbmstar.service.letters.words import ROOM

from .kinds import RENDERER, part, played, recipe

POINTS = [("star", {"size": 5}), ("*star", {"rings": 4}), ("polyy", {"rings": 3})]
FACTS: dict[str, Any] = {"words": [], "more": 0, "time": {"alice": 90_000, "bob": 60}}
ASKED = {**FACTS, "is_asked": True}


def ended(word: str, options: Any, moves: int = 999, seed: int = 1) -> Match:
    match = match_of(word, options, moves, seed)
    return match if match.position.over else match.after(match.to_move, "resign", 0.0)


def letter(match: Match, facts: Any, **more: Any) -> bytes:
    return RENDERER.write(replace(recipe("board", match, facts={"album": facts}), **more))


@pytest.mark.few(3)
@pytest.mark.parametrize(("word", "options"), POINTS)
@pytest.mark.parametrize("seed", range(4))
def test_the_swings_are_the_moves_that_took_most_from_the_opponent(
    word: str, options: Any, seed: int
) -> None:
    """Counted anew on the board before and after each move, until it is decided."""
    match = ended(word, options, seed=seed)
    took = {}
    for number in range(1, match.position.played):
        before, after = match.at_move(number - 1), match.at_move(number)
        if before.bounds.decided:
            break
        mover = before.player(before.to_move)
        (x_low, o_low), (x_high, o_high) = (
            (m.bounds.best if mover == "O" else m.bounds.worst).points for m in (before, after)
        )
        took[number] = abs((x_high - o_high) - (x_low - o_low))
    swings = album(match, ASKED).swings
    numbers = [int(swing.title.split(",")[0].removeprefix("Move ")) for swing in swings]
    most = sorted((n for n in took if took[n]), key=lambda n: (-took[n], n))[:3]
    assert numbers == sorted(most) and numbers
    for swing, number in zip(swings, numbers, strict=True):
        assert swing.view.match.position.stones == match.at_move(number).position.stones


@pytest.mark.parametrize(("word", "options"), POINTS)
def test_the_line_has_a_mark_for_each_move_and_ends_with_the_winner(
    word: str, options: Any
) -> None:
    match = ended(word, options)
    lead = album(match, FACTS).lead
    assert len(lead) == min(40, match.position.played)
    assert set(lead) <= set("xo=XO") and lead.lower().lstrip("xo=") == ""
    assert match.players[lead[-1]] == match.winner  # type: ignore[index]
    ends = album(match, FACTS).ends
    assert all(a.low <= b.low and a.high >= b.high for a, b in itertools.pairwise(ends))


def test_a_swap_changes_who_plays_what_and_not_who_leads() -> None:
    match = played("A4 swap C3 C4 D4 E4 resign")
    shown = album(match, ASKED)
    assert match.players == {"X": "bob", "O": "alice"} and len(shown.lead) == 5
    assert album(played("A4 C3 C4 D4 E4 resign"), ASKED).swings[0].title.startswith("Move 1,")
    for swing in shown.swings:
        assert f"by {swing.text.split()[0]}" not in swing.title, "the opponent of the mover"


def test_only_an_album_that_was_asked_for_names_what_else_there_is() -> None:
    match, asked = ended("star", {"size": 5}), {**FACTS, "is_asked": True}
    assert album(match, asked, ["review"]).next == ("star record 17", "star review 17")
    (last, again) = (
        " ".join(part(email.message_from_bytes(letter(match, each))).split())
        for each in (FACTS, asked)
    )
    assert f"{sentence('get again')} star album 17" in last and "star record 17" not in last
    assert f"{sentence('more of game')} star record 17" in again and "star album 17" not in again


@pytest.mark.parametrize("pictures", [True, False])
def test_the_last_letter_shows_what_was_still_possible_and_an_album_the_rest(
    pictures: bool,
) -> None:
    """The text of both has the words, for those who read no HTML. A move that narrowed the range most is told in
    the album alone: what turned the game is told by a review.
    """
    match = ended("star", {"size": 5})
    facts = {**FACTS, "words": [[0, "bob", "Hi!"]]}
    for is_asked in (False, True):
        raw = letter(match, {**facts, "is_asked": is_asked}, pictures=pictures)
        got = email.message_from_bytes(raw)
        shown, images = (
            part(got, "html"),
            sum(each.get_content_maintype() == "image" for each in got.walk()),
        )
        told = [swing.title in shown for swing in album(match, ASKED).swings]
        assert told == [is_asked] * 3 and ("Hi!" in shown) == is_asked
        assert "Results that were still possible" in shown and "Who was ahead" in shown
        assert images == (2 + 3 * is_asked if pictures else 0), "the board, the curve, three swings"
        assert "Hi!" in part(got) and "Who was ahead after each move" in part(got)


def test_the_curve_is_drawn_once_for_both_players(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes as long as ten letters."""
    drawn: list[int] = []
    reduced = Image.Image.quantize

    def quantize(image: Image.Image, colors: int = 256, **more: Any) -> Image.Image:
        drawn.append(colors)
        return reduced(image, colors, **more)

    monkeypatch.setattr(Image.Image, "quantize", quantize)
    match = ended("star", {"size": 5}, seed=11)
    for reader in ("alice", "bob"):
        letter(match, FACTS, reader=reader, pictures=True)
    assert drawn.count(16) == 1


def test_words_stand_where_they_were_said() -> None:
    said = [[0, "bob", "Hi!"], [2, "alice", "Oh."], [99, "bob", "Thanks."]]
    shown = album(ended("star", {"size": 5}), {**ASKED, "words": said})
    words = [stop for stop in shown.stops if isinstance(stop, Words)]
    assert [each.title for each in words] == [
        "bob, before the first move:", "alice, after move 2:", "bob, after the game:",
    ]  # fmt: skip
    places = [stop.place for stop in shown.stops]
    assert places == sorted(places) and {type(stop) for stop in shown.stops} == {Swing, Words}


def test_what_a_player_wrote_cannot_become_markup_or_a_comment() -> None:
    said = [[2, "bob", f"<b>{'*' * 60}\nalice writes:\n> quoted\n-- \n{'w' * 200}"]]
    facts = {**FACTS, "words": said, "is_asked": True}
    got = email.message_from_bytes(letter(ended("star", {"size": 5}), facts))
    assert "&lt;b&gt;" in part(got, "html") and "<b>*" not in part(got, "html")
    assert all(line[:1] not in (">", "*", "-") for line in part(got).replace(RULE, "").split("\n"))
    assert max(map(len, part(got).split("\n"))) <= 72


@pytest.mark.slow
@pytest.mark.parametrize(
    "game",  # the largest album, and one of movements
    [each for each in some_games("*star", "pentaline") if len(each.values[0].seats) == 2],
)
def test_the_largest_album_stays_small(game: Any) -> None:
    """90 kB of HTML, 400 kB in all, 72 columns; as much is said as an album has room for."""
    options = largest(game)
    over = begin(10**6, make(game.word, options), ("a" * 16, "b" * 16), 0.0)
    for entry in match_of(game.word, options, 300).record:
        over = over.after(over.to_move, entry.move, 0.0)
    over = over if over.position.over else over.after(over.to_move, "resign", 0.0)
    said = [[at, "b" * 16, "Ab " * (ROOM // 300)] for at in range(100)]
    facts = {**FACTS, "words": said, "is_asked": True}
    drawing = max(map(len, over.game.draw(over.position.stones).split("\n")))
    for pictures in (True, False):
        raw = letter(over, facts, pictures=pictures)
        got = email.message_from_bytes(raw)
        assert len(part(got, "html")) < 90_000 and len(raw) < 400_000
        assert max(map(len, part(got).split("\n"))) <= max(72, drawing)


def test_short_letters_and_games_without_points_keep_what_there_is() -> None:
    short = letter(ended("star", {"size": 5}), FACTS, drawing="short", html=False)
    assert "album" not in part(email.message_from_bytes(short))
    hex_ = album(ended("hex", {"size": 4}), FACTS)
    assert (hex_.lead, hex_.ends) == ("", ())
    assert hex_.time == "Time used: alice 1 day 1 h, bob less than 1 h."
