"""Mails put away: durable, private, listed, and shown without passwords."""

from __future__ import annotations

import os
from collections import namedtuple
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmstar.errors import BadInput
from pbmstar.intake import masked, quarantine
from pbmstar.service.work.context import Envelope

MAIL = (
    b"Received: from x\r\nFrom: alice@home.example\r\nTo: star@pbm.example\r\n"
    b"Subject: %s\r\n\r\n%s\r\n"
)


def fault() -> Exception:
    """An error whose texts quote a mail."""
    word = "s3" + "cret"
    try:
        try:
            {}[word]
        except KeyError as cause:
            raise ValueError(f"cannot use {word}") from cause
    except ValueError as error:
        return error


def kept(tmp_path: Path, raw: bytes = b"x") -> str:
    """The number of a mail put away."""
    return quarantine.keep(tmp_path, Envelope("a@b", ("star@pbm.example",)), raw, fault(), 0.0)


def test_keep_and_read(tmp_path: Path) -> None:
    raw = MAIL % (b"multiple", bytes(range(256)))
    first = quarantine.keep(
        tmp_path, Envelope("a@b.example", ("x@y", "z@y")), raw, fault(), 1_800_000_000.25
    )
    second = quarantine.keep(tmp_path, Envelope("", ()), b"", fault(), 1_800_000_060.0)
    assert [entry.id for entry in quarantine.entries(tmp_path)] == [first, second]
    entry = quarantine.read(tmp_path, first)
    assert entry is not None
    assert (entry.sender, entry.recipients, entry.raw) == ("a@b.example", ["x@y", "z@y"], raw)
    assert (entry.at, entry.error) == (1_800_000_000.25, "ValueError")
    assert "in fault" in entry.trace and "builtins.KeyError" in entry.trace
    assert entry.line()["at"] == "2027-01-15T08:00:00+00:00" and "raw" not in entry.line()
    assert "s3cret" not in (tmp_path / "quarantine" / f"{first}.json").read_text()


def test_it_is_on_stable_storage_and_nobody_else_may_read_it(
    tmp_path: Path, synced: list[str]
) -> None:
    """The mail, then what makes it an entry, then their names."""
    before = os.umask(0)
    try:
        kept(tmp_path)
    finally:
        os.umask(before)
    folder = tmp_path / "quarantine"
    assert [path.endswith(".part") for path in synced] == [True, True, False, False]
    assert synced[2:] == [str(folder), str(tmp_path)]
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o600}
    assert sorted(path.suffix for path in folder.iterdir()) == [".eml", ".json"]


def test_it_has_a_part_of_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tenth of what is free; and a sender fills no more than that in an hour, by bytes too."""
    free = namedtuple("free", "free")
    monkeypatch.setattr("shutil.disk_usage", lambda path: free(100_000))
    quarantine.keep(tmp_path, Envelope("a@a", ()), b"x" * 6000, fault(), 0.0)
    with pytest.raises(quarantine.NoRoom):
        quarantine.keep(tmp_path, Envelope("b@b", ()), b"x" * 6000, fault(), 0.0)
    monkeypatch.setattr("shutil.disk_usage", lambda path: free(10**9))
    monkeypatch.setattr(quarantine, "BYTES_OF_ONE", 12_000)
    quarantine.keep(tmp_path, Envelope("a@a", ()), b"x" * 5000, fault(), 60.0)
    with pytest.raises(quarantine.NoRoom):
        quarantine.keep(tmp_path, Envelope("A+tag@a", ()), b"x" * 5000, fault(), 120.0)
    quarantine.keep(tmp_path, Envelope("b@b", ()), b"x" * 5000, fault(), 120.0)
    quarantine.keep(tmp_path, Envelope("a@a", ()), b"x" * 5000, fault(), 3700.0)
    for machine in ("2001:db8::1", "2001:db8::2"):
        quarantine.keep(tmp_path, Envelope(machine, (), machine), b"x" * 5000, fault(), 3700.0)
    with pytest.raises(quarantine.NoRoom):
        quarantine.keep(tmp_path, Envelope("", (), "2001:db8::3"), b"x" * 5000, fault(), 3700.0)
    count, size = quarantine.size_of(tmp_path)
    assert count == 6 and 30_000 < size < 40_000


def test_drop(tmp_path: Path) -> None:
    ident = kept(tmp_path)
    quarantine.drop(tmp_path, ident)
    assert quarantine.read(tmp_path, ident) is None
    assert quarantine.entries(tmp_path) == []
    assert list((tmp_path / "quarantine").iterdir()) == []
    with pytest.raises(BadInput):
        quarantine.drop(tmp_path, ident)


@pytest.mark.parametrize("ident", ["", "..", "../x", "20260101T000000-deadbeef", "x" * 300, "a\0"])
def test_ids_that_are_none(tmp_path: Path, ident: str) -> None:
    assert quarantine.read(tmp_path, ident) is None
    for use in (quarantine.drop, masked.shown):
        with pytest.raises(BadInput):
            use(tmp_path, ident)


def test_half_an_entry_is_none(tmp_path: Path) -> None:
    """What a crash or an operator left over is passed over."""
    folder = tmp_path / "quarantine"
    for _ in range(3):
        kept(tmp_path)
    jsons = sorted(folder.glob("*.json"))
    jsons[0].unlink()
    jsons[1].write_text("{")
    (folder / "notes.json").write_text("{}")
    assert [entry.id for entry in quarantine.entries(tmp_path)] == [jsons[2].stem]


def test_disk_in_trouble(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """CP12: if it cannot be kept it is not said to be."""

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        kept(tmp_path)
    assert quarantine.entries(tmp_path) == []


@pytest.mark.parametrize(
    ("subject", "body"),
    [
        (b"star move 1 alice s3cret F6", b"nice game"),
        (b"Re: *star mvoe 1 alice s3cret F6", b""),
        (b"=?utf-8?q?star_move_1_alice_s3cret_F6?=", b""),
        (b"=?utf-8?b?c3RhciBtb3ZlIHMzY3JldA==?=", b""),
        (b"star move 1\r\n alice s3cret F6", b""),
        (b"multiple", b"hello\r\nstar move 1 alice s3cret F6"),
        (b"multiple", b"star move 1 alice\r\ns3cret F6"),
        (b"multiple", b"> **starstar** move 1 alice s3cret F6"),
        (b"multiple", b"<p>star resign 1 alice s3cret</p>"),
        (b"", b"change password alice s3cret n3wpass"),
        (b"", b"signup alice s3cret a@b"),
        (b"", b"STAR MOVE 1 ALICE s3cret --"),
        (b"", b"signoff alice s3cret"),
    ],
)
def test_passwords_are_not_shown(tmp_path: Path, subject: bytes, body: bytes) -> None:
    raw = MAIL % (subject, body)
    ident = kept(tmp_path, raw)
    output = masked.shown(tmp_path, ident)
    assert (
        "s3cret" not in output
        and "n3wpass" not in output
        and "c3RhciBtb3ZlIHMzY3JldA" not in output
    )
    assert "From: alice@home.example" in output and "ValueError" in output and ident in output


def test_encoded_text_is_not_shown(tmp_path: Path) -> None:
    raw = b"From: a@b\r\nContent-Transfer-Encoding: BASE64\r\n\r\nc3RhciBzM2NyZXQ=\r\n"
    ident = kept(tmp_path, raw)
    assert "c3Rhci" not in masked.shown(tmp_path, ident)


@given(raw=st.binary(max_size=300))
def test_anything_can_be_shown(tmp_path_factory: pytest.TempPathFactory, raw: bytes) -> None:
    """Printable ASCII comes out, whatever went in: a terminal shows it."""
    spool = tmp_path_factory.getbasetemp()
    ident = kept(spool, raw)
    output = masked.shown(spool, ident)
    quarantine.drop(spool, ident)
    assert all(" " <= c <= "~" or c == "\n" for c in output)
