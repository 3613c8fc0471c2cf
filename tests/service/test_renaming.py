"""One account under another name, or as part of another one."""

from __future__ import annotations

import re
from pathlib import Path

import sqlalchemy as sa
from harness.letters import PASSWORD
from harness.office import DAY, Office, address

from pbmstar.store.people.people import named, renamed
from pbmstar.store.schema import metadata

# Tables that name no player; a new one is either here, or known to rename, merge, export and erase.
_NOBODY = """
    answers audit bans contents contests counts facts fetched guests keys nodes outages problems reminders
    reviewed runs sundays suppressed thoughts
"""
_PERSONS = "userid other first second opponent player to_move winner loser"


def test_every_column_that_names_a_player_is_known() -> None:
    """Else a new table would keep the old name."""
    columns = {f"{table.name}.{name}" for table, name in renamed()}
    for table in metadata.sorted_tables:
        persons = {f"{table.name}.{name}" for name in {*_PERSONS.split()} & {*table.columns.keys()}}
        assert persons <= columns
        assert persons or table.name in _NOBODY.split(), table.name
    assert {
        f"{t.name}.{n}" for t, names in named().items() for n in names if n != "address"
    } <= columns


def holding(office: Office, userid: str) -> set[str]:
    """The columns that have a userid as a whole."""
    found = set()
    with office.store.engine.connect() as connection:
        for table in metadata.sorted_tables:
            for row in connection.execute(sa.select(table)).mappings():
                found |= {f"{table.name}.{key}" for key, value in row.items() if value == userid}
    return found


def busy(office: Office) -> None:
    """Boards, plans, notes and a best of bob's, and a letter that he can reply to."""
    office.game()
    office.play(1, "F6")
    office.send("bob", "star note 1 bob hunter2 mind G7")
    office.send("bob", "minisolitaire challenge bob hunter2")


def test_a_renamed_player_goes_on_as_before(office: Office) -> None:
    busy(office)
    office.letters()
    held = {column for column in holding(office, "bob") if not column.startswith("counts")}
    assert {"users.userid", "seats.userid", "boards.to_move"} <= held
    done = office.run("admin", "user", "rename", "bob", "robert")
    assert done.exit_code == 0, done.output
    assert holding(office, "bob") == {"facts.value"}  # the name of before
    assert held <= holding(office, "robert") | {"outbox.userid"}
    (letter,) = office.letters()
    assert letter.to == address("bob")
    assert "Your account bob is now called robert." in letter.words
    office.deliver(office.write("bob", "star move 1 robert hunter2 G7#2"))
    office.examiner.roots.clear()  # his boards begin new threads
    assert office.record(1) == ["F6", "G7"]
    assert office.check() == []


def test_a_reply_to_a_letter_of_before_is_understood(office: Office) -> None:
    """But somebody who takes the name that is free again plays only as himself."""
    office.game()
    letter = next(each for each in office.play(1, "F6") if each.to == address("bob"))
    for old, new in (("bob", "robert"), ("robert", "rob")):
        assert office.run("admin", "user", "rename", old, new).exit_code == 0
    office.examiner.roots.clear()  # his boards begin new threads
    office.add("bob", "new@new.example", "another")
    office.send("new@new.example", "Re: it", "G7", to=letter.mail["Reply-To"])
    assert office.record(1) == ["F6"]
    office.send("bob", "Re: it", "G7", to=letter.mail["Reply-To"])
    assert office.record(1) == ["F6", "G7"]


def test_an_account_letter_of_before_speaks_for_the_account_of_then(office: Office) -> None:
    """Not for somebody who takes the name that is free again, and theirs don't speak for the renamed one."""
    (old,) = office.send("bob", f"settings bob {PASSWORD['bob']}")
    assert office.run("admin", "user", "rename", "bob", "robert").exit_code == 0
    office.letters()
    (letter,) = office.send("bob", "Re: it", "limit 5", old.reply_to)
    assert letter.to == address("bob") and letter.subject == "Star account robert: settings"
    office.add("bob", "new@new.example", "another")
    (new,) = office.send("new@new.example", "settings bob another")
    for sender, letter, owner in (
        ("new@new.example", old, address("bob")),
        ("bob", new, "new@new.example"),
    ):
        (told,) = office.send(sender, "Re: it", "limit 6", letter.reply_to)
        assert told.to == owner and "from another address" in told.subject
    assert [office.ask("accounts.user", name).most for name in ("bob", "robert")] == [None, 5]


def test_a_letter_of_a_merged_account_is_answered(office: Office) -> None:
    """Its address is gone, so the owner is told, as of replies to board letters."""
    office.add("robert", "rob@other.example", "hunter3")
    (old,) = office.send("rob@other.example", "settings robert hunter3")
    assert office.run("admin", "user", "merge", "robert", "bob").exit_code == 0
    office.letters()
    (told,) = office.send("rob@other.example", "Re: it", "who", old.reply_to)
    assert told.to == address("bob") and "from another address" in told.subject
    (told,) = office.send("bob", "Re: it", "who", old.reply_to)
    assert "Your account was called robert when we sent that letter." in told.words
    assert office.send("alice", "Re: it", "who", old.reply_to) == []


def test_a_letter_of_before_still_stops_its_kind(office: Office, tmp_path: Path) -> None:
    """Here the operator's news, at the address that stands in it."""
    news = tmp_path / "news"
    news.write_text("Hello\n\nThere.\n")
    assert office.run("admin", "announce", str(news)).exit_code == 0
    office.now += DAY
    (letter,) = [each for each in office.letters() if each.to == address("bob")]
    to = letter.mail["List-Unsubscribe"].partition("<mailto:")[2].partition("?")[0]
    assert office.run("admin", "user", "rename", "bob", "robert").exit_code == 0
    assert office.deliver(office.write("bob", "unsubscribe", "", to), to=to).name == "applied"
    assert not office.ask("accounts.user", "robert").news


def test_refused(office: Office) -> None:
    office.game()
    state = office.state()
    for words, why in (
        ("rename bob alice", "is taken"),
        ("rename bob admin", "is taken"),
        ("rename nobody robert", "no user nobody"),
        ("rename bot3 robert", "is a bot"),
        ("merge bob bob", "two accounts"),
        ("merge alice bob", "play each other on board 1"),
        ("merge bot3 bob", "is a bot"),
    ):
        done = office.run("admin", "user", *words.split())
        assert done.exit_code == 1 and why in done.output, words
    assert office.state() == state


def test_two_accounts_become_one(office: Office) -> None:
    """Of what both have, what the second has stays; boards, notes and ratings are those of both."""
    office.add("robert", "rob@other.example", "hunter3")
    office.game()
    office.game("star challenge alice robert")
    office.play(1, "F6", "G7")
    office.deliver(office.write("robert", "star block alice", "x"))
    for board in (1, 2):
        office.play_as("alice", board, "resign")
    assert office.run("admin", "user", "merge", "robert", "bob").exit_code == 0
    assert not holding(office, "robert") - {"facts.value"}
    assert office.check() == []
    (letter,) = [each for each in office.letters() if "part of bob" in each.words]
    assert letter.to == address("bob")
    shown = office.run("admin", "user", "show", "bob").output
    assert re.findall(r"(?m)^[12] +star", shown) == ["1      star", "2      star"]
    audit = office.run("admin", "audit").output
    assert "user merge" in audit
