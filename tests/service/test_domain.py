"""A server moves to another domain, as docs/how-to/change-my-domain.md says."""

from __future__ import annotations

from pathlib import Path
from unittest import mock

from harness.letters import SERVER, Examiner
from harness.office import Office

FORMER = "star@former.example"


def test_replies_to_letters_of_the_former_domain_are_carried_out(tmp_path: Path) -> None:
    """The mail server puts the new domain after the @ of each recipient, and leaves what is before it."""

    def passed_on(address: str) -> str:
        return address.replace(FORMER.partition("@")[2], SERVER.partition("@")[2])

    database = f"sqlite:///{tmp_path}/pbmstar.db"
    before = Office(database, tmp_path, address=FORMER)
    with mock.patch.object(Examiner, "examine"):  # it knows one address of the server
        (board,) = (
            letter
            for letter in before.send("alice", "star challenge -size=4 alice bob", to=FORMER)
            if letter.to == "alice@alice.example"
        )
        (token,) = before.send("carol@home.example", "signup carol", to=FORMER)
    before.close()
    after = Office(database, tmp_path, people=())
    try:
        assert "former.example" in board.reply_to and not after.service.knows(board.reply_to)
        moved = after.send("alice", "Re: board", "C3", passed_on(board.reply_to))
        assert {letter.to for letter in moved} == {"alice@alice.example", "bob@bob.example"}
        welcome, *_ = after.send("carol@home.example", "Re: it", "yes", passed_on(token.reply_to))
        assert "Welcome, carol!" in welcome.text
    finally:
        after.close()
