"""Inside one transaction: letters written together at its end, rows read once."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
import sqlalchemy as sa
from harness.server import until

from pbmstar.errors import SchemaChanged, TemporaryFailure
from pbmstar.match import Terms, terms
from pbmstar.match.happenings import Hinted
from pbmstar.store import Board, Handled, NewLetter, Node, Place, Store, Tx, User
from pbmstar.store import database as opening
from pbmstar.store.post import mails, outbox
from pbmstar.store.schema import metadata

TERMS = terms.dump(Terms())
BEGUN = Board(
    0, "star", "{}", 1.0, 0, 0, "alice", "", 1.0, None, TERMS, None, None, 0, ("alice", "bob"), (0, 0)
)  # fmt: skip
ALICE = User("alice", "alice@home.example", "hash", "active", 1.0)


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    with closing(Store(database)) as store:
        yield store


class Undone(Exception):
    """Raised in a savepoint to undo it."""


def add(tx: Tx, *names: str) -> list[int]:
    return [
        tx.outbox.add(NewLetter(f"<{name}@x>", "alice", ALICE.address, "", name.encode(), 1.0))
        for name in names
    ]


def waiting(tx: Tx) -> list[str]:
    return [letter.message_id[1:-3] for letter in tx.outbox.unsent()]


def test_letters_are_numbered_in_order_over_transactions(store: Store) -> None:
    numbers: list[int] = []
    for names in ("a", "bc", "defghijkl", "m"):
        with store.transaction() as tx:
            numbers += add(tx, *names)
    assert numbers == sorted(set(numbers))
    with store.transaction() as tx:
        assert waiting(tx) == list("abcdefghijklm")
        contents = [(letter.id, letter.content) for letter in tx.outbox.claim("me", 2.0, 9.0, 20)]
    assert contents == list(zip(numbers, [bytes([c]) for c in b"abcdefghijklm"], strict=True))


def test_nothing_is_written_on_other_tables_and_no_letter_claimed(store: Store) -> None:
    """A newer program has changed them under a process that runs: its letters are not ours to send."""
    with store.transaction() as tx:
        add(tx, "a")
    with store.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")

    def work() -> None:
        with store.transaction() as tx:
            tx.accounts.add(ALICE)
            assert tx.outbox.claim("me", 2.0, 9.0, 20)

    with pytest.raises(SchemaChanged):
        work()
    with store.transaction(writes=False) as tx:
        assert tx.accounts.user("alice") is None
        assert [letter.tries for letter in tx.outbox.unsent()] == [0]


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
        letter = tx.outbox.status(first)
        assert letter and letter.state == "new"
        (second,) = add(tx, "b")
        assert tx.outbox.revive(second, 1.0)
        add(tx, "c")
        assert tx.outbox.last_written() == 1.0
        add(tx, "d")
        assert [each.content for each in tx.outbox.claim("me", 2.0, 9.0, 9)] == [
            b"a",
            b"b",
            b"c",
            b"d",
        ]


def test_whatever_changes_many_letters_changes_new_ones(store: Store) -> None:
    with store.transaction() as tx:
        first, second = add(tx, "a", "b")
        tx.outbox.set_sent([first, second], 2.0)
    with store.transaction() as tx:
        assert waiting(tx) == []
        assert tx.outbox.content(first) is tx.outbox.content(second) is None


def test_a_transaction_that_fails_leaves_no_letter(store: Store) -> None:
    with suppress(Undone), store.transaction() as tx:
        add(tx, "a")
        raise Undone
    with store.transaction() as tx:
        assert waiting(tx) == []


def test_a_row_is_read_anew_once_it_was_written(store: Store) -> None:
    with store.transaction() as tx:
        assert tx.accounts.user("alice") is None
        tx.accounts.add(ALICE)
        assert tx.accounts.user("alice") == ALICE
        tx.accounts.set_password("alice", "other")
        assert tx.accounts.user("alice") == ALICE._replace(password="other")
        with suppress(Undone), tx.savepoint():
            tx.accounts.set_address("alice", "new@home.example")
            assert tx.accounts.user("alice").address == "new@home.example"  # type: ignore[union-attr]
            raise Undone
        assert tx.accounts.user("alice") == ALICE._replace(password="other")
        for write, field, value in (
            (
                lambda: tx.accounts.set_wishes(ALICE._replace(reminders=0, most=3, refuses="star")),
                "most",
                3,
            ),
            (lambda: tx.accounts.set_bounces("alice", 2.0, "suspended"), "state", "suspended"),
            (lambda: tx.accounts.close("alice"), "address", ""),
        ):
            write()
            assert getattr(tx.accounts.user("alice"), field) == value


def test_what_is_forgotten_goes_in_parts(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """No transaction grows with what has gathered: mails would wait for it."""
    for module in (mails, outbox):
        monkeypatch.setattr(module, "PRUNED", 2)
    with store.transaction() as tx:
        letters = add(tx, *"abcde")
        tx.outbox.claim("me", 2.0, 9.0, 9)
        tx.outbox.set_sent(letters[:4], 3.0)
        for mail in (b"1", b"2", b"3"):
            tx.mails.handle(mail, 1.0, None)
    more = []
    while not more or more[-1]:
        with store.transaction() as tx:
            more.append(tx.prune(100 * 86400.0, 86400.0, 86400.0))
    with store.transaction() as tx:
        assert (waiting(tx), more) == (["e"], [True, True, False])
        assert [tx.outbox.status(letter) is None for letter in letters] == [True] * 4 + [False]
        assert all(tx.mails.handle(mail, 1.0, None) for mail in (b"1", b"2", b"3"))


def test_a_removed_board_leaves_nothing_but_what_is_a_players(store: Store) -> None:
    """What was best in a puzzle stays, what waits for a digest tells of the end, and who removes a board
    folds the ratings anew. Places on a ladder and problems of the week stay. A process that thinks about it
    lets go of it by itself."""
    of_boards = [table for table in metadata.sorted_tables if "board" in table.columns]
    with store.engine.begin() as connection:
        for table in of_boards:
            texts = {each.name: "" for each in table.columns if isinstance(each.type, sa.Text)}
            numbers = {each.name: 1 for each in table.columns if each.name not in texts}
            connection.execute(sa.insert(table).values(texts | numbers))
    with store.transaction() as tx:
        tx.boards.drop(1)
    with store.engine.begin() as connection:
        left = [table.name for table in of_boards if connection.execute(sa.select(table)).first()]
    stays = {
        "bests",
        "invitations",
        "own_problems",
        "pairings",
        "problems",
        "rated",
        "rating_steps",
        "steps",
    }
    assert set(left) == (stays | {"thoughts", "untold"}) & {table.name for table in of_boards}


def statements_of(store: Store) -> list[str]:
    """The list that each statement of the store is added to from now on."""
    seen: list[str] = []

    def note(connection: sqlite3.Connection, *_rest: object) -> None:
        connection.set_trace_callback(seen.append)

    sa.event.listen(store.engine, "checkout", note)
    return seen


def test_a_savepoint_is_made_for_a_block_that_writes_only(tmp_path: Path) -> None:
    """One for two blocks if the outer has written nothing before the inner."""
    with closing(Store(f"sqlite:///{tmp_path / 'db'}")) as store:
        seen = statements_of(store)
        with store.transaction() as tx:
            with tx.savepoint(), tx.savepoint():
                assert tx.accounts.user("alice") is None
            assert "SAVEPOINT command" not in seen
            with tx.savepoint(), tx.savepoint():
                tx.accounts.add(ALICE)
        assert [each for each in seen if "SAVEPOINT" in each] == [
            "SAVEPOINT command",
            "RELEASE SAVEPOINT command",
        ]


@pytest.mark.parametrize("before", [False, True])
@pytest.mark.parametrize("between", [False, True])
def test_a_block_undoes_the_blocks_in_it(store: Store, before: bool, between: bool) -> None:
    """Whether it has written something before the first of them or not, and before it all or not."""

    def names(tx: Tx) -> list[str]:
        return [user.userid for user in tx.accounts.users()]

    def write(tx: Tx, userid: str) -> None:
        tx.accounts.add(ALICE._replace(userid=userid))

    with store.transaction() as tx:
        if before:
            write(tx, "a")
        first = names(tx)
        with suppress(Undone), tx.savepoint():
            if between:
                write(tx, "b")
            second = names(tx)
            with tx.savepoint():
                write(tx, "c")
            with suppress(Undone), tx.savepoint():
                write(tx, "d")
                raise Undone
            assert names(tx) == [*second, "c"]
            raise Undone
        assert names(tx) == first
        with tx.savepoint():
            write(tx, "e")
        assert names(tx) == [*first, "e"]
    with store.transaction() as tx:
        assert names(tx) == [*first, "e"]


@pytest.mark.parametrize("looked", [False, True])
def test_a_move_waits_until_somebody_asks_and_goes_with_its_block(
    store: Store, looked: bool
) -> None:
    """Its rows are written before a query that could see them, and a block that fails undoes them."""
    with store.transaction() as tx:
        number = tx.boards.add(BEGUN)
        row = tx.boards.get(number)
        assert row is not None
        start = row.match([])
        moved = start.after("alice", "E5", 2.0)
        for is_undone in (True, False):
            with suppress(Undone), tx.savepoint():
                tx.boards.save(start, moved)
                if looked:
                    row = tx.boards.get(number)
                    assert row is not None and row.to_move == "bob"
                    assert [each.length for each in tx.boards.of("bob", "next")] == [1]
                    assert [each.move for each in tx.boards.record(number)] == ["E5"]
                if is_undone:
                    raise Undone
            row = tx.boards.get(number)
            assert row is not None and row.to_move == ("alice" if is_undone else "bob")
            assert len(tx.boards.record(number)) == (not is_undone)
    with store.transaction() as tx:
        assert [each.move for each in tx.boards.record(number)] == ["E5"]


def test_a_move_needs_no_savepoint(tmp_path: Path) -> None:
    with closing(Store(f"sqlite:///{tmp_path / 'db'}")) as store:
        with store.transaction() as tx:
            row = tx.boards.get(tx.boards.add(BEGUN))
        assert row is not None
        start, seen = row.match([]), statements_of(store)
        with store.transaction() as tx, tx.savepoint():
            assert tx.ledger.tally("commands a", 1.0, 9.0) == 1
            tx.boards.save(start, start.after("alice", "E5", 2.0))
        assert "SAVEPOINT command" not in seen
        assert any(each.startswith("UPDATE boards") for each in seen)


def test_what_each_message_counts_counts_within_a_transaction_too(store: Store) -> None:
    """As ``count`` counts, and in the same row; a count of another window, or of a wrong clock, is none."""
    with store.transaction() as tx:
        assert [tx.ledger.tally("a", now, 10.0) for now in (5.0, 6.0)] == [1, 2]
        with suppress(Undone), tx.savepoint():
            assert tx.ledger.tally("a", 7.0, 10.0) == 3
            raise Undone
        assert tx.ledger.counted("a", 7.0, 10.0) == 2
        assert tx.ledger.count("a", 7.0, 10.0) == 3
        assert tx.ledger.tally("a", 8.0, 10.0) == 4
    with store.transaction() as tx:
        assert tx.ledger.tally("a", 14.0, 10.0) == 5
        assert tx.ledger.tally("a", 15.0, 10.0) == 1
        assert tx.ledger.tally("a", 6.0, 10.0) == 2
        assert tx.ledger.tally("a", 4.0, 10.0) == 1


def test_a_mail_is_handled_once_in_a_transaction_and_after_it(store: Store) -> None:
    """A mark that is undone, or too old, is none."""
    with store.transaction() as tx:
        assert tx.mails.handle(b"1", 5.0, None)
        assert not tx.mails.handle(b"1", 5.0, None)
        with suppress(Undone), tx.savepoint():
            assert tx.mails.handle(b"2", 5.0, None)
            assert tx.mails.last_received() == 5.0  # written, because somebody looks
            raise Undone
        assert not tx.mails.handle(b"1", 5.0, None)
    with store.transaction() as tx:
        assert not tx.mails.handle(b"1", 9.0, again_after=5.0)
        assert tx.mails.handle(b"1", 9.0, again_after=5.1)
        assert not tx.mails.handle(b"1", 9.0, again_after=5.1)
        assert tx.mails.handle(b"2", 9.0, None)
    with store.transaction() as tx:
        assert tx.mails.last_received() == 9.0


@pytest.mark.parametrize("looked", [False, True])
def test_what_became_of_a_mail_is_kept_with_its_mark(store: Store, looked: bool) -> None:
    """Also if the mark was written before, because somebody looked."""
    told = Handled(7.0, "applied 1 of 1", "m1", "", "alice", 1, ("move 1",), (), (1, 2), "pass")
    with store.transaction() as tx:
        assert tx.mails.handle(b"1", 7.0, None)
        assert not looked or tx.mails.last_seen("alice") is None
        tx.mails.describe(b"1", told)
        assert tx.mails.find(mail="m1") == [told]
    with store.transaction() as tx:
        assert tx.mails.find(userid="alice") == [told]


def test_rows_are_remembered_until_they_change(store: Store) -> None:
    with store.transaction() as tx:
        tx.accounts.add(ALICE)
        assert tx.accounts.users_at(ALICE.address) == [ALICE]
        tx.accounts.set_address("alice", "new@home.example")
        assert tx.accounts.users_at(ALICE.address) == []
        assert [user.userid for user in tx.accounts.users_at("new@home.example")] == ["alice"]
        assert tx.accounts.place("alice", "here").known == 0
        tx.accounts.set_place("alice", "here", Place(1, 2, 3.0, 4.0))
        assert tx.accounts.place("alice", "here") == Place(1, 2, 3.0, 4.0)
        tx.accounts.unlock("alice")
        assert tx.accounts.place("alice", "here") == Place(1, 0, 3.0, 0.0)
        assert not tx.people.is_banned("mark", "a.example")
        tx.people.ban("@example", 1.0)
        assert tx.people.is_banned("mark", "a.example")
        assert tx.people.is_banned("mark", ".".join("abcdefghijkl") + ".example")
        assert not tx.people.is_banned("mark", "example.org")
        assert tx.people.unban("@example")
        assert not tx.people.is_banned("mark", "a.example")


def test_events_of_a_board_are_read_if_there_are_any(store: Store) -> None:
    board = Board(
        0, "star", "{}", 1.0, 0, 0, "a", "", 1.0, None, "", None, None, 0, ("a", "b"), (0, 0)
    )
    with store.transaction() as tx:
        number = tx.boards.add(board)
        assert tx.boards.get(number) and tx.boards.events(number) == []
        with suppress(Undone), tx.savepoint():
            tx.boards.add_event(number, 1.0, Hinted("a", 0))
            assert [event.happening for event in tx.boards.events(number)] == [Hinted("a", 0)]
            raise Undone
        assert tx.boards.get(number) and tx.boards.events(number) == []
        tx.boards.add_event(number, 1.0, Hinted("a", 1))
        assert [event.happening for event in tx.boards.events(number)] == [Hinted("a", 1)]
    with store.transaction() as tx:
        row = tx.boards.get(number)
        assert row is not None and row.happened == 1
        assert [event.happening for event in tx.boards.events(number)] == [Hinted("a", 1)]


def test_a_reserved_number_comes_behind_those_of_the_letters_before_it(store: Store) -> None:
    with store.transaction() as tx:
        told = tx.outbox.reserve(1)
        (first,) = add(tx, "a")
        second = tx.outbox.add(NewLetter("<b@x>", "alice", "a@x", "", b"b", 1.0), told)
        assert first < second == told.number
        assert add(tx, "c") > [second] and len({*add(tx, "d", "e"), first, second}) == 4


def test_a_reservation_is_open_until_a_letter_takes_it(store: Store) -> None:
    """And only in its transaction."""
    with store.transaction() as tx:
        told = tx.outbox.reserve()
        assert tx.outbox.reservation(told.number) == told
        tx.outbox.add(NewLetter("<b@x>", "alice", "a@x", "", b"b", 1.0), told)
        assert tx.outbox.reservation(told.number) is None and tx.outbox.is_of_now(told.number)
        assert tx.outbox.reservation(None) is None
    with store.transaction() as tx:
        assert tx.outbox.reservation(told.number) is None
        assert not tx.outbox.is_of_now(told.number)


def test_a_new_file_waits_for_another_process_that_opens_it(tmp_path: Path) -> None:
    """SQLite itself waits for no time there: two programs that begin at once on a new spool."""
    file = tmp_path / "new.db"
    with closing(sqlite3.connect(file, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        timer = threading.Timer(0.1, other.execute, ("COMMIT",))
        timer.start()
        Store(f"sqlite:///{file}").close()
        timer.join()


def test_a_letter_is_due_at_once_whatever_the_clock_of_its_node_says(store: Store) -> None:
    """Of a node whose clock is two hours ahead: when it is made, given back, and left by a killed one."""
    now, ahead = 1000.0, 8200.0
    with store.transaction() as tx:
        tx.outbox.add(NewLetter("<1@x>", "alice", ALICE.address, "", b"x", ahead))
    steps = (
        lambda tx: None,
        lambda tx: tx.outbox.release("fast"),
        lambda tx: tx.outbox.recover("fast", ahead),
    )
    for step in steps:
        with store.transaction() as tx:
            step(tx)
            (letter,) = tx.outbox.unsent()
            assert letter.due <= now
            assert tx.outbox.next_due(now, outbox.PLAYERS) == letter.id
            assert len(tx.outbox.claim("fast", now, ahead, 9)) == 1


def test_a_clock_is_compared_with_that_of_the_database(store: Store) -> None:
    with store.transaction() as tx:
        if store.is_sqlite:
            assert tx.ledger.ahead(1e12) == 0
        else:
            assert tx.ledger.ahead(1e12) > 9e11
            assert tx.ledger.ahead(0.0) < -1e9


def test_a_lock_that_is_not_to_be_had_passes(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process hangs within a transaction: after a while the server ends that one."""
    if database.startswith("sqlite"):
        pytest.skip("a lock of SQLite is that of the whole file")
    short = ("SET lock_timeout = '50ms'", "SET idle_in_transaction_session_timeout = '1s'")
    monkeypatch.setattr(opening, "SETTINGS", short)
    with closing(Store(database)) as hanging, closing(Store(database)) as other:
        with hanging.transaction() as tx:
            tx.ledger.set_fact("x", "0")

        def write() -> bool:
            with suppress(TemporaryFailure), other.transaction() as tx:
                tx.ledger.set_fact("x", "2")
                return True
            return False

        def hang() -> None:
            with hanging.transaction() as tx:
                tx.ledger.set_fact("x", "1")
                tx.outbox.states()  # the server has answered, and waits for us
                assert not write()
                until(write, "the lock")
                tx.outbox.states()

        with pytest.raises(TemporaryFailure):
            hang()
        with other.transaction() as tx:
            assert tx.ledger.fact("x") == "2"
        with hanging.transaction() as tx:
            assert tx.ledger.fact("x") == "2"


def test_who_only_reads_may_think_for_long(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as a search for a problem of the week: it holds no lock that others wait for."""
    if database.startswith("sqlite"):
        pytest.skip("SQLite does not end idle transactions")
    short = ("SET idle_in_transaction_session_timeout = '300ms'",)
    monkeypatch.setattr(opening, "SETTINGS", short)
    engine = sa.create_engine(database, isolation_level="AUTOCOMMIT")
    of_ours = sa.text(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
        " AND application_name LIKE 'pbmstar %'"
    )

    def write(store: Store) -> None:
        with closing(engine.connect()) as looks, store.transaction() as tx:
            tx.outbox.states()
            until(lambda: looks.execute(of_ours).scalar() == 1, "the end of the one that writes")
            tx.outbox.states()

    with closing(Store(database)) as store, store.transaction(writes=False) as tx:
        assert tx.outbox.states() == {}
        with pytest.raises(TemporaryFailure):
            write(store)
        assert tx.outbox.states() == {}
    engine.dispose()


def test_a_node_that_is_struck_out_loses_its_locks(database: str) -> None:
    """Also in the middle of statements, of which the server counts no time."""
    if database.startswith("sqlite"):
        pytest.skip("SQLite has one node")
    with (
        closing(Store(database, node="a1")) as hanging,
        closing(Store(database, node="b2")) as other,
    ):
        with other.transaction() as tx:
            tx.ledger.join(Node("a1", "north", "0.3.0", 1, 0.0, 0.0))

        def hang() -> None:
            with hanging.transaction() as tx:
                tx.ledger.set_fact("x", "1")
                with other.transaction() as there:
                    assert there.ledger.bury("a1", 1)
                    there.ledger.set_fact("x", "2")
                tx.outbox.states()

        with pytest.raises(TemporaryFailure):
            hang()
        with hanging.transaction() as tx:
            assert tx.ledger.fact("x") == "2"


def test_transactions_in_a_row_use_one_connection(store: Store) -> None:
    """Another one would read anew what this one has written, even if a second one was open meanwhile."""
    used = set[int]()
    sa.event.listen(store.engine, "checkout", lambda driver, *_: used.add(id(driver)))
    with store.transaction() as tx, store.engine.connect():
        add(tx, "a")
    assert len(used) == 2
    used.clear()
    for name in "bcd":
        with store.transaction() as tx:
            add(tx, name)
    assert len(used) == 1
