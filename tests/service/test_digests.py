"""Digests: each thing is told once, at once or by one letter a day, and never by an empty one."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from harness.office import DAY, PASSWORD, Got, Office

from pbmstar.match import zones

HOUR = 3600.0
ZONES = ("UTC", "Europe/Berlin", "Pacific/Kiritimati")


def digests(letters: list[Got]) -> list[Got]:
    return [letter for letter in letters if letter.subject.startswith("Star: ")]


def tick(office: Office) -> list[Got]:
    """What the daemon does every minute, and the letters that wait then."""
    more = True
    while more:
        with office.store.transaction() as tx:
            more = office.service.send_digests(tx)
    return office.letters()


@pytest.mark.parametrize("seed", range(3))
def test_everything_is_told_once(office_of: Callable[..., Office], seed: int) -> None:
    """Games by chance between players of all modes: what was written to a player comes once, a board
    that waits is in the next digest, none is empty, and a day has one at most."""
    office, chosen = office_of(limits="off"), random.Random(seed)
    office.add("carol", password=PASSWORD["carol"])
    people = {"alice": "each", "bob": "daily", "carol": "mine"}
    office.send("bob", f"zone bob {PASSWORD['bob']} {ZONES[seed % 3]}")
    for who, mode in people.items():
        office.send(who, f"letters {who} {PASSWORD[who]} {mode}")
    for pair in ("alice bob", "bob carol", "carol alice", "bob alice"):
        office.send(pair.split()[0], f"star challenge -size=3 {pair}")
    heard: Counter[str] = Counter()
    written: set[str] = set()
    days: Counter[object] = Counter()
    clocks = ZoneInfo(ZONES[seed % 3])
    for number in range(60):
        office.now += chosen.choice((60.0, HOUR, 5 * HOUR)) if number < 59 else 2 * DAY
        letters = tick(office)
        for letter in digests(letters):
            assert letter.to.startswith("bob@")
            waiting = {row.board for row in office.ask("boards.of", "bob", "next")}
            shown = set(map(int, re.findall(r"(?m)^Summary of Star Board (\d+)$", letter.text)))
            assert shown == waiting
            assert waiting or "What else has happened:" in letter.text
            days[datetime.fromtimestamp(office.now, clocks).date()] += 1
        running = [row for board in (1, 2, 3, 4) if (row := office.row(board)) and row.to_move]
        if running and number < 58:
            row, word = chosen.choice(running), f"word{number}x"
            (other,) = set(row.seats) - {row.to_move}
            made = office.play_as(row.to_move, row.board, _move(office, row.board, chosen), word)
            written.add(f"{other} {word}")
            receipts = [letter for letter in made if letter.to.startswith(row.to_move)]
            goes_on = bool(office.row(row.board).to_move)  # type: ignore[union-attr]
            assert len(receipts) == (
                people[row.to_move] == "each" or (people[row.to_move] == "mine" and not goes_on)
            )
            letters += made
        for letter in letters:
            who = letter.to.partition("@")[0]
            news, _, album = letter.text.partition("The album of this game")  # it says all again
            news += album.partition("*" * 60)[2]
            heard.update(f"{who} {word}" for word in re.findall(r"word\d+x", news))
    assert all(heard[each] == 1 for each in written)
    assert days and set(days.values()) == {1}
    assert office.check() == []


def _move(office: Office, board: int, chosen: random.Random) -> str:
    row, record = office.row(board), office.record(board)
    assert row is not None
    free = [name for name in row.match(()).game.grid.names if name not in record]
    return chosen.choice([*free, "pass"])


def test_who_goes_back_to_each_letter_is_told_the_rest(office: Office) -> None:
    office.send("bob", f"letters bob {PASSWORD['bob']} daily 7:00")
    office.game("star challenge -size=3 alice bob")
    office.play(1, "B2", body="A word.")
    office.send("bob", f"letters bob {PASSWORD['bob']} each")
    office.now += DAY
    (last,) = digests(tick(office))
    assert "A word." in last.text
    office.now += DAY
    assert not tick(office) and office.ask("accounts.user", "bob").digest_due is None


def test_a_digest_goes_once_whoever_writes_it(office: Office) -> None:
    """Two processes at it: only one moves the time on. A paused server writes none."""
    office.send("bob", f"letters bob {PASSWORD['bob']} daily")
    office.game("star challenge -size=3 alice bob")
    office.play(1, "B2")
    office.now += DAY
    office.run("admin", "pause")
    assert not digests(tick(office))
    due = office.ask("accounts.user", "bob").digest_due
    office.run("admin", "resume")
    assert len(digests(tick(office))) == 1
    assert not office.ask("digests.move_on", "bob", due, office.now + DAY)
    assert office.ask("digests.due", office.now, 9) == []


@pytest.mark.parametrize(
    ("zone", "now", "last", "expect"),
    [
        ("UTC", "2026-03-28 06:00", None, "2026-03-28 07:00"),
        ("UTC", "2026-03-28 07:00", None, "2026-03-29 07:00"),
        ("Europe/Berlin", "2026-03-28 07:30", None, "2026-03-29 05:00"),  # summer time begins
        ("Europe/Berlin", "2026-10-24 06:00", None, "2026-10-25 06:00"),  # and ends
        ("Pacific/Kiritimati", "2026-05-01 00:00", None, "2026-05-01 17:00"),
        ("Pacific/Kiritimati", "2026-05-01 00:00", "2026-05-01 11:00", "2026-05-02 17:00"),
    ],
)
def test_the_next_day_begins_where_the_player_is(
    zone: str, now: str, last: str | None, expect: str
) -> None:
    def at(text: str) -> float:
        return datetime.fromisoformat(f"{text}+00:00").timestamp()

    assert zones.next_day(420, zone, at(now), at(last) if last else None) == at(expect)


def test_fifty_boards_are_little_work_and_stay_small(office_of: Callable[..., Office]) -> None:
    """Ten are shown whole, the others are named; programs clip HTML of more than 100 kB."""
    office = office_of(limits="off")
    office.send("bob", f"letters bob {PASSWORD['bob']} daily")
    for number in range(1, 51):
        office.game(
            "*star challenge -rings=8 alice bob" if number % 2 else "star challenge alice bob"
        )
        office.play_as("alice", number, "T30" if number % 2 else "F6")
    office.now += DAY
    (letter,) = digests(tick(office))
    assert letter.subject == "Star: 50 boards wait for you"
    assert len(re.findall(r"(?m)^Summary of ", letter.text)) == 10
    short = r"(?m)^  Board \d+, alice, 13 days( \d+ h)? left: \*?star show \d+$"
    assert len(re.findall(short, letter.text)) == 40
    html = next(part for part in letter.mail.walk() if part.get_content_subtype() == "html")
    assert len(html.get_payload()) < 90_000
    reply = office.write("bob", "", "50 F7\n1 T31", to=letter.reply_to)
    assert office.deliver_to(reply, letter.reply_to).why == "2 of 2", (
        "named boards can be played too"
    )


def test_an_answer_to_a_digest_is_to_what_it_shows(office: Office) -> None:
    """A draw is in the digest; the score that is proposed after it is not what a yes accepts."""
    board = office.begun()
    office.play_as("alice", board, "D4")
    office.send("bob", f"letters bob {PASSWORD['bob']} daily")
    office.send("alice", f"star draw {board} alice {PASSWORD['alice']}")
    office.now += DAY
    (digest,) = digests(tick(office))
    office.send("alice", f"star propose {board} alice {PASSWORD['alice']} 31-0")
    (letter,) = office.send("bob", "", f"{board} accept", to=digest.reply_to)
    assert "does not show what alice asks now" in " ".join(letter.text.split())
    row = office.row(board)
    assert "31-0" in letter.text and row and row.to_move
    office.now += DAY
    (digest,) = digests(tick(office))
    office.send("bob", "", f"{board} accept", to=digest.reply_to)
    row = office.row(board)
    assert row and not row.to_move


def test_the_least_time_left_comes_first(office: Office) -> None:
    """O3, 6.3: in a digest and in a list; what has no limit comes last."""
    for terms in ("-time=none", "", "-time=10d+36h", "-time=3d"):
        office.begun(f"star challenge {terms} bob alice".replace("  ", " "))
    office.send("alice", "star challenge alice bob")
    office.send("bob", f"letters bob {PASSWORD['bob']} daily")
    office.now += DAY
    (listed,) = office.send("bob", "star games")
    assert re.findall(r"(?m)^ +(\d+)  against", listed.text) == ["4", "3", "2", "1", "5"]
    (letter,) = digests(tick(office))
    assert re.findall(r"(?m)^Board (\d+), alice", letter.text) == ["4", "3", "2", "1"]


def html_of(letter: Got) -> str:
    """The HTML part."""
    (part,) = (each for each in letter.mail.walk() if each.get_content_subtype() == "html")
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    return content.decode("ascii")


@pytest.mark.parametrize("game", ["star", "*star", "hex -size=19", "pentaline"])
def test_the_first_ten_boards_are_pictures_with_cells_to_tap(
    office_of: Callable[..., Office], game: str
) -> None:
    """One reply address carries each cell, by the number of its board; the mail keeps its size."""
    office = office_of(limits="off", pictures="on")
    office.send("bob", f"letters bob {PASSWORD['bob']} daily")
    word, _, options = game.partition(" ")
    for _ in range(12):
        office.send("bob", f"{word} challenge {options} bob alice".replace("  ", " "))
    office.now += DAY
    (letter,) = digests(tick(office))
    html = html_of(letter)
    pictures = [part for part in letter.mail.walk() if part.get_content_subtype() == "png"]
    assert len(pictures) == 10 and html.count("<img") == 10
    assert all(len(part.get_payload(decode=True)) < 24_000 for part in pictures)  # type: ignore[arg-type]
    assert len(html) < 90_000 and len(letter.raw) < 400_000
    taps = re.findall(r'<area [^>]*?href="mailto:([^"?]*)\?subject=([^"]*)"', html)
    assert (len(taps) > 300) == (game == "star")
    assert html.count('usemap="#b') == html.count('<map name="b')
    for to, cell in taps[:1]:
        said = cell.replace("%20", " ")
        letters = office.send("bob", said, "", to.replace("%2B", "+"))
        assert [got.subject for got in letters if got.to[0] == "a"] == ["Star Board 1 alice"]


def test_swap_and_pass_are_named_with_the_side_and_the_clock(office: Office) -> None:
    office.send("bob", f"letters bob {PASSWORD['bob']} daily")
    office.game()
    office.play(1, "F6")
    office.now += DAY
    (letter,) = digests(tick(office))
    assert "Board 1, alice, 13 days left, you play O\n" in letter.text
    assert "Besides a move you can reply: 1 pass, 1 swap, 1 decline\n" in letter.text
    office.send("bob", "Re: x", "1 swap", letter.reply_to)
    assert office.record(1) == ["F6", "swap"]


@pytest.mark.parametrize("mode", ["mine", "daily"])
def test_nobody_gets_their_own_words_back(office: Office, mode: str) -> None:
    office.game()
    office.play(1, "F6", "G7")
    for who in ("alice", "bob"):
        office.send(who, f"letters {who} {PASSWORD[who]} {mode}")
    for who in ("alice", "bob"):
        heard = office.send(who, f"star say 1 {who} {PASSWORD[who]}", f"Hello from {who}")
        assert [got.to[0] for got in heard] == (
            [] if mode == "daily" else ["b" if who == "alice" else "a"]
        )
    office.now += DAY
    for letter in tick(office):
        other = "bob" if letter.to[0] == "a" else "alice"
        assert f"Hello from {other}" in letter.text and f"from {letter.to[:3]}" not in letter.text
