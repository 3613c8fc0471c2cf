"""Nobody waits for another's crowd: what is done for many is done in pieces, each once, whatever happens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from harness.letters import PASSWORD
from harness.office import Office, address

from pbmstar.service.letters.chores import PIECE

GAMES = 2 * PIECE + 5


@pytest.fixture
def crowd(office_of: Callable[..., Office]) -> Office:
    """Alice and bob have moved on many boards."""
    office = office_of(limits="off")
    for _ in range(GAMES):
        office.begun()
    office.letters()
    return office


def suspend(office: Office) -> None:
    with office.store.transaction() as tx:
        letter = None
        for _ in range(3):
            user = tx.accounts.user("alice")
            assert user is not None
            from pbmstar.service.incoming import bounces

            letter = bounces.bounced(office.work(tx), user, address("alice"), 1.0)
        assert letter is not None and letter.reason == "suspended"


def piece(office: Office) -> bool:
    """Do one piece, as the daemon does."""
    with office.store.transaction() as tx:
        return office.service.do_chore(tx)


def waiting(office: Office) -> Counter[str]:
    """How many letters wait for each player."""
    with office.store.transaction() as tx:
        return Counter(letter.userid for letter in tx.outbox.unsent())


@pytest.mark.slow
def test_a_suspension_tells_opponents_in_pieces(crowd: Office) -> None:
    """A daemon that is killed in between goes on where it was."""
    suspend(crowd)
    assert waiting(crowd)["bob"] == PIECE
    assert piece(crowd)
    assert waiting(crowd)["bob"] == 2 * PIECE
    crowd.restart()
    while piece(crowd):
        pass
    assert waiting(crowd)["bob"] == GAMES
    told = [letter for letter in crowd.letters() if letter.to == address("bob")]
    assert len({letter.mail["X-Pbmstar-Board"] for letter in told}) == GAMES


@pytest.mark.slow
def test_a_piece_that_is_undone_is_done_again(crowd: Office) -> None:
    """The place where the next piece starts is stored with the piece."""
    suspend(crowd)
    with suppress(KeyboardInterrupt), crowd.store.transaction() as tx:
        assert crowd.service.do_chore(tx)
        raise KeyboardInterrupt  # the process ends before the commit
    assert waiting(crowd)["bob"] == PIECE
    while piece(crowd):
        pass
    assert waiting(crowd)["bob"] == GAMES


@pytest.mark.slow
def test_who_writes_again_ends_the_telling(crowd: Office) -> None:
    suspend(crowd)
    crowd.deliver(crowd.write("alice", f"star show 1 alice {PASSWORD['alice']}"))
    crowd.deliver(crowd.write("alice", f"settings alice {PASSWORD['alice']}"))
    while piece(crowd):
        pass
    assert waiting(crowd)["bob"] < GAMES


@pytest.mark.slow
def test_an_account_with_many_games_closes_right_away(crowd: Office) -> None:
    """Its games are resigned behind it, and nobody else waits for that."""
    crowd.run("admin", "user", "close", "alice")
    with crowd.store.transaction() as tx:
        assert tx.accounts.user("alice").state == "closed"  # type: ignore[union-attr]
    crowd.letters()
    assert all(board["over"] for board in crowd.facts("admin", "board", "list"))
    assert crowd.run("admin", "check").exit_code == 0


@pytest.mark.slow
@pytest.mark.parametrize("words", [["erase", "alice", "--rename"], ["merge", "alice", "carol"]])
def test_what_renames_an_account_first_finishes_its_work(crowd: Office, words: list[str]) -> None:
    if "merge" in words:
        crowd.add("carol")
    suspend(crowd)
    assert crowd.run("admin", "user", *words).exit_code == 0
    assert waiting(crowd)["bob"] >= GAMES
    assert not piece(crowd)
    assert crowd.run("admin", "check").exit_code == 0


@pytest.mark.slow
def test_damaged_boards_do_not_keep_an_erasure_from_its_end(crowd: Office) -> None:
    """They cannot be resigned, so they are still there when the next piece starts."""
    crowd.sql(f"UPDATE boards SET options = 'damaged' WHERE board <= {PIECE}")
    assert crowd.run("admin", "user", "erase", "alice", "--rename").exit_code == 0
    whole = [board for board in crowd.facts("admin", "board", "list") if board["board"] > PIECE]
    assert len(whole) == GAMES - PIECE and all(board["over"] for board in whole)


@pytest.mark.slow
def test_games_given_up_by_one_word_are_listed_in_one_letter(crowd: Office) -> None:
    (asked,) = crowd.send("alice", f"resign all alice {PASSWORD['alice']}")
    letters = crowd.send("alice", "Re: x", "yes", asked.mail["Reply-To"])
    (listed,) = [letter for letter in letters if letter.to == address("alice")]
    assert " ".join(listed.text.split()).count("board ") == GAMES
    assert all(board["over"] for board in crowd.facts("admin", "board", "list"))


def test_an_announcement_is_written_in_pieces_at_its_pace(office: Office, tmp_path: Path) -> None:
    for number in range(60):
        office.add(f"p{number:02}", password="x7r4pq")
    news = tmp_path / "news"
    news.write_text("News\n\nThere is a cup.\n")
    told = office.run("admin", "announce", str(news), "--per-hour", "60")
    assert told.output == "62 letters written. The last one goes out in 1.0 hours.\n"
    while piece(office):
        pass
    with office.store.transaction() as tx:
        letters = [each for each in tx.outbox.unsent() if each.userid]
    assert len({letter.userid for letter in letters}) == 62 == len(letters)
    assert round(max(letter.due for letter in letters) - office.now) == 61 * 60
