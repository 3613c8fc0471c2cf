"""Watching: what those who only look are told, what it costs, and what forged mails can do."""

from __future__ import annotations

import pytest
from harness.letters import PASSWORD
from harness.office import Office, address

from pbmstar.service.verbs.play import REPORTS_A_DAY
from pbmstar.service.verbs.watches import MOST

CAROL = "tr1angle"


def watched(office: Office, how: str = "each") -> int:
    """A game that carol watches; the board's number."""
    board = office.game("star challenge -size=4 alice bob")
    office.add("carol")
    office.send("carol", f"watch {board} carol {CAROL} {how}")
    return board


def as_player(office: Office, who: str, board: int, line: str, body: str = "") -> str:
    """What carol gets of a player's command; empty if nothing."""
    verb, _, rest = line.partition(" ")
    letters = office.send(who, f"star {verb} {board} {who} {PASSWORD[who]} {rest}".strip(), body)
    assert letters and all("Error" not in letter.subject for letter in letters), line
    mine = [letter for letter in letters if letter.to == address("carol")]
    assert len(mine) <= 1
    return mine[0].raw.decode() if mine else ""


def test_a_watcher_sees_moves_and_nothing_that_is_the_players_own(office: Office) -> None:
    """No words, plans, notes, requests, clocks; no address to reply to."""
    board = watched(office)
    told = []
    for who, line, body, is_seen in (
        ("alice", "move B3", "a word for bob", True),
        ("alice", "say", "another word", False),
        ("alice", "note", "a note of mine", False),
        ("alice", "plan if C3 then D3; else B4", "", False),
        ("bob", "move C3", "", True),
        ("bob", "undo", "", False),
        ("alice", "no", "", False),
        ("bob", "draw", "", False),
        ("alice", "decline", "", False),
        ("bob", "move A4", "", True),
        ("alice", "extend 3", "", False),
        ("alice", "resign", "a last word", True),
    ):
        letter = as_player(office, who, board, line, body)
        assert bool(letter) == is_seen, line
        told.append(letter)
    everything = "\n".join(told)
    hidden = ("a word", "another word", "last word", "a note", "our plan", "asks", "\nReply-To")
    for never in (*hidden, "X-Pbmstar-Clock", "days left", "By-Plan"):
        assert never not in everything, never
    assert office.ask("watches.watchers", board) == [], "nobody watches what is over"


def test_letters_to_players_are_the_same_but_for_how_many_watch(office: Office) -> None:
    """Whoever it is: the players are not told."""
    watched(office)
    letters = office.play(1, "B3")
    for letter in letters:
        if letter.to != address("carol"):
            assert "Watched by 1." in letter.text and "carol" not in letter.raw.decode()


def test_a_board_that_nobody_watches_costs_no_statement_more(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A move reads the number of watchers with its board, and asks no more if there is none."""
    asked: list[str] = []
    store = "pbmstar.store.play.watched.Watches"
    for name in ("watchers", "end"):
        monkeypatch.setattr(f"{store}.{name}", lambda *args, name=name: asked.append(name) or [])
    office.game("star challenge -size=3 alice bob")
    office.play(1, "C3", "B2", "resign")
    assert asked == []


def test_a_digest_tells_what_has_happened_on_watched_boards(office: Office) -> None:
    """Once, and only if something has; its reader needs to want no letter a day else."""
    board = watched(office, "digest")
    office.play(board, "B3", body="for bob alone")
    (letter,) = digests(office)
    assert letter.to == address("carol") and "B3 by alice" in letter.text
    assert "for bob alone" not in letter.text
    assert letter.reply_to.startswith("star+c"), "it speaks for the account, and for no board"
    assert digests(office) == []


def digests(office: Office) -> list[object]:
    office.now += 86400.0
    with office.store.transaction() as tx:
        while office.service.send_digests(tx):
            pass
    return office.letters()


def test_a_player_watches_fifty_boards_at_most(office: Office) -> None:
    board = watched(office)
    for number in range(1000, 999 + MOST):
        office.ask("watches.watch", number, "carol", "each")
    (letter,) = office.send("carol", f"watch {board} carol {CAROL} each")
    assert "which is the most" in letter.text


@pytest.mark.parametrize(
    "line",
    [
        "watch 1 alice wr0ng",
        "star watch 1 alice",
        "watch player bob alice wr0ng",
        "watches alice wr0ng",
        "star mute 1 bob wr0ng",
        "star report 1 bob wr0ng",
    ],
)
def test_a_forged_mail_makes_nobody_watch_mute_or_report(office: Office, line: str) -> None:
    office.game()
    before = office.state()
    who = "bob" if "bob wr0ng" in line else "alice"
    office.deliver(office.write(who, line), sender="evil@evil.example", peer="192.0.2.66")
    assert {letter.to for letter in office.letters()} <= {address(who)}
    assert office.state() == before and office.ask("watches.watchers", 1) == []
    assert office.ask("boards.events", 1) == []


def test_a_player_reports_three_times_a_day(office: Office) -> None:
    office.context.config.__dict__["operator"] = "op@site.example"
    board = office.game()
    for number in range(REPORTS_A_DAY + 1):
        letters = office.send("alice", f"star report {board} alice {PASSWORD['alice']} rude")
        went = "op@site.example" in [letter.to for letter in letters]
        assert went == (number < REPORTS_A_DAY)


def test_who_leaves_watches_nothing(office: Office) -> None:
    board = watched(office)
    office.send("carol", f"watch player bob carol {CAROL}")
    office.send("carol", f"signoff carol {CAROL}")
    assert office.ask("watches.watchers", board) == []
    assert office.ask("watches.followers", ("alice", "bob")) == []
