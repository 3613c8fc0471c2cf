"""Passwords that are tried."""

from __future__ import annotations

from harness.office import Office


def opens(office: Office, userid: str, password: str, sender: str = "x@nowhere.example") -> bool:
    """Whether the password opens the account, for who writes from there."""
    letters = office.send(sender, f"reminders {userid} {password} on")
    return any("Reminders: on" in letter.text for letter in letters)


def guess(
    office: Office, count: int, userid: str = "alice", sender: str = "bob", peer: str = ""
) -> None:
    """Wrong passwords."""
    for _ in range(count):
        office.deliver(office.write(sender, f"limit {userid} wr0ngone 5"), peer=peer)
