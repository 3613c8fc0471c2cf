"""A letter is composed without a trace: only sending it writes into the store."""

from __future__ import annotations

from harness.office import Office

from pbmstar.identity import Purpose
from pbmstar.match.happenings import Left, Moved, Removed, Resigned
from pbmstar.render.facts import AccountFacts
from pbmstar.service.letters.post import BoardLetter, RemovedLetter, send
from pbmstar.service.work.apply import load
from pbmstar.service.work.letter import PlainLetter, Sendable
from pbmstar.service.work.work import Work
from pbmstar.store import User


def letters(work: Work, board: int, over: int) -> list[Sendable]:
    """Letters of each class; those about boards tell bob of a correction, and of his move for the first time."""
    match, ended, bob = load(work, board), load(work, over), work.account("bob")
    return [
        BoardLetter(
            match, (Moved("bob", "G7"),), answers="bob", unsubscribe=Purpose.STOP_REMINDERS
        ),
        BoardLetter(ended, (Left("alice"), Resigned("alice")), answers="alice", album=True),
        BoardLetter(match, (Moved("bob", "G7"),), to=("carol",), is_public=True),
        RemovedLetter(match, Removed(), match.seats),
        PlainLetter.to(bob, AccountFacts("bob", "hello", "Hello.", (), None)),
    ]


def test_a_letter_that_is_composed_and_not_sent_leaves_all_as_it_was(office: Office) -> None:
    office.add("carol")
    board, over = office.begun(), office.begun()
    office.play(over, "H8", "resign")

    def bob() -> User:
        found: User = office.ask("accounts.user", "bob")
        return found

    with office.store.transaction() as tx:
        tx.accounts.set_receipts("bob", 0)
        tx.accounts.set_correction("bob", "F6")
    before = office.rows()
    with office.store.transaction() as tx:
        work = office.work(tx)
        every = [list(letter.outgoing(work)) for letter in letters(work, board, over)]
    assert [len(each) for each in every] == [2, 2, 1, 2, 1]
    facts = [each.recipe.facts for each in every[0] if each.userid == "bob"]
    assert (facts[0]["receipt"], facts[0]["correction"]) == (True, "F6")
    assert office.rows() == before
    with office.store.transaction() as tx:
        work = office.work(tx)
        for letter in letters(work, board, over):
            send(work, letter)
    assert (bob().receipts, bob().correction) == (1, "")
    assert len(office.rows()["outbox"]) == len(before["outbox"]) + 8
