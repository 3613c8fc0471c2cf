"""Digests: each thing is told once, at once or by one letter a day, and never by an empty one."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from harness.common import sentence
from harness.letters import ALBUM
from harness.office import DAY, PASSWORD, Got, Office, address

from pbmstar.match import dates

ZONES = ("UTC", "Europe/Berlin", "Pacific/Kiritimati")


@pytest.fixture
def daily(office: Office) -> Office:
    """A service of which bob wants one letter a day."""
    office.send("bob", f"letters bob {PASSWORD['bob']} daily")
    return office


def digests(office: Office, days: float = 1.0) -> list[Got]:
    """The daily letters that come so much later."""
    return [letter for letter in office.digests(days) if letter.subject.startswith("Star: ")]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_everything_is_told_once(office_of: Callable[..., Office], seed: int) -> None:
    """Each word comes once, a board that waits is in the next digest, none is empty, a day has one at most."""
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
        hours = chosen.choice((1 / 60, 1, 5)) if number < 59 else 48
        letters = office.digests(hours / 24)
        for letter in (each for each in letters if each.subject.startswith("Star: ")):
            assert letter.to.startswith("bob@")
            waiting = {row.board for row in office.ask("boards.of", "bob", "next")}
            shown = set(map(int, re.findall(r"(?m)^Summary of Star Board (\d+)$", letter.text)))
            assert shown == waiting
            assert waiting or "What else happened" in letter.text
            days[datetime.fromtimestamp(office.now, clocks).date()] += 1
        running = [row for board in (1, 2, 3, 4) if (row := office.row(board)) and row.to_move]
        if running and number < 58:
            row, word = chosen.choice(running), f"word{number}x"
            (other,) = set(row.seats) - {row.to_move}
            made = office.play_as(row.to_move, row.board, _move(office, row.board, chosen), word)
            written.add(f"{other} {word}")
            receipts = [letter for letter in made if letter.to.startswith(row.to_move)]
            is_over = not office.row(row.board).to_move  # type: ignore[union-attr]
            mode = people[row.to_move]
            assert len(receipts) == (mode == "each" or (mode == "mine" and is_over))
            letters += made
        for letter in letters:
            who = letter.to.partition("@")[0]
            news, _, album = letter.text.partition(ALBUM)  # it says all again
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


def test_who_goes_back_to_each_letter_is_told_the_rest(daily: Office) -> None:
    daily.game("star challenge -size=3 alice bob")
    daily.play(1, "B2", body="A word.")
    daily.send("bob", f"letters bob {PASSWORD['bob']} each")
    (last,) = digests(daily)
    assert "A word." in last.text
    assert last.text.startswith(f"1 {sentence('waiting board')}.")
    assert "This was the last of these letters." in " ".join(last.text.split())
    daily.send("bob", f"Re: {last.subject}", "1 C2", last.reply_to)
    assert daily.record(1) == ["B2", "C2"]
    assert not daily.digests() and daily.ask("accounts.user", "bob").digest_due is None


def test_a_digest_goes_once_whoever_writes_it(daily: Office) -> None:
    """Two processes at it: only one moves the time on. A paused server writes none."""
    daily.game("star challenge -size=3 alice bob")
    daily.play(1, "B2")
    daily.run("admin", "pause")
    assert not digests(daily)
    due = daily.ask("accounts.user", "bob").digest_due
    daily.run("admin", "resume")
    assert len(digests(daily, 0)) == 1
    assert not daily.ask("digests.move_on", "bob", due, daily.now + DAY)
    assert daily.ask("digests.due", daily.now, 9) == []


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

    assert dates.next_day(420, zone, at(now), at(last) if last else None) == at(expect)


@pytest.mark.slow
def test_many_boards_are_little_work_and_stay_small(office_of: Callable[..., Office]) -> None:
    """Ten are shown whole, the others are named; programs clip HTML of more than 100 kB."""
    office = office_of(limits="off")
    office.send("bob", f"letters bob {PASSWORD['bob']} daily")
    for number in range(1, 15):
        game = "*star challenge -rings=8" if number % 2 else "star challenge"
        office.game(f"{game} alice bob")
        office.play_as("alice", number, "T30" if number % 2 else "F6")
    (letter,) = digests(office)
    assert letter.subject == "Star: 14 boards wait for you"
    assert len(re.findall(r"(?m)^Summary of ", letter.text)) == 10
    short = r"(?m)^  Board \d+, alice, 13 days( \d+ h)? left: \*?star show \d+$"
    assert len(re.findall(short, letter.text)) == 4
    assert len(letter.html) < 90_000
    reply = office.write("bob", "", "14 F7\n1 T31", to=letter.reply_to)
    played = office.deliver_to(reply, letter.reply_to)
    assert (played.done, played.of) == (2, 2), "named boards can be played too"


def test_an_answer_to_a_digest_is_to_what_it_shows(daily: Office) -> None:
    """A draw is in the digest; the score that is proposed after it is not what a yes accepts."""
    board = daily.begun()
    daily.play_as("alice", board, "D4")
    daily.send("alice", f"star draw {board} alice {PASSWORD['alice']}")
    (digest,) = digests(daily)
    daily.send("alice", f"star propose {board} alice {PASSWORD['alice']} 31-0")
    (letter,) = daily.send("bob", "", f"{board} accept", to=digest.reply_to)
    assert "alice has asked you something else" in letter.words
    row = daily.row(board)
    assert "alice 31, bob 0" in letter.text and row and row.to_move
    (digest,) = digests(daily)
    daily.send("bob", "", f"{board} accept", to=digest.reply_to)
    row = daily.row(board)
    assert row and not row.to_move


@pytest.mark.parametrize(
    ("subject", "body"),
    [
        ("Re: Star", "2 nonsense\n3 E5\nGood luck!"),
        ("Re: Star", "2 resing\n3 E5\nGood luck!"),
        ("Re: Star", "3 E5\nGood luck!\n2, nonsense"),
        ("Re: Star", "3 E5\nGood luck!\n2"),
        ("3 E5", "Good luck!\n2 nonsense"),
    ],
)
def test_a_line_about_a_board_of_the_letter_is_told_to_no_other_opponent(
    daily: Office, subject: str, body: str
) -> None:
    for board in (1, 2, 3):
        daily.game()
        daily.play(board, "F6")
    (digest,) = digests(daily)
    told = {got.to: got for got in daily.send("bob", subject, body, digest.reply_to)}
    assert "bob writes: Good luck! " in told["alice@alice.example"].words
    assert re.search(r"We read: 2( |$)", told["bob@bob.example"].words)
    assert [daily.record(board) for board in (1, 2, 3)] == [["F6"], ["F6"], ["F6", "E5"]]
    for word in ("nonsense", "resing"):
        assert word not in told["alice@alice.example"].text


def test_a_number_of_no_board_in_the_letter_and_a_time_begin_talk(daily: Office) -> None:
    daily.game()
    daily.play(1, "F6")
    (digest,) = digests(daily)
    said = "7 cheers for you!\n1:30 was late, I know."
    (letter,) = daily.send("bob", "", f"1 E5\n{said}", digest.reply_to)
    assert " ".join(said.split()) in letter.words


def test_the_least_time_left_comes_first(daily: Office) -> None:
    """In a digest and in a list; what has no limit comes last."""
    for terms in ("-time=none", "", "-time=10d+36h", "-time=3d"):
        daily.begun(f"star challenge {terms} bob alice".replace("  ", " "))
    daily.send("alice", "star challenge alice bob")
    (letter,) = digests(daily)
    assert re.findall(r"(?m)^Board (\d+), alice", letter.text) == ["4", "3", "2", "1"]
    (listed,) = daily.send("bob", "star games")
    assert re.findall(r"(?m)^ +(\d+)  \w+: ", listed.text) == ["4", "3", "2", "1", "5"]


@pytest.mark.few(2)
@pytest.mark.parametrize("game", ["star", "*star", "hex -size=19", "pentaline"])
def test_the_first_ten_boards_are_pictures_with_cells_to_tap(
    office_of: Callable[..., Office], game: str
) -> None:
    """One reply address carries each cell, by the number of its board; the mail keeps its size."""
    office = office_of(limits="off", pictures="on")
    office.send("bob", f"letters bob {PASSWORD['bob']} daily")
    word, _, options = game.partition(" ")
    for _ in range(12):
        office.deliver(office.write("bob", f"{word} challenge {options} bob alice"))
    office.sql("DELETE FROM outbox")  # alice's letters have pictures too, one each
    (letter,) = digests(office)
    html = letter.html
    pictures = [part for part in letter.parts if part.get_content_subtype() == "png"]
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
    for letter in office.digests():
        other = "bob" if letter.to[0] == "a" else "alice"
        assert f"Hello from {other}" in letter.text and f"from {letter.to[:3]}" not in letter.text


@pytest.mark.parametrize("boards", [1, 2])
@pytest.mark.parametrize(
    ("line", "sign"),
    [
        ("help commands", "Help: commands"),
        ("resign all", "Star account bob: "),
        ("stop", "If you want fewer letters, reply: help letters."),
        ("Unsubscribe", "To close your account, reply: signoff"),
        ("letters reminders off", "settings"),
        ("accept star", "settings"),
        ("limit", "Something is missing"),
    ],
)
def test_a_reply_to_a_daily_letter_needs_no_board_for_what_is_about_none(
    daily: Office, boards: int, line: str, sign: str
) -> None:
    """It works as in a reply to a letter about the account."""
    for _ in range(boards):
        daily.game("star challenge bob alice")
    (digest,) = digests(daily)
    (letter,) = daily.send("bob", f"Re: {digest.subject}", line, digest.reply_to)
    assert sign in f"{letter.subject} {letter.words}"


def test_help_is_about_no_board_of_several(daily: Office) -> None:
    daily.game("star challenge bob alice")
    daily.game("hex challenge bob alice")
    (digest,) = digests(daily)
    for line in ("help", "Hilfe"):
        (letter,) = daily.send("bob", f"Re: {digest.subject}", line, digest.reply_to)
        assert letter.subject == "Help: index"


def test_what_may_answer_a_request_on_one_of_several_boards_is_no_setting(daily: Office) -> None:
    """Nor is it in another language."""
    daily.game("star challenge bob alice")
    daily.game("hex challenge bob alice")
    daily.send("bob", f"language bob {PASSWORD['bob']} de")
    (digest,) = digests(daily)
    for line in ("accept", "annehmen"):
        (letter,) = daily.send("bob", f"Re: {digest.subject}", line, digest.reply_to)
        assert "17 F6" in letter.words


@pytest.mark.parametrize("between", ["", "Hello, Alice!\n"])
def test_a_whole_command_among_the_lines_of_an_answer(daily: Office, between: str) -> None:
    """Right below a move it's carried out, below words it's refused; what's said below it never goes to the
    opponent of the board above."""
    daily.add("carol")
    board = daily.begun()
    daily.play_as("alice", board, "D4")
    (digest,) = digests(daily)
    said = f"{board} E5\n{between}star challenge carol\nCarol, Alice is a weak player."
    letters = daily.send("bob", "", said, to=digest.reply_to)
    to_alice, to_carol, told = (
        "".join(letter.words for letter in letters if letter.to == address(who))
        for who in ("alice", "carol", "bob")
    )
    assert between.strip() in to_alice and "weak" not in to_alice
    assert ("Alice is a weak player." in to_carol) == (not between)
    assert ("star challenge carol We didn't carry out this command" in told) == bool(between)
