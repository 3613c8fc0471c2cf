"""A letter to one reader: it is put into the outbox for each of the reader's addresses that get it.

Letters about boards go to the first address of an account, and copies to its others, by their kind. A copy
is the same letter with the same reply address; ``short`` is its short form. An address of the kind ``none``
gets only answers to its own mails, without a reply address. A letter that was asked for goes to the address
that asked. Letters that could give an account away go only to the first address.
"""

from __future__ import annotations

from dataclasses import replace

from ... import identity
from ...identity import Purpose
from ...render.facts import kinds
from ...render.replies import ROOT
from ...store import NewLetter, OtherAddress
from ..work.headers import signed
from ..work.letter import Outgoing
from ..work.work import Work

NO_LETTERS, _SHORT = "none", "short"  # kinds of addresses; any other kind gets letters unchanged


def put(work: Work, letter: Outgoing) -> int:
    """Put a letter into the outbox for each address that it goes to; return the number of the first."""
    first, *_ = [_put(work, each) for each in _spread(work, letter)]
    return first


def _put(work: Work, letter: Outgoing) -> int:
    recipe, userid, envelope, reserved, lane = letter[:5]
    address, message_id = recipe.headers["To"], recipe.headers["Message-ID"]
    if not envelope:
        envelope = signed(work, Purpose.BOUNCE, userid, address)
    content = recipe.to_bytes()
    waits = int(letter.is_copy or kinds()[recipe.template].waits)
    new = NewLetter(
        message_id, userid, address, envelope, content, work.now, recipe.at, lane, waits
    )
    number = work.tx.outbox.add(new, reserved)
    work.report.letters.append(number)
    return number


def _spread(work: Work, letter: Outgoing) -> list[Outgoing]:
    """Return the letters for the addresses that it goes to; the one to the first address comes first."""
    user = work.tx.accounts.user(letter.userid) if letter.userid else None
    if user is None or not user.others or letter.recipe.headers["To"] != user.address:
        return [letter]
    asking = work.tx.accounts.other_at(user, work.sender.address)
    kind = kinds()[letter.recipe.template]
    if kind.copied and (letter.reserved or not letter.is_asked):
        mailboxes, to = {identity.mailbox(user.address)}, [letter]
        for other in work.tx.accounts.others(user):
            mailbox = identity.mailbox(other.address)
            if mailbox not in mailboxes and (other.kind != NO_LETTERS or other == asking):
                mailboxes.add(mailbox)
                to.append(_copy(work, letter, other)._replace(is_copy=True))
        return to
    if asking is None or kind.first_only:
        return [letter]
    answer = _copy(work, letter, asking)
    return [letter, answer] if kind.always_first else [answer]


def _copy(work: Work, letter: Outgoing, other: OtherAddress) -> Outgoing:
    """Return the copy of a letter for a further address of the account."""
    headers, serial = {**letter.recipe.headers, "To": other.address}, next(work.results.serials)
    first = headers["Message-ID"]
    headers["Message-ID"] = f"<pbmstar.{serial}@{work.context.config.domain}>"
    if first.startswith(ROOT):  # the thread of the board is the same in each mailbox
        headers["References"] = f"{first} {headers.get('References', '')}".strip()
        headers.setdefault("In-Reply-To", first)
    if other.kind == NO_LETTERS:
        headers.pop("Reply-To", None)
    recipe = replace(letter.recipe, headers=headers, serial=serial)
    if other.kind == _SHORT:
        facts = {**recipe.facts, "drawing": _SHORT}
        recipe = replace(recipe, html=False, drawing=_SHORT, facts=facts)
    return letter._replace(recipe=recipe, reserved=None)
