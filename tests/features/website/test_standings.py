"""Ladders and leagues on the site, of those who may be seen."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from harness.office import Office, address
from shown import publish

from pbmstar.features.website.folder import SiteFolder
from pbmstar.features.website.worker import Publisher


def test_a_ladder_names_only_those_who_may_be_seen(
    office_of: Callable[..., Office], tmp_path: Path
) -> None:
    office = office_of(site=str(tmp_path / "www"), people=("alice", "bob", "carol"))
    root = tmp_path / "www"
    passwords = {"alice": "s3cret", "bob": "hunter2", "carol": "tr1angle"}
    for who in ("alice", "bob"):
        office.send(address(who), f"public {who} {passwords[who]} on")
    office.run("admin", "ladder", "open", "star", "-size=4")
    for who, password in passwords.items():
        office.send(address(who), f"ladder join star {who} {password}")
    for rival in ("bob", "carol"):
        number = office.game(f"star challenge -size=4 alice {rival}")
        for cell in ("A4", "B4", "C4", "D4", "E4", "B3", "C3", "D3", "E3", "C2", "D2", "E2"):
            office.play(number, cell)
        who = office.row(number)
        assert who is not None
        office.play_as(rival, number, "resign")
    publish(office.config, office.store)
    assert (root / "ladder/star.html").read_text().count("a player") == 1
    pages = [path for path in root.rglob("*") if path.is_file() and path.parent.name != "rules"]
    assert not [path for path in pages if "carol" in path.read_text()]
    publisher = Publisher(office.config, office.store, SiteFolder(root))
    assert publisher.differences() == []
    office.send(address("bob"), "public bob hunter2 off")
    publish(office.config, office.store)
    assert publisher.differences() == []
    assert not [path for path in pages if path.exists() and "bob" in path.read_text()]


PEOPLE = {"alice": "s3cret", "bob": "hunter2", "carol": "tr1angle", "quentin": "p4ss.word"}


@pytest.fixture
def club(office_of: Callable[..., Office], tmp_path: Path) -> Office:
    """An office with a site and four players; carol is not on it."""
    office = office_of(site=str(tmp_path / "www"), people=("alice", "bob", "carol"))
    office.add("quentin", password=PEOPLE["quentin"])
    for who in ("alice", "bob", "quentin"):
        office.send(address(who), f"public {who} {PEOPLE[who]} on")
    return office


def say(office: Office, who: str, number: int, words: str) -> None:
    """Send a move, or another word, of a board."""
    verb, _, rest = words.partition(" ")
    office.send(address(who), f"star {verb} {number} {who} {PEOPLE[who]} {rest}")


def fought(office: Office, number: int, loser: str) -> None:
    """Let both players move, and one resign."""
    for cell in ("A3", "B3"):
        row = office.row(number)
        assert row is not None
        say(office, row.to_move, number, f"move {cell}")
    say(office, loser, number, "resign")


def naming(root: Path, name: str) -> list[Path]:
    """The files of a site that name somebody, in their bytes or in what they are called."""
    files = [path for path in root.rglob("*") if path.is_file()]
    return [path for path in files if name.encode() in path.read_bytes() or name in path.name]


@pytest.mark.slow
def test_a_season_has_its_tables_and_the_next_one_is_on_the_front_page(club: Office) -> None:
    root = club.config.site
    assert root is not None
    club.run("admin", "league", "open", "star", "-size=3")
    for who, password in PEOPLE.items():
        club.send(address(who), f"league join star {who} {password}")
    publish(club.config, club.store)
    front = (root / "index.html").read_text()
    assert '<a href="leagues/star/1.html">Star league 1</a>: 4 players so far.' in front
    assert "started yet." in (root / "leagues/star/1.html").read_text()
    assert club.run("admin", "league", "begin", "star").exit_code == 0
    club.letters()
    for row in club.ask("boards.page"):
        fought(club, row.board, max(row.seats))
    publish(club.config, club.store)
    table = (root / "leagues/star/1.html").read_text()
    cell = r"<td(?: class=.self.)?>(.?)"
    rows = re.findall(rf'<th scope="row">(.*?){4 * cell}<td><b>(\d+)</b>', table)
    linked = '<a href="../../p/{0}.html">{0}</a>'
    assert [(row[0], row[-1]) for row in rows] == [
        ("1 " + linked.format("alice"), "3"),
        ("2 " + linked.format("bob"), "2"),
        ("3 a player", "1"),
        ("4 " + linked.format("quentin"), "0"),
    ]
    assert rows[0][1:5] == ("", "1", "1", "1")
    assert not naming(root, "carol")
    names = (root / "ratings/index.html").read_text()
    assert '<a href="../leagues/star/1.html">Star league 1</a>' in names
    assert "subject=league%20join%20star" in (root / "index.html").read_text()
    assert Publisher(club.config, club.store, SiteFolder(root)).differences() == []


@pytest.mark.slow
def test_a_name_that_is_erased_or_not_public_is_in_no_byte_of_any_file(club: Office) -> None:
    root = club.config.site
    assert root is not None
    club.add("rosalind", password="r0s4lind")
    club.send(address("rosalind"), "public rosalind r0s4lind on")
    for rival in ("quentin", "rosalind"):
        club.send(address("alice"), f"star challenge -size=3 alice {rival}")
    for number in (1, 2):
        club.play(number, "A3")
        say(club, "alice", number, "resign")
    publish(club.config, club.store)
    assert all(len(naming(root, who)) > 8 for who in ("quentin", "rosalind"))
    club.send(address("quentin"), f"public quentin {PEOPLE['quentin']} off")
    publish(club.config, club.store)
    assert not naming(root, "quentin")
    assert club.run("admin", "user", "erase", "rosalind", "--rename").exit_code == 0
    publish(club.config, club.store)
    assert not naming(root, "rosalind")
    assert not (root / "g/1.html").exists()
    assert (root / "g/2.html").exists()
    assert Publisher(club.config, club.store, SiteFolder(root)).differences() == []
