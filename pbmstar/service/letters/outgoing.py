"""A letter to one reader: it is put into the outbox for each of the reader's addresses that get it.

Letters about boards go to the first address of an account, and copies to its others, by their kind. A copy
is the same letter with the same reply address; ``short`` is its short form. An address of the kind ``none``
gets only answers to its own mails, without a reply address. A letter that was asked for goes to the address
that asked. Letters that could give an account away go only to the first address.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from ... import identity
from ...render.recipe import Recipe
from ...store import PLAYERS, NewLetter, OtherAddress, Reservation
from ..work.work import Work
from .headers import signed

NO_LETTERS, _SHORT = "none", "short"  # kinds of addresses; any other kind gets letters unchanged
_COPIED = frozenset(("board", "digest", "removed"))
TOKENS = frozenset(
    ("address", "forgot", "further", "resign_all", "signup", "taken", "unclear", "wish")
)
_FIRST_ALONE = TOKENS | {"announcement", "welcome"}
_ROOT = "<pbmstar.board"  # the beginning of the Message-ID of a thread's first letter
_ACCOUNT = "account"  # the template about changes of an account: the first address always gets it


class Outgoing(NamedTuple):
    """A letter to one reader, ready for the outbox.

    envelope  its envelope sender; empty for an address that brings a bounce back to the account
    reserved  the number that is reserved for it, or None
    lane      the line that it waits in
    is_asked  its reader has asked for it, and no other player gets it
    """

    recipe: Recipe
    userid: str
    envelope: str = ""
    reserved: Reservation | None = None
    lane: int = PLAYERS
    is_asked: bool = False


def put(work: Work, letter: Outgoing) -> int:
    """Put a letter into the outbox for each address that it goes to; return the number of the first."""
    first, *_ = [_put(work, each) for each in _spread(work, letter)]
    return first


def _put(work: Work, letter: Outgoing) -> int:
    recipe, userid, envelope, reserved, lane, _ = letter
    address, message_id = recipe.headers["To"], recipe.headers["Message-ID"]
    if not envelope:
        envelope = signed(work, "b", userid, address)
    content = recipe.to_bytes()
    new = NewLetter(message_id, userid, address, envelope, content, work.now, recipe.at, lane)
    number = work.tx.outbox.add(new, reserved)
    work.report.letters.append(number)
    return number


def _spread(work: Work, letter: Outgoing) -> list[Outgoing]:
    """Return the letters for the addresses that it goes to; the one to the first address comes first."""
    user = work.tx.accounts.user(letter.userid) if letter.userid else None
    if user is None or not user.others or letter.recipe.headers["To"] != user.address:
        return [letter]
    asking = work.tx.accounts.other_at(user, work.author.address)
    template = letter.recipe.template
    if template in _COPIED and (letter.reserved or not letter.is_asked):
        mailboxes, to = {identity.mailbox(user.address)}, [letter]
        for other in work.tx.accounts.others(user):
            mailbox = identity.mailbox(other.address)
            if mailbox not in mailboxes and (other.kind != NO_LETTERS or other == asking):
                mailboxes.add(mailbox)
                to.append(_copy(work, letter, other))
        return to
    if asking is None or template in _FIRST_ALONE:
        return [letter]
    answer = _copy(work, letter, asking)
    return [letter, answer] if template == _ACCOUNT else [answer]


def _copy(work: Work, letter: Outgoing, other: OtherAddress) -> Outgoing:
    """Return the copy of a letter for a further address of the account."""
    headers, serial = {**letter.recipe.headers, "To": other.address}, next(work.results.serials)
    first = headers["Message-ID"]
    headers["Message-ID"] = f"<pbmstar.{serial}@{work.context.config.domain}>"
    if first.startswith(_ROOT):  # the thread of the board is the same in each mailbox
        headers["References"] = f"{first} {headers.get('References', '')}".strip()
        headers.setdefault("In-Reply-To", first)
    if other.kind == NO_LETTERS:
        headers.pop("Reply-To", None)
    recipe = replace(letter.recipe, headers=headers, serial=serial)
    if other.kind == _SHORT:
        facts = {**recipe.facts, "drawing": _SHORT}
        recipe = replace(recipe, html=False, drawing=_SHORT, facts=facts)
    return letter._replace(recipe=recipe, reserved=None)
