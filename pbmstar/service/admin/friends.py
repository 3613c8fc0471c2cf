"""Accounts for a list of people: a file with a name, an address and a language on each line."""

from __future__ import annotations

import csv
import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from ...command import RESERVED
from ...errors import BadInput, Refusal
from ...grammar.literals import read_address
from ...grammar.words import ENGLISH
from ...identity.addresses import stored
from ...render.translator import Translator
from ..proof import strangers
from ..verbs import membership
from ..work.work import Work
from . import people

OPENED, THERE, REFUSED = "opened", "there", "refused"
_COLUMNS = ("name", "address", "language")
_MOST = 10_000  # lines of a file


class Friend(NamedTuple):
    """A line of the file, by its number; what it has too little of is empty."""

    line: int
    name: str
    address: str
    language: str


class Done(NamedTuple):
    """The outcome of a line: OPENED, THERE (the account was open already) or REFUSED, with the reason."""

    line: int
    outcome: str
    userid: str
    address: str
    language: str
    why: str


def read(text: str) -> list[Friend]:
    """Return the people in a CSV file, its columns separated by commas, semicolons or tabs.

    A first line that names the columns may put them into another order. Empty lines, and lines that start
    with #, are skipped. Raises BadInput for a file without people, or with too many lines.
    """
    lines = text.removeprefix("\ufeff").splitlines()
    first = next((line for line in lines if line.strip() and not line.startswith("#")), "")
    mark = max(",;\t", key=first.count)
    columns, found = list(_COLUMNS), list[Friend]()
    for number, cells in enumerate(csv.reader(lines, delimiter=mark), 1):
        cells = [cell.strip() for cell in cells]
        if not any(cells) or cells[0].startswith("#"):
            continue
        if not found and {cell.lower() for cell in cells} >= {"name", "address"}:
            columns = [cell.lower() for cell in cells]
            continue
        row = dict(zip(columns, cells, strict=False))
        found.append(Friend(number, *(row.get(column, "") for column in _COLUMNS)))
    if not found:
        raise BadInput("The file has nobody. Each line is: name, address, language.", "bad-file")
    if len(found) > _MOST:
        raise BadInput(f"The file has more than {_MOST} lines.", "bad-file")
    return found


def add(work: Work, friend: Friend, opener: str) -> Done:
    """Open the account of a line, unless its address has one, and write its welcome letter.

    Nothing is done for someone who wants no letters, or has closed the account. ``opener``: see
    ``people.add_user``.
    """
    try:
        return _added(work, friend, opener)
    except Refusal as error:
        return Done(friend.line, REFUSED, "", friend.address, friend.language, str(error))


def _added(work: Work, friend: Friend, opener: str) -> Done:
    address = stored(read_address(friend.address))
    language = (friend.language or ENGLISH).lower()
    own = next((user for user in work.tx.accounts.users_at(address) if user.address), None)
    if own is not None:
        return Done(friend.line, THERE, own.userid, address, own.language, "")
    if strangers.is_suppressed(work, address):
        raise BadInput("This address wants no letters from here.", "suppressed")
    if language not in Translator.offered():
        raise BadInput(
            f"There are no letters in {language!r}. Languages: {', '.join(Translator.offered())}.",
            "no-language",
        )
    userid = _userid(work, friend.name, address)
    people.add_user(work, userid, address, None, language, opener)
    return Done(friend.line, OPENED, userid, address, language, "")


def _userid(work: Work, name: str, address: str) -> str:
    """Return a free userid for a name: the first name, both names in one, or the first one with a number.

    Without a name it is made from the address. Raises BadInput if none can be made, or if the account that
    had it is closed: its owner may have done that, and is not asked again.
    """
    words = "".join(_plain((name or address.partition("@")[0]).lower())).split()
    kept = [re.sub("[^a-z0-9_-]", "", word).lstrip("0123456789_-") for word in words]
    first = kept[0][: membership.LONGEST] if kept else ""
    whole = "".join(kept)
    more = [whole] if len(whole) <= membership.LONGEST else []
    for each in (first, *more, *(f"{first}{number}" for number in range(2, 100))):
        known = work.tx.accounts.user(each)
        if known is not None and known.state == "closed":
            raise BadInput(f"The account {each} is closed. Choose another name.", "closed")
        if len(first) > 1 and known is None and each not in RESERVED:
            return each
    raise BadInput("That name can't be used. Write one of 2 to 12 letters.", "bad-userid")


def _plain(name: str) -> Iterator[str]:
    """Yield the letters of a name without their accents; German ones as they are spelled without."""
    for letter in name:
        yield _SPELLED.get(letter) or unicodedata.normalize("NFKD", letter)[0]


_SPELLED = {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "ø": "o", "ł": "l", "æ": "ae", "œ": "oe"}
