"""Inside one transaction: letters written together at its end, rows read once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, suppress

import pytest
import sqlalchemy as sa

from pbmstar.store import Store, Tx, User, counters, outbox
from pbmstar.store.tables import metadata

ALICE = User("alice", "alice@home.example", "hash", "active", 1.0)


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    with closing(Store(database)) as store:
        yield store


class Undone(Exception):
    """Raised in a savepoint to undo it."""


def add(tx: Tx, *names: str) -> list[int]:
    return [
        tx.add_letter(f"<{name}@x>", "alice", "alice@home.example", "", name.encode(), 1.0)
        for name in names
    ]


def waiting(tx: Tx) -> list[str]:
    return [letter.message_id[1:-3] for letter in tx.letters()]


def test_letters_are_numbered_in_order_over_transactions(store: Store) -> None:
    numbers: list[int] = []
    for names in ("a", "bc", "defghijkl", "m"):
        with store.transaction() as tx:
            numbers += add(tx, *names)
    assert numbers == sorted(set(numbers))
    with store.transaction() as tx:
        assert waiting(tx) == list("abcdefghijklm")
        contents = [(letter.id, letter.content) for letter in tx.claim("me", 2.0, 9.0, 20)]
    assert contents == list(zip(numbers, [bytes([c]) for c in b"abcdefghijklm"], strict=True))


@pytest.mark.parametrize("looked", [False, True])
def test_letters_vanish_with_their_savepoint_only(store: Store, looked: bool) -> None:
    """Also if they, and those of before, were written in it because something looked at them."""
    with store.transaction() as tx:
        add(tx, "a")
        with suppress(Undone), tx.savepoint():
            add(tx, "b")
            with suppress(Undone), tx.savepoint():
                add(tx, "c")
                assert not looked or waiting(tx) == ["a", "b", "c"]
                raise Undone
            with tx.savepoint():
                add(tx, "d")
            assert not looked or waiting(tx) == ["a", "b", "d"]
            raise Undone
        with tx.savepoint():
            add(tx, "e")
    with store.transaction() as tx:
        assert waiting(tx) == ["a", "e"]


def test_whatever_looks_at_letters_sees_new_ones(store: Store) -> None:
    with store.transaction() as tx:
        (first,) = add(tx, "a")
        letter = tx.letter(first)
        assert letter and letter.state == "new"
        (second,) = add(tx, "b")
        assert tx.revive(second, 1.0)
        add(tx, "c")
        assert tx.newest() == 1.0
        add(tx, "d")
        assert [each.content for each in tx.claim("me", 2.0, 9.0, 9)] == [b"a", b"b", b"c", b"d"]


def test_a_transaction_that_fails_leaves_no_letter(store: Store) -> None:
    with suppress(Undone), store.transaction() as tx:
        add(tx, "a")
        raise Undone
    with store.transaction() as tx:
        assert waiting(tx) == []


def test_a_row_is_read_anew_once_it_was_written(store: Store) -> None:
    with store.transaction() as tx:
        assert tx.user("alice") is None
        tx.add_user(ALICE)
        assert tx.user("alice") == ALICE
        tx.set_password("alice", "other")
        assert tx.user("alice") == ALICE._replace(password="other")
        with suppress(Undone), tx.savepoint():
            tx.set_address("alice", "new@home.example")
            assert tx.user("alice").address == "new@home.example"  # type: ignore[union-attr]
            raise Undone
        assert tx.user("alice") == ALICE._replace(password="other")
        for write, field, value in (
            (lambda: tx.set_wishes(ALICE._replace(reminders=0, most=3, refuses="star")), "most", 3),
            (lambda: tx.set_bounces("alice", 2.0, "suspended"), "state", "suspended"),
            (lambda: tx.close_user("alice"), "address", ""),
        ):
            write()
            assert getattr(tx.user("alice"), field) == value


def test_what_is_forgotten_goes_in_parts(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """No transaction grows with what has gathered: mails would wait for it."""
    for module in (counters, outbox):
        monkeypatch.setattr(module, "PRUNED", 2)
    with store.transaction() as tx:
        letters = add(tx, *"abcde")
        tx.claim("me", 2.0, 9.0, 9)
        tx.sent(letters[:4], 3.0)
        for mail in (b"1", b"2", b"3"):
            tx.handle(mail, 1.0, None)
    more = []
    while not more or more[-1]:
        with store.transaction() as tx:
            more.append(tx.prune(100 * 86400.0, 86400.0, 86400.0))
    with store.transaction() as tx:
        assert (waiting(tx), more) == (["e"], [True, True, False])
        assert [tx.letter(letter) is None for letter in letters] == [True] * 4 + [False]
        assert all(tx.handle(mail, 1.0, None) for mail in (b"1", b"2", b"3"))


def test_a_removed_board_leaves_nothing_but_what_is_a_players(store: Store) -> None:
    """What was best in a puzzle stays, and what waits for a digest tells of the end."""
    of_boards = [table for table in metadata.sorted_tables if "board" in table.columns]
    with store.engine.begin() as connection:
        for table in of_boards:
            texts = {each.name: "" for each in table.columns if isinstance(each.type, sa.Text)}
            numbers = {each.name: 1 for each in table.columns if each.name not in texts}
            connection.execute(sa.insert(table).values(texts | numbers))
    with store.transaction() as tx:
        tx.drop_board(1)
    with store.engine.begin() as connection:
        left = [table.name for table in of_boards if connection.execute(sa.select(table)).first()]
    assert left == ["bests", "untold"]
