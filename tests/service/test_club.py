"""A club in an evening: accounts for a list of friends, their welcome letters, and a door for them only."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from harness.office import Office

FRIENDS = """\
name;address;language
Carla Roth;carla@home.example;de
# a remark

Jörg;joerg@home.example;
Carla;carla.beck@home.example;FR
"""


@pytest.fixture
def friends(tmp_path: Path) -> Path:
    path = tmp_path / "friends.csv"
    path.write_text(FRIENDS)
    return path


def said(office: Office, *words: str, status: int = 0) -> list[str]:
    done = office.run("admin", "user", *words)
    assert done.exit_code == status, done.output
    return done.output.splitlines()


def test_a_list_of_friends_becomes_accounts_and_letters(office: Office, friends: Path) -> None:
    """Each gets a letter in their language that says who opened the account."""
    told = said(office, "import", str(friends), "--by", "Anna Schmidt")
    assert told == [
        "Line 2, carla@home.example: account carla opened, letters in de.",
        "Line 5, joerg@home.example: account joerg opened, letters in en.",
        "Line 6, carla.beck@home.example: account carla2 opened, letters in fr.",
        "3 accounts opened, 0 already there, 0 lines not used.",
    ]
    carla, joerg, beck = office.letters()
    assert (carla.to, joerg.to, beck.to) == (
        "carla@home.example",
        "joerg@home.example",
        "carla.beck@home.example",
    )
    assert "Anna Schmidt opened this account for you." in " ".join(joerg.text.split())
    assert "Anna Schmidt hat dieses Konto" in carla.text
    assert "Anna Schmidt a ouvert ce compte" in beck.text
    reply = joerg.mail["Reply-To"]
    (board,) = office.send("joerg@home.example", "Re: x", "star challenge bot1", reply)
    assert board.subject.startswith("New Star Board 1")


def test_a_second_run_does_nothing_twice(office: Office, friends: Path) -> None:
    """A corrected line is done, and what is done already is left alone, even by someone who has closed it."""
    friends.write_text(f"{FRIENDS}Dora;dora\n")
    assert "look like an email address" in said(office, "import", str(friends), status=1)[3]
    _, joerg, _ = office.letters()
    office.send("joerg@home.example", "Re: x", "signoff", joerg.mail["Reply-To"])
    friends.write_text(f"{FRIENDS}Dora;dora@home.example\n")
    told = said(office, "import", str(friends), status=1)
    assert told == [
        "Line 2, carla@home.example: already has the account carla.",
        "Line 5, joerg@home.example: The account joerg is closed. Choose another name.",
        "Line 6, carla.beck@home.example: already has the account carla2.",
        "Line 7, dora@home.example: account dora opened, letters in en.",
        "1 account opened, 2 already there, 1 line not used.",
    ]
    assert [letter.to for letter in office.letters()] == ["dora@home.example"]


def test_a_rehearsal_says_the_same_and_does_nothing(office: Office, friends: Path) -> None:
    told = said(office, "import", str(friends), "--dry-run")
    assert told[0] == "Line 2, carla@home.example: account carla opened, letters in de."
    assert told[2].endswith("account carla2 opened, letters in fr.")
    assert told[-1] == "3 accounts would be opened, 0 already there, 0 lines not used."
    assert office.letters() == []
    assert [user["userid"] for user in office.facts("admin", "user", "list")] == ["alice", "bob"]
    assert said(office, "import", str(friends))[:3] == told[:3]


@pytest.mark.parametrize(
    ("text", "userid"),
    [
        ("Åsa Öberg,asa@home.example", "asa"),
        (",max.muster@home.example", "maxmuster"),
        ("bob,other@home.example", "bob2"),
        ("Bob Marlow,other@home.example", "bobmarlow"),
        ("language\taddress\tname\nde\tx@home.example\tXaver", "xaver"),
        ("\ufeffname,address\nxaver,x@home.example", "xaver"),
        ('"Roth, Carla";carla@home.example;de', "roth"),
    ],
)
def test_names_become_userids(text: str, userid: str, office: Office, tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text(text + "\n")
    assert f"account {userid} opened" in said(office, "import", str(tmp_path / "one.csv"))[0]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("x,x@home.example", "That name can't be used."),
        ("Carl,carl@home.example,xx", "There are no letters in 'xx'."),
        ("Carl,star@pbm.example", "an address of this server"),
        ("Carl", "look like an email address"),
        ("", "The file has nobody."),
    ],
)
def test_a_line_that_cannot_be_used_says_why(
    line: str, why: str, office: Office, tmp_path: Path
) -> None:
    (tmp_path / "one.csv").write_text(line + "\n")
    assert why in "\n".join(said(office, "import", str(tmp_path / "one.csv"), status=1))
    assert office.letters() == []


def test_one_account_needs_no_password_and_one_word_closes_it(office: Office) -> None:
    assert said(office, "add", "carla", "carla@home.example", "--language", "de") == [
        "Account carla opened."
    ]
    (letter,) = office.letters()
    assert "Der Betreiber dieses Servers hat dieses Konto" in letter.text
    assert "signoff" in letter.text and "forgot carla" in letter.text
    reply = letter.mail["Reply-To"]
    (asked,) = office.send("m@evil.example", "Re: x", "signoff", reply)  # it was forwarded
    assert asked.to == "carla@home.example"
    assert office.facts("admin", "user", "show", "carla")["state"] == "active"
    assert not office.facts("admin", "user", "show", "carla")["boards"]
    (closed,) = office.send("carla@home.example", "Re: x", "signoff", reply)
    assert "Your account is closed" in closed.text or "geschlossen" in closed.text
    assert office.facts("admin", "user", "show", "carla")["state"] == "closed"


def test_who_has_played_is_asked_before_the_account_is_closed(office: Office) -> None:
    said(office, "add", "carla", "carla@home.example")
    (letter,) = office.letters()
    reply = letter.mail["Reply-To"]
    office.send("carla@home.example", "Re: x", "star challenge -size=4 bot1", reply)
    (asked,) = office.send("carla@home.example", "Re: x", "signoff", reply)
    assert "confirm" in asked.text
    assert office.facts("admin", "user", "show", "carla")["state"] == "active"


def test_no_letter_goes_out_if_none_is_wanted(office: Office) -> None:
    said(office, "add", "carla", "carla@home.example", "--no-letter")
    assert office.letters() == []


# -- a server for invited people


@pytest.fixture
def club(office_of: Callable[..., Office]) -> Office:
    return office_of(strangers="no")


def test_a_stranger_gets_one_line_once(club: Office) -> None:
    """Whatever the message says, and never again."""
    (letter,) = club.send("eve@out.example", "hello")
    assert letter.subject == "Star: for invited players"
    assert len(letter.text.split("\n\n")[0].splitlines()) <= 2
    assert "+" not in (letter.mail["Reply-To"] or "")
    for words in ("hello", "signup eve", "signup eve x7r4pq", "help", "star challenge eve bob"):
        club.now += 86_400 * 30
        assert club.send("eve@out.example", words) == []
        assert (
            club.send("Eve+x@out.example", words, to="star@pbm.example") == [] or words == "hello"
        )
    assert [user["userid"] for user in club.facts("admin", "user", "list")] == ["alice", "bob"]


def test_nobody_signs_a_stranger_up(club: Office) -> None:
    """Not a player either, who is told how to invite."""
    (told,) = club.send("alice", "signup eve x7r4pq eve@out.org")
    assert told.to == "alice@alice.example"
    assert "To invite someone, send: invite friend@example.org" in " ".join(told.text.split())
    (line,) = club.send("forged@out.example", "signup eve x7r4pq eve@out.org")
    assert (line.to, line.subject) == ("forged@out.example", "Star: for invited players")
    assert all(user["userid"] != "eve" for user in club.facts("admin", "user", "list"))


def test_an_invited_friend_comes_in(club: Office) -> None:
    """By a reply to the invitation, or by a message of one's own."""
    letters = club.send("alice", "invite alice s3cret carl@home.example")
    (invitation,) = [letter for letter in letters if letter.to == "carl@home.example"]
    told = club.send("carl@home.example", "Re: x", "signup carl", invitation.mail["Reply-To"])
    assert any("Welcome, carl" in letter.text for letter in told)
    club.send("bob", "invite bob hunter2 dora@home.example")
    (asked,) = club.send("dora@home.example", "signup dora")
    assert asked.subject == "Star account dora: please confirm"


def test_members_notice_nothing(club: Office) -> None:
    assert len(club.send("alice", "star challenge -size=4 alice bob")) == 2
