"""What is written, and when: as much as has changed, whole, and nothing that is not public."""

from __future__ import annotations

import gzip
import json
import re
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from xml.etree import ElementTree

import pytest
import sqlalchemy as sa
from harness.damaged import DAMAGED
from shown import BEGUN, add_game, add_players, moves_of, publish, world

from pbmstar import games
from pbmstar.config import Config
from pbmstar.features.website.folder import SiteFolder
from pbmstar.features.website.pages.catalogue import Catalogue
from pbmstar.features.website.pages.templates import date_before
from pbmstar.features.website.rows import PublicBoards
from pbmstar.features.website.worker import OF_A_GAME, Publisher
from pbmstar.games.grids import EMPTY
from pbmstar.machine.times import DAY
from pbmstar.render.letters import Renderer
from pbmstar.render.translator import Translator
from pbmstar.store import Store
from pbmstar.store import schema as t
from pbmstar.store.statements import Statements

Site = tuple[Config, Store]


def files(root: Path) -> dict[str, tuple[int, int]]:
    """Every file of a site: which one it is, and when it was written."""
    found = (path for path in root.rglob("*") if path.is_file() and path.name[0] != ".")
    return {
        path.relative_to(root).as_posix(): (path.stat().st_ino, path.stat().st_mtime_ns)
        for path in found
    }


def move(store: Store, number: int, text: str) -> None:
    """Make a move on a board."""
    with store.transaction() as tx:
        row = tx.boards.get(number)
        assert row is not None
        match = row.match(tx.boards.record(number))
        tx.boards.save(match, match.after(match.to_move, text, match.since + 60))


def pages_of(board: int) -> set[str]:
    """The files of a game: its page in each language, and its pictures."""
    _, *others = Translator.offered()
    pages = {f"{code}/g/{board}.html" for code in others}
    return pages | {f"g/{board}{end}" for end in OF_A_GAME}


@pytest.mark.slow
def test_a_move_writes_the_pages_of_its_game_alone(site: Site) -> None:
    config, store = site
    assert config.site is not None
    add_players(store, "alice", "bob")
    for count in range(5):
        moves, _ = moves_of("star", "{}", 6, seed=count)
        add_game(store, "star", "{}", moves, ("alice", "bob"), BEGUN)
    publish(config, store)
    before = files(config.site)
    assert not any(publish(config, store))
    assert files(config.site) == before
    with store.transaction(writes=False) as tx:
        row = tx.boards.get(3)
        assert row is not None
        free = next(row.match(tx.boards.record(3)).position.moves())
    move(store, 3, free)
    assert publish(config, store).games == 1
    after = files(config.site)
    changed = {name for name in after if after[name] != before[name]}
    assert changed == pages_of(3)
    assert Publisher(config, store, SiteFolder(config.site)).differences() == []


@pytest.mark.slow
def test_pages_name_nothing_that_is_not_public(site: Site) -> None:
    config, store = site
    assert config.site is not None
    played = world(store, most=12)
    publish(config, store)
    for path in config.site.rglob("*"):
        if path.is_file():
            text = path.read_text().replace("star@pbmstar.example", "")
            assert not re.search(r"[\w.+-]@[\w-]", text), path
            assert not re.search(r"[0-9]{2}:[0-9]{2}:[0-9]{2}", text.replace("T00:00:00Z", ""))
    for number, (word, _, moves) in played.items():
        known = json.loads((config.site / f"g/{number}.json").read_text())
        assert known["game"] == word
        assert [each["move"] for each in known["moves"]] == moves


@pytest.mark.slow
def test_whoever_is_not_public_any_more_vanishes_by_name(site: Site) -> None:
    config, store = site
    assert config.site is not None
    world(store, most=12)
    add_players(store, "dora")
    moves, _ = moves_of("star", "{}", 500)
    number = add_game(store, "star", "{}", moves, ("dora", "alice"), BEGUN)
    publish(config, store)
    assert (config.site / "p/dora.html").exists()
    with store.transaction() as tx:
        user = tx.accounts.user("dora")
        assert user is not None
        tx.accounts.set_wishes(user._replace(public=0))
    publish(config, store)
    assert not (config.site / "p/dora.html").exists()
    assert not (config.site / f"g/{number}.html").exists()
    for path in config.site.rglob("*"):
        assert not path.is_file() or "dora" not in path.read_text(), path
    assert Publisher(config, store, SiteFolder(config.site)).differences() == []


@pytest.mark.slow
def test_a_check_names_what_differs_and_a_rebuild_mends_it(site: Site) -> None:
    config, store = site
    assert config.site is not None
    world(store, most=8)
    publish(config, store)
    (config.site / "g/1.html").write_text("other")
    (config.site / "g/2.svg").unlink()
    (config.site / "p/nobody.html").write_text("foreign")
    publisher = Publisher(config, store, SiteFolder(config.site))
    assert publisher.differences() == [
        "g/1.html: differs",
        "g/2.svg: missing",
        "p/nobody.html: foreign",
    ]
    assert publish(config, store, rebuild=True).removed == 1
    assert publisher.differences() == []


@pytest.mark.slow
def test_other_templates_write_all_pages_anew(site: Site, tmp_path: Path) -> None:
    """They lie where ours do."""
    config, store = site
    assert config.site is not None
    world(store, most=8)
    publish(config, store)
    folder = tmp_path / "own" / "website" / "pages"
    folder.mkdir(parents=True)
    (folder / "404.html").write_text("Ours.")
    own = replace(config, templates=tmp_path / "own")
    publish(own, store)
    assert (config.site / "404.html").read_text() == "Ours."
    assert Publisher(own, store, SiteFolder(config.site)).differences() == []


@pytest.mark.slow
def test_a_page_is_small(site: Site) -> None:
    config, store = site
    assert config.site is not None
    world(store)
    publish(config, store)

    def size(path: Path) -> int:
        return len(gzip.compress(path.read_bytes()))

    shared = {each: size(config.site / "s" / each) for each in ("viewer.js", "board.js")}
    assert sum(shared.values()) <= 6_000
    for page in (config.site / "g").glob("*.html"):
        text = page.read_text()
        needs = re.findall(r'"\.\./(s/[a-z0-9]+\.(?:js|css))"', text)
        assert size(page) <= 12_000, page
        assert size(page) + sum(size(config.site / each) for each in needs) <= 25_000, page


def test_the_first_game_of_a_player_is_on_every_page_that_names_pages(site: Site) -> None:
    """While it runs: in the sitemap, the feed of the player, the list of games."""
    config, store = site
    assert config.site is not None
    config = replace(config, site_url="https://star.example.org")
    add_players(store, "alice", "bob")
    publish(config, store)
    moves, _ = moves_of("hex", "{}", 3)
    add_game(store, "hex", "{}", moves, ("alice", "bob"), BEGUN)
    publish(config, store)
    addresses = re.findall("<loc>(.*?)</loc>", (config.site / "sitemap.xml").read_text())
    for name in ("p/alice.html", "p/bob.html", "games/hex/index.html"):
        assert f"https://star.example.org/{name}" in addresses
    assert "<entry>" not in (config.site / "p/bob.xml").read_text()
    assert Publisher(config, store, SiteFolder(config.site)).differences() == []


@pytest.mark.slow
def test_the_list_of_a_game_that_ended_before_its_first_move_says_so(site: Site) -> None:
    config, store = site
    assert config.site is not None
    add_players(store, "alice", "bob")
    move(store, add_game(store, "hex", "{}", (), ("alice", "bob"), BEGUN), "resign")
    publish(config, store)
    page = (config.site / "g/1.html").read_text()
    assert re.findall("<li>No.*", page) == ["<li>No moves."]


def test_rules_have_pictures_of_their_examples(site: Site) -> None:
    config, store = site
    assert config.site is not None
    publish(config, store)
    for kind in games.GAMES:
        name = kind.word.replace("*", "star")
        page = (config.site / f"rules/{name}.html").read_text()
        boards = [each for each in Renderer.of(config).help(name).figures if each.game]
        drawn = re.findall(r'(<svg class="card"[^>]* aria-label="(A board[^"]*)">.*?</svg>)', page)
        assert [alt for _, alt in drawn] == [each.alt for each in boards]
        keys = re.findall(r' id="(m\d+)"', page)
        assert len(keys) == len(set(keys)) and set(re.findall(r"#(m\d+)", page)) <= set(keys)
        for (content, _), each in zip(drawn, boards, strict=True):
            ElementTree.fromstring(content)
            stones = sum(_placed(content, sign) for sign in ("#1d3557", "#fff6e0"))
            assert stones == len(each.stones) - each.stones.count(EMPTY)
        assert "style=" not in page
        assert page.count("<h1") == 1


def _placed(drawn: str, colour: str) -> int:
    """How many stones of a colour a picture shows."""
    forms = re.findall(rf'<marker id="(m\d+)"[^>]*><circle r="11.5" fill="{colour}"', drawn)
    paths = [re.search(rf'url\(#{form}\)" d="M0 0l([^"]*)"', drawn) for form in forms]
    # the end of a path shows nothing
    return sum(len(re.findall(r"-?\d+", path[1])) // 2 - 1 for path in paths if path)


def copied(database: str, times: int) -> None:
    """Let each board be there twice, so many times one after the other."""
    engine = sa.create_engine(database)
    with engine.begin() as connection:
        for _ in range(times):
            count = connection.execute(sa.select(sa.func.max(t.boards.c.board))).scalar_one()
            for table in (t.boards, t.seats, t.moves):
                columns = [c + count if c.name == "board" else c for c in table.c]
                connection.execute(table.insert().from_select(list(table.c), sa.select(*columns)))
    engine.dispose()


@pytest.mark.slow
def test_of_ten_thousand_boards_three_that_changed_are_written(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the store is asked no more than for ten boards of which three have changed."""
    config, store = site
    assert config.site is not None
    add_players(store, "alice", "bob")
    moves, _ = moves_of("star", "{}", 8)
    for _ in range(10):
        add_game(store, "star", "{}", moves, ("alice", "bob"), BEGUN)
    publisher = Publisher(config, store, SiteFolder(config.site))
    publisher.run()
    asked: list[object] = []

    def noted(known: Statements, statement: object) -> object:
        asked.append(statement)
        return dict.__getitem__(known, statement)

    monkeypatch.setattr(Statements, "__getitem__", noted, raising=False)
    counts = []
    for few in (True, False):
        if not few:
            copied(config.database, 10)
            with publisher.folder.held(), store.transaction(writes=False) as tx:
                catalogue = Catalogue(tx.of(PublicBoards).lines(), tx.of(PublicBoards).kinds())
                assert len(catalogue.lines) == 10_240
                versions = {number: catalogue.version(number) for number in catalogue.lines}
                publisher.folder.note(versions, set(), set())
        before = files(config.site)
        changed = (2, 5, 9) if few else (2, 5_000, 10_000)
        for number in changed:
            row = None
            with store.transaction(writes=False) as tx:
                row = tx.boards.get(number)
                assert row is not None
                free = next(row.match(tx.boards.record(number)).position.moves())
            move(store, number, free)
        asked.clear()
        assert publisher.run().games == 3
        counts.append(len(asked))
        after = files(config.site)
        names = {name for name in after if after[name] != before.get(name)}
        assert names == set[str]().union(*map(pages_of, changed))
    assert counts[0] == counts[1] < 80


@pytest.mark.slow
def test_feeds_name_what_ended_last_first_and_no_more_than_fifty(site: Site) -> None:
    config, store = site
    assert config.site is not None
    add_players(store, "alice", "bob", "carol")
    options = '{"size": 3}'
    moves, _ = moves_of("hex", options, 99)
    numbers = [
        add_game(store, "hex", options, moves, ("alice", ("bob", "carol")[n % 2]), BEGUN + n * DAY)
        for n in range(60)
    ]
    publish(config, store)

    def ids(name: str) -> list[int]:
        feed = (config.site or Path()) / name
        return [int(n) for n in re.findall(r"<id>tag:[^<]*:board/(\d+)</id>", feed.read_text())]

    assert ids("feed.xml") == numbers[:-51:-1]
    assert ids("p/bob.xml") == numbers[-2::-2]
    days = re.findall(r"<updated>(.*)</updated>", (config.site / "feed.xml").read_text())
    assert days == sorted(days, reverse=True)
    assert all(day.endswith("T00:00:00Z") for day in days)
    with store.transaction() as tx:
        tx.people.rename("bob", "robert")
    publish(config, store)
    assert ids("feed.xml") == numbers[:-51:-1]
    assert ids("p/robert.xml") == numbers[-2::-2]
    assert not (config.site / "p/bob.xml").exists()
    assert Publisher(config, store, SiteFolder(config.site)).differences() == []


def test_a_page_counts_what_was_won_lost_and_tied_and_what_runs(site: Site) -> None:
    config, store = site
    assert config.site is not None
    add_players(store, "alice", "bob")
    for number, ends in enumerate(("resign", "resign", "", "", "draw")):
        board = add_game(store, "hex", "{}", (), ("alice", "bob"), BEGUN + number * DAY)
        for text in ["F6", "C3", "C4", *([ends] if ends else [])][number % 2 :]:
            if text == "draw":
                with store.engine.begin() as connection:
                    over = {"result": "tie", "to_move": ""}
                    connection.execute(
                        t.boards.update().where(t.boards.c.board == board).values(**over)
                    )
            else:
                move(store, board, text)
    publish(config, store)
    page = (config.site / "p/alice.html").read_text()
    (line,) = re.findall(r'<tr><td><a href="bob.html">bob</a>(.*)', page)
    counts = [int(each) for each in re.findall(r'<td class="number">(\d+)', line)]
    assert counts[0] == 5 == sum(counts[1:]) and counts[1:] == [1, 1, 1, 2]
    heads = re.findall(r'<th scope="col"[^>]*>(Games|Won|Lost|Tied|Running)', page)
    assert heads[:5] == ["Games", "Won", "Lost", "Tied", "Running"]


def test_damaged_boards_are_left_out(site: Site) -> None:
    """Each of them in another way; before and after them there is a whole one."""
    config, store = site
    assert config.site is not None
    damaged = [each for each in DAMAGED if store.is_sqlite or "'x'" not in each]
    last = len(damaged) + 2
    add_players(store, "alice", "bob")
    moves, _ = moves_of("star", "{}", 4)
    for _ in range(last):
        add_game(store, "star", "{}", moves, ("alice", "bob"), BEGUN)
    with store.engine.begin() as connection:
        for number, damage in enumerate(damaged, 2):
            connection.exec_driver_sql(damage.replace("board = 1", f"board = {number}"))
    publisher = Publisher(config, store, SiteFolder(config.site))
    publisher.run()
    assert {path.name for path in (config.site / "g").iterdir()} >= {"1.html", f"{last}.html"}
    assert len(publisher.damaged) > 5, "those whose rows are listed and cannot be read"
    assert publisher.differences() == []


@pytest.mark.parametrize(
    ("begun", "ended", "said"),
    [("2026-11-09", "2026-12-09", "9 Nov"), ("2025-12-09", "2026-12-09", "9 Dec 2025")],
)
def test_the_days_of_a_game_say_the_year_once(begun: str, ended: str, said: str) -> None:
    first, last = (datetime.fromisoformat(f"{day}T12:00:00Z").timestamp() for day in (begun, ended))
    assert str(date_before(first, last)) == said
