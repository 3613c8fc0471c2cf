"""An account with several addresses: whose they are, what goes there, and what it costs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from bench.steps import counted
from harness.letters import PASSWORD
from harness.office import Office, address
from harness.quick import opened
from harness.server import until
from hypothesis import event, given, settings
from hypothesis import strategies as st

from pbmstar.identity import mailbox
from pbmstar.service.incoming import bounces
from pbmstar.service.proof import limits
from pbmstar.service.verbs.addresses import MOST, move_account
from pbmstar.service.work.work import Work
from pbmstar.store import OtherAddress

PHONE, WORK = "alice@phone.example", "alice@work.example"


def further(office: Office, to: str, kind: str = "copies", who: str = "alice") -> None:
    """Let an account have one more address, as its owner does."""
    home = office.ask("accounts.user", who).address
    asked = office.send(home, f"add address {who} {PASSWORD[who]} {to} {kind}")
    (letter,) = (each for each in asked if each.to == to)
    office.send(to, "Re: yes", to=letter.reply_to)
    assert to in addresses(office, who)


def addresses(office: Office, who: str) -> list[str]:
    """All addresses of an account, the first one first."""
    with office.store.transaction() as tx:
        user = tx.accounts.user(who)
        assert user is not None
        return tx.accounts.addresses(user)


def test_an_account_comes_back_from_a_backup_with_its_addresses_unless_one_is_anothers_now(
    office: Office, tmp_path: Path
) -> None:
    further(office, PHONE)
    backup = str(tmp_path / "backup.db")
    office.run("admin", "backup", backup)
    restore = ("admin", "restore", backup, "--user", "alice")
    for taken in (PHONE, address("alice")):
        assert office.run("admin", "user", "erase", "alice").exit_code == 0
        office.ask("accounts.add_address", OtherAddress(taken, "bob", "copies", office.now))
        assert "Another account already has that address" in office.run(*restore).output
        assert office.ask("accounts.user", "alice").state == "closed"
        office.ask("accounts.drop_address", "bob", taken)
        assert office.run(*restore).output == "Account alice restored; boards: none.\n"
        assert addresses(office, "alice") == [address("alice"), PHONE]
    assert office.check() == []


# -- what goes there


def test_the_letter_to_the_first_address_is_the_one_that_starts_a_clock(office: Office) -> None:
    further(office, PHONE, "short")
    board = office.game()
    office.play(board, "F6")
    office.deliver(office.write("bob", f"star move {board} bob {PASSWORD['bob']} G7"))
    row = office.row(board)
    assert row is not None
    assert office.ask("outbox.letter", row.told).address == address("alice")
    assert {letter.to for letter in office.letters()} == {address("alice"), PHONE, address("bob")}


def test_a_daily_letter_is_copied_and_a_reply_to_the_copy_plays(office: Office) -> None:
    further(office, PHONE, "short")
    board = office.begun()
    office.send("alice", f"letters alice {PASSWORD['alice']} daily")
    first, copy = sorted(office.digests(), key=lambda letter: letter.to)
    assert (first.to, copy.to) == (address("alice"), PHONE)
    assert first.reply_to == copy.reply_to
    assert first.parts[0].is_multipart() and not copy.parts[0].is_multipart()
    office.send(PHONE, "Re: boards", f"{board} H8", to=copy.reply_to)
    assert office.record(board)[-1] == "H8"


def test_nobody_gets_a_letter_twice_in_one_mailbox(office: Office) -> None:
    """Another spelling may command; it gets copies only as long as it is another mailbox."""
    office.add("carol", "carol@gmail.com")
    (letter,) = office.send("carol@gmail.com", "add address carol tr1angle Car.ol+x@googlemail.com")
    assert "That's the same mailbox" in letter.words
    further(office, "car.ol+x@googlemail.com", "none", "carol")
    further(office, "caro@gmail.com", "copies", "carol")
    (letter,) = office.send("carol@gmail.com", "add address carol tr1angle caro@gmail.com copies")
    office.at_work(lambda work: work.tx.accounts.set_address("carol", "c.aro@gmail.com"))
    letters = office.send("alice", "star challenge alice carol")
    assert [each.to for each in letters] == [address("alice"), "c.aro@gmail.com"]
    assert letter.to == "carol@gmail.com"


def test_what_proves_nothing_is_counted_by_the_account(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three addresses bring no more letters, and have no more mails looked at, than one."""
    monkeypatch.setattr(limits, "LETTERS_A_DAY", 6)
    monkeypatch.setattr(limits, "MAILS_AN_HOUR", 10)
    further(office, PHONE)
    further(office, WORK)
    board = office.game()
    came, outcomes = Counter[str](), list[str]()
    for who in (address("alice"), PHONE, WORK) * 4:
        mail = office.write(who, f"star show {board}")
        outcomes.append(office.deliver(mail, "evil@evil.example").name)
        came.update(letter.to for letter in office.letters())
    assert sum(came.values()) == 6
    assert set(came) == {address("alice"), PHONE, WORK}
    assert outcomes.count("ignored") == 2


# -- whose they are


def test_a_ban_of_one_address_is_one_of_the_account(office: Office) -> None:
    further(office, PHONE)
    office.run("admin", "user", "ban", PHONE)
    for who in (PHONE, address("alice")):
        assert office.deliver(office.write(who, "games")).why == "banned"
    assert office.deliver(office.write("bob", "games")).name == "applied"
    office.run("admin", "user", "unban", PHONE)
    office.run("admin", "user", "ban", "phone.example")
    assert office.deliver(office.write(PHONE, "games")).why == "banned"
    assert office.deliver(office.write("alice", "games")).name == "applied"


def test_addresses_go_with_the_account(office: Office) -> None:
    """Under another name they stay; a merged account has those of the one that is kept."""
    further(office, PHONE)
    office.run("admin", "user", "rename", "alice", "anna")
    assert addresses(office, "anna") == [address("alice"), PHONE]
    found = office.facts("admin", "user", "export", "anna")
    assert [row["address"] for row in found["addresses"]] == [PHONE]
    office.run("admin", "user", "merge", "anna", "bob")
    assert addresses(office, "bob") == [address("bob")]
    assert office.ask("accounts.users_at", PHONE) == []
    assert office.check() == []


def test_check_names_an_address_that_two_accounts_have(office: Office) -> None:
    further(office, PHONE)
    office.at_work(lambda work: work.tx.accounts.set_address("bob", PHONE))
    (problem,) = office.check()
    assert problem == "a further address of alice: it is the first one of an account too"


def test_letters_that_wait_go_where_the_account_is_now(office: Office) -> None:
    """Those to an address that is taken away are dropped; copies stay where they are."""
    further(office, PHONE)
    further(office, WORK)
    office.tray.down = "away"
    office.deliver(office.write("alice", "star challenge alice bob"))
    office.send("alice", f"remove address alice {PASSWORD['alice']} {WORK}")
    office.run("admin", "user", "address", "alice", "alice@new.example")
    office.tray.down = ""
    office.run("admin", "outbox", "retry")
    boards = [letter.to for letter in office.letters() if letter.mail["X-Pbmstar-Board"]]
    assert sorted(boards) == ["alice@new.example", PHONE, address("bob")]


# -- two at once


def test_an_address_that_another_node_gives_away_in_this_moment_is_waited_for(
    office: Office, database: str
) -> None:
    """One node makes it the first one of bob, the other a further one of alice."""
    if office.store.is_sqlite:
        pytest.skip("needs --postgresql: here the second transaction begins after the first")
    asked = office.send("alice", f"add address alice {PASSWORD['alice']} {PHONE}")
    (letter,) = (each for each in asked if each.to == PHONE)
    raw = office.write(PHONE, "Re: yes", to=letter.reply_to)

    def waits() -> object:
        with office.store.engine.connect() as connection:
            return connection.exec_driver_sql("SELECT 1 FROM pg_locks WHERE NOT granted").first()

    with closing(opened(database)) as node, ThreadPoolExecutor() as pool:
        with office.store.transaction() as tx:
            move_account(office.work(tx), "bob", PHONE)
            answer = pool.submit(office.deliver_to, raw, letter.reply_to, store=node)
            until(lambda: answer.done() or waits())
        assert answer.result().codes == ("address-taken",)
    assert office.check() == []


# -- what it costs


def test_a_move_asks_the_database_what_the_other_addresses_are_once(
    another: Callable[..., Office],
) -> None:
    """It costs two statements more, however many there are: letters are written together."""

    def cost(*others: str) -> float:
        with closing(another()) as office:
            for to in others:
                further(office, to)
            board = office.begun()
            office.play(board, "H8", "E5")
            raw = office.write("alice", f"star move {board} alice {PASSWORD['alice']} D4")
            return counted(lambda: office.deliver(raw)).statements

    assert cost() < cost(PHONE) == cost(PHONE, WORK) <= cost() + 2


# -- whatever is done, in any order

ACCOUNTS = ("alice", "bob")
BOXES = ("x@x.org", "y@y.org", "z+1@x.org")
acts = st.lists(
    st.tuples(
        st.sampled_from(("add", "add", "add", "change", "remove", "bounce")),
        st.sampled_from(ACCOUNTS),
        st.sampled_from(BOXES),
        st.sampled_from(("copies", "short", "none")),
    ),
    max_size=8,
)


@pytest.mark.slow
@settings(max_examples=3 * settings.default.max_examples // 5)
@given(acts)
def test_an_address_is_never_of_two_accounts_and_speaks_for_its_own_alone(
    another: Callable[..., Office], done: list[tuple[str, str, str, str]]
) -> None:
    office = another(limits="off")
    office.examiner.examine = lambda letter: None  # type: ignore[method-assign]  # it knows one owner
    for act, who, to, kind in done:
        _carry_out(office, act, who, to, kind)
        owners = Counter(each for name in ACCOUNTS for each in set(addresses(office, name)))
        firsts = {addresses(office, name)[:1][0] for name in ACCOUNTS if addresses(office, name)}
        assert all(count == 1 or each in firsts for each, count in owners.items())
        assert all(len(addresses(office, name)) <= MOST for name in ACCOUNTS)
    assert office.check() == []
    for box in BOXES:
        names = {user.userid for user in office.ask("accounts.users_at", box)}
        assert names == {name for name in ACCOUNTS if box in addresses(office, name)}
    office.letters()
    letters = office.send(addresses(office, "alice")[0], "star challenge alice bob")
    for name in ACCOUNTS:
        own = [mailbox(each.to) for each in letters if each.sender.startswith(f"star+b{name}-")]
        event(f"{len(own)} letters")
        assert len(own) == len(set(own))
    office.close()


def _carry_out(office: Office, act: str, who: str, to: str, kind: str) -> None:
    """Do what the owner of an account can do, or the mail server of an address."""
    password, home = PASSWORD[who], (addresses(office, who) or [address(who)])[0]
    if act == "bounce":
        for letter in office.send(home, "star challenge -size=4 alice bob"):
            if letter.to == to:
                office.at_work(_returned, who, to)
        return
    line = f"{act} address {who} {password} {to}" + (f" {kind}" if act == "add" else "")
    for letter in office.send(home, line):
        if letter.to == to and "confirm" in letter.text:
            office.send(to, "Re: yes", to=letter.reply_to)


def _returned(work: Work, who: str, to: str) -> None:
    user = work.tx.accounts.user(who)
    if user is not None and to in work.tx.accounts.addresses(user):
        bounces.bounced(work, user, to, bounces.COMPLAINT)
