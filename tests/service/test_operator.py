"""What the operator does: boards put back or removed, backups, single letters, probes, figures."""

from __future__ import annotations

import errno
import re
import shlex
from operator import attrgetter
from pathlib import Path

import pytest
from harness.office import DAY, Office, address

from pbmstar.service.admin.stats import lines
from pbmstar.store import Store

BOTH = [address("alice"), address("bob")]
KEPT = ("accounts.users", "boards.page", "ledger.keys", "outbox.unsent", "ledger.acts")


def reset(office: Office, before: int) -> str:
    """Put board 1 back; returns what is said, and both players are told."""
    done = office.run("admin", "board", "reset", "1", "--to-move", str(before))
    assert [letter.to for letter in office.letters()] == ([] if done.exit_code else BOTH)
    return done.output


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("moves", "before", "left", "to_move"),
    [
        ("F6 G7 H7", 3, "F6 G7", "alice"),
        ("F6 G7 H7", 2, "F6", "bob"),
        ("F6 swap G7 H7", 3, "F6 swap G7", "bob"),
        ("F6 swap G7 H7", 2, "F6 swap", "alice"),
        ("F6 swap G7 H7", 1, "", "alice"),
        ("F6 G7 resign", 3, "F6 G7", "alice"),
        ("F6 pass pass", 3, "F6 pass", "alice"),
        ("F6 pass pass", 2, "F6", "bob"),
        ("F6 swap resign", 2, "F6 swap", "alice"),
    ],
)
def test_reset(office: Office, moves: str, before: int, left: str, to_move: str) -> None:
    """Back to before a move: its players go on from there, and a second time."""
    office.advance(office.game(), *moves.split())
    state = office.state()
    for never in (-1, 0, 9):
        assert "will do" in reset(office, never)
    assert office.state() == state
    assert reset(office, before) == f"Board 1 reset: move {before} is next, by {to_move}.\n"
    assert f"before move {before} already" in reset(office, before)
    assert office.record(1) == left.split()
    office.play(1, "H8" if left else "F6")
    reset(office, 1)
    office.play(1, "F6")
    assert office.record(1) == ["F6"]
    assert office.check() == []


def test_a_removed_board(office: Office) -> None:
    office.game()
    letters = office.play(1, "F6")
    assert office.run("admin", "board", "remove", "1").output == "Board 1 removed.\n"
    assert [letter.to for letter in office.letters()] == BOTH
    assert office.run("admin", "board", "remove", "1").exit_code == 1
    (letter,) = office.send("bob", "Re: x", "G7", letters[1].reply_to)
    assert letter.text.startswith("Board 1 no longer exists")
    assert office.send("mallory", "Re: x", "G7", letters[1].reply_to) == []
    assert office.game() == 2


@pytest.mark.parametrize(
    ("challenge", "moves"),
    [
        ("star challenge -size=4 -maxi alice bob", ["C2", "swap", "D4", "pass", "F1"]),
        ("star challenge alice bob", []),
        ("star challenge -size=3 alice bob", ["C1", "resign"]),
        ("star challenge -size=3 alice bob", ["C1", "D1", "pass", "pass"]),
        ("*star challenge -rings=4 -double alice bob", ["*40", "T40 *31", "pass"]),
        ("*star challenge -rings=4 -handicap=2 -points=-5 alice bob", ["*40", "T40"]),
        ("*star challenge -rings=4 -nobridge alice bob", ["@", "swap", "S42"]),
        ("stary challenge -rings=4 alice bob", ["@", "S42"]),
    ],
)
@pytest.mark.slow
def test_an_export_replays_through_analyse(
    office: Office, challenge: str, moves: list[str]
) -> None:
    office.game(challenge)
    office.advance(1, *moves)
    (letter,) = office.send("alice", f"{challenge.partition(' ')[0]} show 1")
    text = office.run("admin", "export", "1").output
    (line,) = [line for line in text.split("\n") if line.startswith("pbmstar analyse ")]
    drawn = office.run(*shlex.split(line)[1:]).output
    drawing = next(text[at:] for at in range(len(text)) if drawn.startswith(text[at:]))
    assert len(drawing) > 100
    assert drawing in letter.text


# -- backup


def test_backup_is_a_database_to_start_from(office: Office, tmp_path: Path) -> None:
    """All is in it, letters that wait too; a number given once is not given again by the copy."""
    office.game()
    office.game()
    office.send("alice", "star decline 2 alice s3cret")
    office.play(1, "F6", "swap", "G7")
    office.deliver(office.write("bob", "star move 1 bob hunter2 H7"))
    target = tmp_path / "copy.db"
    assert office.run("admin", "backup", str(target)).output == f"Backup {target} written.\n"
    assert target.stat().st_mode & 0o777 == 0o600
    assert "copy.db exists already" in office.run("admin", "backup", str(target)).output
    store = Store(f"sqlite:///{target}")
    with store.transaction() as tx, office.store.transaction() as original:
        for ask in map(attrgetter, KEPT):
            assert ask(tx)() == ask(original)()
        assert tx.boards.record(1) == original.boards.record(1)
    store.close()
    (tmp_path / "other").mkdir()
    copy = Office(f"sqlite:///{target}", tmp_path / "other", people=())
    assert copy.check() == []
    assert [letter.raw for letter in copy.letters()] == [letter.raw for letter in office.letters()]
    assert copy.game("star challenge -size=4 alice bob") > 1
    copy.close()


def test_a_backup_that_fails_leaves_nothing(
    office: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """CP22: half a copy looks like a backup, and SQLite opens an empty file as a new database."""
    copy = tmp_path / "copy.db"

    def full(_: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr("pbmstar.store.database.sync", full)
        with pytest.raises(OSError, match="No space"):
            office.store.backup(copy)
    assert not list(tmp_path.glob("copy.db*"))
    office.store.backup(copy)
    assert copy.exists()


# -- single letters, and commands that only look


def test_a_letter_is_shown_without_its_tokens_and_dropped(office: Office) -> None:
    """What waits can be looked at and thrown away; nobody can play with what is shown."""
    if not office.store.is_sqlite:
        pytest.skip("letters' numbers have no gaps on SQLite only")
    office.deliver(office.write("alice", "star challenge -size=3 alice bob"))
    office.deliver(office.write("c@c.example", "signup carol tr1angle"))
    shown = office.run("admin", "outbox", "show", "1").output
    assert "Letter 1 to alice has been waiting since" in shown
    assert "star+TOKEN@pbm.example" in shown and "It is alice's turn." in shown
    assert "confirm TOKEN" in office.run("admin", "outbox", "show", "3").output
    for letter in office.letters():
        assert not [word for word in shown.split() if "+" in word and word in letter.reply_to]
    assert (
        "There's no waiting or refused letter 1"
        in office.run("admin", "outbox", "drop", "1").output
    )
    office.deliver(office.write("alice", "help"))
    assert office.run("admin", "outbox", "drop", "4", "1").exit_code == 1  # all or none
    assert office.run("admin", "outbox", "drop", "4").output == "1 letter dropped.\n"
    assert office.run("admin", "outbox", "retry", "4").output == "0 letters due now.\n"
    assert office.letters() == []
    facts = office.facts("admin", "outbox", "show", "4")
    assert (facts["state"], facts["text"]) == ("dropped", "")
    assert office.run("admin", "outbox", "show", "99").exit_code == 1


READING = (
    "user list|user show alice|user find alice@alice.example|user export alice|board list|board show 1"
    "|outbox list|outbox show 1|explain alice|status|metrics|check|export 1|audit|outage list|bot list"
)


def test_commands_that_only_read_do_not_wait_for_a_writer(office: Office) -> None:
    """They show what was there before it."""
    office.game()

    def shown(words: str) -> str:
        """The answer, without what PostgreSQL's own work changes."""
        return re.sub(
            r"(?m)^database: [^,]+", "database: SIZE", office.run("admin", *words.split()).output
        )

    before = {words: shown(words) for words in READING.split("|")}
    with office.store.transaction() as tx:
        tx.accounts.set_wishes(tx.accounts.user("alice")._replace(drawing="words"))
        for words, said in before.items():
            assert shown(words) == said, words


def test_the_server_s_own_address_is_no_player_s(office: Office) -> None:
    """It would write to itself."""
    for given in ("star@pbm.example", "Star+x@pbm.example", "postmaster@pbm.example"):
        done = office.run("admin", "user", "add", "own", given, "--password", "s3cret.pw")
        assert (done.exit_code, "address of this server" in done.stderr) == (1, True)


def test_a_ban_of_a_domain_holds_below_it(office: Office) -> None:
    office.run("admin", "user", "ban", "evil.example")
    for domain, banned in (("mail.evil.example", True), ("devil.example", False)):
        outcome = office.deliver(office.write(f"x@{domain}", "hello"))
        assert ("banned" in outcome.codes) is banned


# -- a letter to any address, and what came back of it


def test_a_reply_to_a_probe_is_listed(office: Office) -> None:
    """It has all that letters have, and the reply changes nothing else."""
    assert office.run("admin", "probe", "nobody").exit_code == 1, "that is no address"
    done = office.run("admin", "probe", "me@far.example", pictures="on")
    assert done.exit_code == 0, done.output
    (letter,) = office.letters()
    kinds = {part.get_content_type() for part in letter.parts}
    assert {"text/plain", "text/html"} <= kinds
    state = office.state()
    office.now += 42
    forged = letter.reply_to.replace("+p", "+pzz")
    office.send("me@far.example", "Re: probe", "x", forged)
    assert [each["back"] for each in office.facts("admin", "probe")] == [None]
    assert office.send("me@far.example", "Re: probe", "star show 1", letter.reply_to) == []
    (probe,) = office.facts("admin", "probe")
    told = "a reply, none by our mail server after 42 s"
    assert (probe["state"], probe["back"]) == ("sent", told)
    assert office.state() == state


# -- stats: the last week and the one before it


def test_each_day_counts_in_its_place(office: Office) -> None:
    """A game with a move on each of ten days; the mails of the last seven, and of the three before."""
    text = office.run("stats").output
    assert "messages taken              ▁▁▁▁▁▁▁          0         0\n" in text
    assert "most frequent" not in text
    board = office.game()
    for move in ("F6", "G7", "H7", "H8", "F1", "G1", "H1", "I1", "J1", "G8"):
        office.now += DAY
        office.play(board, move)
    office.now += 60  # another second of the same day
    office.deliver(office.write("alice", "star move 1 F6"))
    facts = office.facts("stats")
    assert facts["days"]["moves"] == [0, 0, 0, 0, *[1] * 10]
    assert sum(facts["days"]["mails"]) == 12
    assert facts["days"]["mails"][-1] == 2
    assert sum(facts["days"]["begun"]) == 1
    assert facts["moves_by_game"] == {"star": 7}
    text = office.run("stats").output
    assert "moves                       ███████          7         3\n" in text
    assert "most players in a day       ███████          1         1\n" in text
    assert all(len(line) <= 72 for line in text.splitlines())


def test_the_highest_bar_is_of_the_most(office: Office) -> None:
    facts = office.facts("stats")
    for days, bars in (([0, 1, 2, 4, 8, 16, 3], "▁▁▂▃▅█▂"), ([0] * 7, "▁" * 7)):
        facts["days"]["mails"][-7:] = days
        (line,) = (each for each in lines(facts) if each.startswith("messages taken"))
        assert line.split()[2] == bars
