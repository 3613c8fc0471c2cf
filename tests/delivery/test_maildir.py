"""Letters as files: one file a letter, however often it is delivered."""

from __future__ import annotations

import errno
import mailbox
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from letters import letter, send

from pbmstar.delivery import maildir
from pbmstar.delivery.maildir import Maildir
from pbmstar.delivery.relay import SENT, RelayDown


def files(root: Path) -> list[str]:
    """All files below it, by their paths."""
    return sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())


def test_a_letter_is_one_file(tmp_path: Path) -> None:
    relay = Maildir(tmp_path / "mail")
    one = letter(1, "Alice@Home.example")
    assert send(relay, one, letter(2, "bob@home.example")) == [(1, SENT), (2, SENT)]
    box = mailbox.Maildir(tmp_path / "mail" / "alice@home.example", create=False)
    (key,) = box.keys()
    assert box.get_bytes(key) == one.content.replace(b"\r\n", b"\n")
    path = tmp_path / "mail" / "alice@home.example" / "new" / key
    assert path.stat().st_mode & 0o077 == 0 or os.umask(0o022) != 0o077
    assert files(tmp_path / "mail" / "alice@home.example" / "tmp") == []


@pytest.mark.parametrize("place", ["new/{}", "cur/{}:2,S", "cur/{}:2,", "cur/{}"])
def test_delivered_again(tmp_path: Path, place: str) -> None:
    """The same letter again is the same file, wherever a reader has moved it."""
    relay = Maildir(tmp_path)
    one = letter(1)
    send(relay, one)
    box = tmp_path / one.address
    name = maildir.file_name(one)
    (box / "new" / name).rename(box / place.format(name))
    before = files(tmp_path)
    assert send(relay, one, one) == [(1, SENT), (1, SENT)]
    assert files(tmp_path) == before


def test_names_follow_the_order_of_letters(tmp_path: Path) -> None:
    relay = Maildir(tmp_path)
    letters = [letter(n, "a@b.example", body=f"{n}\r\n") for n in (9, 10, 11, 100)]
    send(relay, *letters)
    found = [path.read_bytes() for path in sorted((tmp_path / "a@b.example" / "new").iterdir())]
    assert [content.split()[-1] for content in found] == [b"9", b"10", b"11", b"100"]


def test_killed_in_mid_write(tmp_path: Path) -> None:
    """What a killed process left half-written is written anew and leaves no trace."""
    one = letter(1)
    for name in ("tmp", "new", "cur"):
        (tmp_path / one.address / name).mkdir(parents=True)
    (tmp_path / one.address / "tmp" / maildir.file_name(one)).write_bytes(b"ha" * 500)
    send(Maildir(tmp_path), one)
    assert files(tmp_path) == [f"{one.address}/new/{maildir.file_name(one)}"]


@given(address=st.text(max_size=300))
def test_folders_are_safe(address: str) -> None:
    """A folder's name is one plain component, whatever the address."""
    name = maildir.folder(address)
    assert name and "/" not in name and "\0" not in name and not name.startswith(".")
    assert len(name) <= 200 and name.isascii()


@given(one=st.text("aA./%é", max_size=6), other=st.text("aA./%é", max_size=6))
def test_two_addresses_two_folders(one: str, other: str) -> None:
    assert (maildir.folder(one) == maildir.folder(other)) == (one.lower() == other.lower())


def test_one_folder_in_trouble(tmp_path: Path) -> None:
    """It holds up one recipient; the others get their letters."""
    (tmp_path / "p1@home.example").write_text("a file where a folder should be")
    told = send(Maildir(tmp_path), letter(1), letter(2))
    assert [(n, verdict.kind, verdict.recipient) for n, verdict in told] == [
        (1, "later", True),
        (2, "sent", False),
    ]


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO, errno.EROFS])
def test_disk_in_trouble(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    """CP24, CP25: a disk that takes nothing is a relay that is down; nothing half-written counts."""

    def broken(_handle: int) -> None:
        raise OSError(code, os.strerror(code))

    relay = Maildir(tmp_path)
    send(relay, letter(1))
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", broken)
        with pytest.raises(RelayDown) as raised:
            send(relay, letter(2))
        assert raised.value.letter == letter(2)
    assert not (tmp_path / "p2@home.example" / "new" / maildir.file_name(letter(2))).exists()
    assert send(relay, letter(2)) == [(2, SENT)]


def test_each_file_is_on_stable_storage(tmp_path: Path, synced: list[str]) -> None:
    """First the letter, then its name; the folders of a new recipient too."""
    relay = Maildir(tmp_path)
    send(relay, letter(1))
    name, box = maildir.file_name(letter(1)), tmp_path / "p1@home.example"
    assert synced == [str(box), str(tmp_path), f"{box}/tmp/{name}", f"{box}/new"]


def test_root_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RelayDown):
        Maildir(tmp_path / "file" / "mail").open()
