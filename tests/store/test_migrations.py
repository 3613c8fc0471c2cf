"""Stores live: what an earlier version wrote is there after the tables have changed."""

from __future__ import annotations

import hmac
import itertools
import json
import shutil
from base64 import b32encode
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from harness.office import Office, address

from pbmstar import identity
from pbmstar.errors import BadInput
from pbmstar.features.ratings.rows import Ratings
from pbmstar.store import Place, Store
from pbmstar.store.database import HEAD, RELEASED
from pbmstar.store.schema import metadata

# A store of version 0.1.0, its rows by table: five boards, one with a proposal open, one forfeit
# near, letters in the outbox, tokens, reminders; and the reply addresses of letters sent before.
OLD: dict[str, Any] = json.loads((Path(__file__).parent / "store_0002.json").read_text())
# A store of version 0.2.0: sixteen boards in all states, plans, notes, a digest, bots, leave, and letters
# that wait for the relay.
RECENT: dict[str, Any] = json.loads((Path(__file__).parent / "store_0018.json").read_text())
# A store from before features lay in folders, with a ladder, a season, watchers and an offer.
LANDED: dict[str, Any] = json.loads((Path(__file__).parent / "store_0023.json").read_text())
# A store of the last version whose letters had two templates: a plan, a request, a bot's turn, a season, a
# ladder, offers, leave, a daily letter, tokens, and letters that wait.
TWOFOLD: dict[str, Any] = json.loads((Path(__file__).parent / "store_0025.json").read_text())


def migrate(url: str, revision: str, tables: dict[str, list[dict[str, Any]]]) -> None:
    """Empty a database, make the tables of a revision, and fill them."""
    config = Config()
    config.set_main_option("script_location", "pbmstar.store:migrations")
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        present = sa.MetaData()
        present.reflect(connection)
        present.drop_all(connection)
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
        for name, rows in tables.items():
            table = sa.Table(name, sa.MetaData(), autoload_with=connection)
            connection.execute(table.delete())  # the accounts of bots
            values = [{key: _value(value) for key, value in row.items()} for row in rows]
            connection.execute(table.insert(), values)
            if engine.dialect.name == "postgresql" and name in (
                "absences",
                "audit",
                "boards",
                "digests",
                "keys",
                "outages",
                "outbox",
                "untold",
            ):
                key = next(iter(table.primary_key)).name
                connection.execute(
                    sa.text(
                        f"SELECT setval(pg_get_serial_sequence('{name}', '{key}'), max({key}))"
                        f" FROM {name}"
                    )
                )
    engine.dispose()


def _value(value: Any) -> Any:
    return bytes.fromhex(value["hex"]) if isinstance(value, dict) else value


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, dict[str, Any]], Path]:
    """Brings a store of before up to date once, as an SQLite file to be copied."""
    folder = tmp_path_factory.mktemp("grown")

    def made(revision: str, before: dict[str, Any]) -> Path:
        file = folder / f"{revision}.db"
        if not file.exists():
            migrate(f"sqlite:///{file}", revision, before["tables"])
            Store(f"sqlite:///{file}").close()
        return file

    return made


@pytest.fixture
def opened(
    database: str, tmp_path: Path, grown: Callable[[str, dict[str, Any]], Path]
) -> Iterator[Callable[[str, dict[str, Any]], Office]]:
    """Opens an office that goes on with a store of before, migrated."""
    with ExitStack() as stack:

        def office_of(revision: str, before: dict[str, Any]) -> Office:
            if database.startswith("sqlite"):
                shutil.copy(grown(revision, before), tmp_path / "spool" / "pbmstar.db")
            else:
                migrate(database, revision, before["tables"])
            office = stack.enter_context(closing(Office(database, tmp_path / "spool", people=())))
            office.now = before["now"]
            office.count = itertools.count(1000)  # the Message-IDs of before are known to the store
            return office

        yield office_of


@pytest.fixture
def old(opened: Callable[[str, dict[str, Any]], Office]) -> Office:
    """An office whose store was made by version 0.1.0."""
    return opened("0002", OLD)


@pytest.fixture
def recent(opened: Callable[[str, dict[str, Any]], Office]) -> Office:
    """An office whose store was made by version 0.2.0."""
    return opened("0018", RECENT)


def test_migrations_make_the_tables(tmp_path: Path) -> None:
    config = Config()
    config.set_main_option("script_location", "pbmstar.store:migrations")
    assert ScriptDirectory.from_config(config).get_heads() == [HEAD]
    with closing(Store(f"sqlite:///{tmp_path}/new.db")) as store, store.engine.connect() as found:
        assert compare_metadata(MigrationContext.configure(found), metadata) == []


def test_what_a_store_of_the_first_tables_holds_stays(database: str) -> None:
    """But locks of a userid: they are by place now, and lasted a day at most."""
    failure = {"userid": "alice", "own": 1, "count": 7, "last": 1.0, "until": 99.0}
    migrate(database, "0002", {"failures": [failure]})
    with closing(Store(database)) as store, store.transaction() as tx:
        assert tx.accounts.place("alice", "anywhere") == Place()
        assert not tx.people.is_suppressed("x" * 16, 0.0)


def test_every_board_stays_and_check_is_clean(old: Office) -> None:
    assert old.check() == []
    with old.store.transaction() as tx:
        boards = {row.board: row for row in tx.boards.page()}
    for was in OLD["tables"]["boards"]:
        row = boards.pop(was["board"])
        assert row.seats == (was["first"], was["second"])
        for name in ("game", "options", "resets", "length", "to_move", "result", "since"):
            assert getattr(row, name) == was[name]
        record = [move["move"] for move in OLD["tables"]["moves"] if move["board"] == row.board]
        assert old.record(row.board) == record
    assert not boards


def test_a_proposal_of_before_can_be_accepted(old: Office) -> None:
    old.letters()
    letters = old.send("alice", "star accept 1 alice s3cret")
    assert "alice accepts the score 7-6, X's points first." in letters[0].text
    assert old.check() == []


def test_letters_under_way_go_out_as_they_are(old: Office) -> None:
    waiting = {row["id"] for row in OLD["tables"]["outbox"] if row["state"] == "new"}
    contents = [
        bytes.fromhex(row["content"]["hex"])
        for row in OLD["tables"]["contents"]
        if row["letter"] in waiting
    ]
    assert len(contents) == 2
    assert [letter.raw for letter in old.letters()] == contents


def test_replies_to_letters_in_mailboxes_still_work(old: Office) -> None:
    old.letters()
    letters = old.send("alice", "Re: Star Board 1 alice", "A3", to=OLD["replies"]["alice"])
    assert [letter.subject for letter in letters] == ["Star Board 1 bob"] * 2


def test_a_warning_of_before_counts_and_no_number_is_used_again(old: Office) -> None:
    """The warning was mailed by version 0.1.0: the forfeit comes two days after, not before."""
    old.letters()
    assert old.remind()[0][2] == 0
    old.send("alice", "leave alice s3cret off")
    old.now += 2.1 * 86400
    assert old.remind()[0][2] >= 1
    assert old.row(1).result == "bob"  # type: ignore[union-attr]
    assert old.game("star challenge -size=3 alice bob") == 7
    assert old.check() == []


def test_new_tokens_are_made_with_a_new_key(old: Office) -> None:
    """The key of before only checks: in letters written from now on nothing is signed with it."""
    (before,) = OLD["tables"]["keys"]
    letters = old.send("alice", "star show 1")
    with old.store.transaction() as tx:
        (newest, key), *older = tx.ledger.keys()
    assert len(key) == identity.KEY and [number for number, _ in older] == [before["id"]]
    assert f"k{newest}z" in letters[-1].reply_to


def test_account_tokens_of_before_still_speak_for_the_account(old: Office) -> None:
    """Where bounces and wishes to unsubscribe go, in letters of version 0.1.0."""
    old.send("alice", "star show 1")
    with old.store.transaction() as tx:
        keys = tx.ledger.keys()
    digest = hmac.digest(keys[-1][1], b"u|alice|alice@home.example", "sha256")
    mac = b32encode(digest[:16]).decode().lower().rstrip("=")
    address = identity.read(f"ualice-{mac}")
    assert isinstance(address, identity.SignedAddress)
    signed = ("u", "alice", "alice@home.example")
    assert identity.is_signed(keys, address, *signed)
    assert not identity.is_signed(keys[:1], address, *signed)


def test_a_store_of_0_2_0_comes_up_whole(recent: Office) -> None:
    assert recent.check() == []
    for was in RECENT["tables"]["boards"]:
        row = recent.row(was["board"])
        assert row is not None
        assert {name: getattr(row, name) for name in was} == was
        moves = [move["move"] for move in RECENT["tables"]["moves"] if move["board"] == row.board]
        assert recent.record(row.board) == moves
    with recent.store.transaction() as tx:
        assert [note.text for note in tx.notebook.notes(1, "alice")] == ["The corner is mine."]
        assert [each.text for each in tx.notebook.comments(1)] == ["Hello bob", "Hello alice"]
        assert [each.userid for each in tx.boards.plans(1)] == ["bob"]
        assert [each.kind for each in tx.clocks.absences("bob")] == ["leave"]
        assert [each.why for each in tx.clocks.outages()] == ["cut"]
        assert tx.people.is_banned("x" * 16, "spam.example")
        assert tx.accounts.is_blocked("alice", "carol")


def test_letters_of_0_2_0_go_out_and_their_replies_are_understood(recent: Office) -> None:
    """An address of then does not say which request its letter showed, so it is shown once more."""
    waiting = [letter.subject for letter in recent.letters()]
    assert waiting == [
        "Hex Board 13 bob",
        "Hex Board 13 carol",
        "Hex Board 4 bob - bob is asked",
        "New Star Board 16 carol",
        "New Star Board 16 carol",
    ]
    replies = RECENT["replies"]
    recent.send("alice", "Re: Star Board 1", "D3", to=replies["alice1"])
    assert recent.record(1)[-2:] == ["D3", "B3"]  # bob's plan
    shown = recent.send("bob", "Re: Hex Board 4", "accept", to=replies["bob4"])
    recent.send("bob", "Re: Hex Board 4", "accept", to=shown[0].reply_to)
    assert recent.record(4) == ["B2", "swap"]
    recent.send("alice", "Re: How Many Queens? Board 8", "undo", to=replies["alice8"])
    assert recent.record(8) == []
    recent.send("bob", "Re: Star Board 11", "B3", to=replies["bob11"])
    recent.send("carol", "Re: Star", "12 C4", to=replies["digest"])
    assert recent.record(12)[-1] == "C4"
    assert recent.check() == []


def test_bots_reviews_and_digests_of_0_2_0_go_on(recent: Office) -> None:
    recent.letters()
    assert recent.think() == 1
    assert [letter.subject for letter in recent.letters()] == [
        "Star Board 15 Review",
        "Star Board 10 bob",
    ]
    recent.now += 86400
    recent.run("remind")
    digests = [letter for letter in recent.letters() if letter.to == "carol@carol.example"]
    assert [letter.subject for letter in digests] == ["Star: 3 boards wait for you"]
    assert recent.check() == []


@pytest.fixture
def landed(opened: Callable[[str, dict[str, Any]], Office]) -> Office:
    """An office whose store was made just before features lay in folders."""
    return opened("0023", LANDED)


def test_a_store_from_before_the_folders_comes_up_whole(landed: Office) -> None:
    """Ladder, season, watchers and offers are there, and the letters that waited go out."""
    assert landed.run("admin", "check").exit_code == 0
    assert [rung["userid"] for rung in landed.facts("admin", "ladder", "show", "star")] == [
        *("alice", "bob", "carol", "dora"),
    ]
    (waiting,) = landed.letters()
    assert (waiting.to, waiting.subject) == (address("carol"), "Star: Star ladder")
    assert "ladder challenge star bob" in waiting.words
    (letter,) = landed.send("bob", "seeks")
    assert "take 1" in letter.text


def test_replies_from_before_the_folders_still_work(landed: Office) -> None:
    boards, replies = LANDED["boards"], LANDED["replies"]
    landed.letters()
    letters = landed.send("alice", "Re: Star", "C3", to=replies["move"])
    assert landed.record(boards["move"]) == ["C3"]
    assert {letter.to for letter in letters} >= {address("bob"), address("carol")}, "carol watches"
    landed.send("alice", "Re: Star", "B3", to=replies["ladder"])
    assert landed.record(boards["ladder"]) == ["B3"]
    (lesson,) = landed.send("alice", "Re: Star Course 1", "help", to=replies["lesson"])
    assert lesson.text
    (answer,) = landed.send("carol", "Re: Star", "zone Europe/Berlin", to=replies["account"])
    assert landed.ask("accounts.user", "carol").zone == "Europe/Berlin" and answer.text


@pytest.fixture
def twofold(opened: Callable[[str, dict[str, Any]], Office]) -> Office:
    """An office whose store was made by the last version whose letters had two templates."""
    return opened("0025", TWOFOLD)


def test_a_store_of_the_last_version_that_landed_comes_up_whole(twofold: Office) -> None:
    """Records, plans, offers and ratings are as they were, and what is counted over them agrees."""
    twofold.letters()
    assert twofold.run("admin", "check").exit_code == 0
    tables, boards = TWOFOLD["tables"], TWOFOLD["boards"]
    for was in tables["boards"]:
        row = twofold.row(was["board"])
        assert row is not None
        assert {name: getattr(row, name) for name in was} == was
        moves = [move["move"] for move in tables["moves"] if move["board"] == row.board]
        assert twofold.record(row.board) == moves
    assert [each.userid for each in twofold.ask("boards.plans", boards["move"])] == ["bob"]
    assert [note.text for note in twofold.ask("notebook.notes", boards["move"], "alice")] == [
        "The corner is mine."
    ]
    shown = {each["userid"]: round(each["rating"]) for each in tables["ratings"]}
    for userid, rating in shown.items():
        (letter,) = [
            each for each in twofold.send(userid, f"whois {userid}") if each.to == address(userid)
        ]
        assert f"{rating}?" in letter.text
    rungs = twofold.facts("admin", "ladder", "show", "star")
    assert [rung["userid"] for rung in rungs] == ["alice", "bob", "carol", "dora"]
    (seeks,) = [each for each in twofold.send("bob", "seeks") if each.to == address("bob")]
    assert "take 1" in seeks.text


def test_letters_of_the_last_version_that_landed_go_out(twofold: Office) -> None:
    waiting = [(letter.to, letter.subject) for letter in twofold.letters()]
    assert waiting == [
        (address("dora"), "Help: Star"),
        (address("alice"), "Star Board 2 alice"),
    ]


def test_replies_to_letters_of_the_last_version_that_landed_still_work(twofold: Office) -> None:
    boards, replies = TWOFOLD["boards"], TWOFOLD["replies"]
    twofold.letters()
    twofold.send("alice", "Re: Star", "E4", to=replies["move"])
    assert twofold.record(boards["move"])[-2:] == ["E4", "D5"], "bob's plan answers"
    player, reply = replies["league"]
    twofold.send(player, "Re: Star", "B3", to=reply)
    assert twofold.record(boards["league"]) == ["B3"]
    twofold.send("carol", "Re: Y", "accept", to=replies["asked"])
    assert twofold.row(boards["asked"]).result == "tie"  # type: ignore[union-attr]
    twofold.send("bob", "Re: Star", "7 B3", to=replies["digest"])
    assert twofold.record(7) == ["B3"]
    twofold.send("carol", "Re: Star", "zone Europe/Paris", to=replies["account"])
    assert twofold.ask("accounts.user", "carol").zone == "Europe/Paris"
    (lesson,) = twofold.send("alice", "Re: Star Course 1", "B2", to=replies["lesson"])
    assert lesson.subject.startswith("Star Course")
    twofold.send("new@sign.example", "Re: Star", "yes", to=replies["signup"])
    assert twofold.ask("accounts.user", "erik").state == "active"
    twofold.send("guest@door.example", "Re: Star", "signup fred", to=replies["door"])
    assert twofold.ask("accounts.user", "fred").state == "active"
    daily = {letter.to: letter.text for letter in twofold.digests()}
    assert "D5" in daily[address("dora")], "dora watches board 2"
    assert twofold.check() == []


def test_a_bots_turn_of_the_last_version_that_landed_is_played(twofold: Office) -> None:
    twofold.letters()
    assert twofold.think() == 1
    board = TWOFOLD["boards"]["bot"]
    assert len(twofold.record(board)) == 2
    assert twofold.check() == []


# The stores of releases since 1.0, as ``keep.py`` has made them.
KEPT = sorted((Path(__file__).parent).glob("kept_*.json"))


@pytest.mark.parametrize("file", KEPT, ids=lambda file: file.stem)
def test_a_store_of_each_release_comes_up_whole(
    file: Path, opened: Callable[[str, dict[str, Any]], Office]
) -> None:
    """Its records are as they were, its letters go out, and replies to its letters do what they did."""
    store = json.loads(file.read_text())
    office = opened(file.stem.removeprefix("kept_"), store)
    assert office.check() == []
    tables = store["tables"]
    for was in tables["boards"]:
        moves = [move["move"] for move in tables["moves"] if move["board"] == was["board"]]
        assert office.record(was["board"]) == moves
    waiting = [row for row in tables["outbox"] if row["state"] == "new"]
    assert len(waiting) > 3
    office.now += 3600
    assert len(office.letters()) == len(waiting)
    for writer, reply_to, line, answer in store["replies"].values():
        letters = office.send(writer, "Re: Star", line, to=reply_to)
        assert any(answer in letter.text for letter in letters), (line, letters)
    assert office.record(2)[-2:] == ["E4", "D5"], "a plan answers"
    assert {"erik", "fred"} <= {user.userid for user in office.ask("accounts.users")}
    office.remind(10)
    assert office.check() == []


def test_there_is_a_store_of_each_release_since_1_0() -> None:
    """Its tables are those of a migration that is released."""
    kept = {file.stem.removeprefix("kept_") for file in KEPT}
    assert kept and kept <= {*RELEASED, HEAD}


def test_an_older_program_says_so_on_newer_tables(database: str) -> None:
    """In one sentence, and it changes nothing."""
    engine = sa.create_engine(database)
    with engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(BadInput, match=f"newer pbmstar \\(revision 9999; this one knows {HEAD}"):
        Store(database)
    with engine.connect() as connection:
        found = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
    assert found == "9999"
    engine.dispose()


def test_tables_of_no_release_are_refused(database: str) -> None:
    engine = sa.create_engine(database)
    with engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '0007'"))
    with pytest.raises(BadInput, match="no released pbmstar \\(revision 0007\\)"):
        Store(database)
    engine.dispose()


def test_ratings_are_counted_anew_and_whoever_has_another_one_is_told(database: str) -> None:
    """Each wins against four new players, which made more than 1700; practice began at 1500."""
    seats = [("alice", f"p{n % 4}") for n in range(16)]
    kept = [
        {"board": n, "game": "star", "practice": 0, "measure": 0.0, "at": n * 86400.0}
        | {"first": first, "second": second, "score": 1.0, "how": "played"}
        | {"barred": "", "why": ""}
        for n, (first, second) in enumerate(seats, 1)
    ]
    bot = {"second": "bot1", "practice": 1, "measure": 800.0, "board": 20}
    tally = {"deviation": 150.0, "volatility": 0.06, "at": 9.0, "games": 16, "won": 16, "lost": 0}
    tally |= {"tied": 0, "opponents": 4, "game": "star", "userid": "alice"}
    alice = {"userid": "alice", "address": "alice@alice.example", "password": ""}
    alice |= {"state": "active", "made": 1.0, "reminders": 1, "refuses": "", "bounces": 0.0}
    ratings = [
        {**tally, "practice": 0, "rating": 1934.0},
        {**tally, "practice": 1, "rating": 1506.0},
    ]
    rows = {"users": [alice], "rated": [*kept, kept[0] | bot], "ratings": ratings}
    migrate(database, "0023", rows)
    with closing(Store(database)) as store, store.transaction() as tx:
        assert list(tx.of(Ratings).differences()) == []
        people, practice = (tx.of(Ratings).of("alice", "star", bots) for bots in (False, True))
        assert people and practice
        assert (people.rating, people.games, round(practice.rating)) == (1700.0, 16, 918)
        user = tx.accounts.user("alice")
        assert user is not None
        assert user.correction == "Star 1934 -> 1700, Star in practice 1506 -> 918"


@pytest.mark.parametrize(
    ("bot", "added"),
    [("bot3", "Account opened: bot3."), ("bot10", "Nothing to open: these bots have accounts.")],
)
def test_a_person_with_the_name_of_a_bot_gets_another_one(
    database: str, tmp_path: Path, bot: str, added: str
) -> None:
    """Alice was called so before that was reserved: her games are as before, and so are her replies."""
    person = bot.replace("bot", "person")
    text = json.dumps(RECENT["tables"]).replace('"alice"', f'"{bot}"')
    tables = json.loads(text)
    tables["users"] = [
        row for row in tables["users"] if row["state"] != "bot" or row["userid"] != bot
    ]
    migrate(database, "0018", tables)
    with closing(Office(database, tmp_path / "spool", people=())) as office:
        office.now = RECENT["now"]
        office.count = itertools.count(1000)
        assert office.check() == []
        for was in RECENT["tables"]["boards"]:
            row = office.row(was["board"])
            assert row is not None
            assert row.to_move == was["to_move"].replace("alice", person)
            assert row.result == was["result"].replace("alice", person)
        with office.store.transaction() as tx:
            account = tx.accounts.user(bot)
            assert account is None or account.state == "bot"
            assert tx.of(Ratings).of(person, "star") and not tx.of(Ratings).of(person, "star", True)
            of_then = identity.sign(tx.ledger.keys(), "reply", bot, 1, 0, 2)
        office.letters()
        said = office.send(
            "alice", "Re: Star Board 1", "say Hello!", to=f"star+{of_then}@pbm.example"
        )
        assert person in said[0].text and "Hello!" in said[0].text
        office.send("alice", "Re: Star Board 1", "D3", to=f"star+{of_then}@pbm.example")
        assert office.record(1)[-2:] == ["D3", "B3"]  # bob's plan
        assert office.check() == []
        assert office.run("admin", "bot", "add").output == f"{added}\n"
