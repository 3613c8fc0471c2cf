"""Traffic: what mails and letters there were, for whom, and where one of them is."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import func, literal_column, or_, select

from . import schema as t
from .statements import Subject, p


class Unsent(NamedTuple):
    """A letter that waits or was refused for good: where it goes, and what the relay said."""

    address: str
    state: str
    made: float
    trouble: str


QUEUED = "queued as "  # and the id that the relay gave a letter

_outbox, _handled = t.outbox.c, t.handled.c
_UNSENT = select(*(_outbox[name] for name in Unsent._fields)).where(
    or_(_outbox.state == literal_column("'new'"), _outbox.state == literal_column("'dead'"))
)
_FIND = (
    select(_outbox.id)
    .where(
        or_(
            _outbox.message_id == p("message"),
            (_outbox.state == literal_column("'sent'")) & (_outbox.trouble == p("queued")),
        )
    )
    .order_by(_outbox.id)
)
_LETTERS = (
    select(_outbox.userid, func.count()).where(_outbox.made >= p("since")).group_by(_outbox.userid)
)
_MAILS = (
    select(_handled.userid, func.count()).where(_handled.at >= p("since")).group_by(_handled.userid)
)


class Traffic(Subject):
    """Questions over many mails and letters: no mail at hand asks them."""

    def unsent(self) -> list[Unsent]:
        """Return the letters that wait or were refused for good."""
        self._db.write()
        return self._db.all(Unsent, _UNSENT)

    def letters_of(self, name: str) -> list[int]:
        """Return the letters with a Message-ID, or with the id that the relay gave them in its queue."""
        self._db.write()
        message = name if name.startswith("<") else f"<{name}>"
        rows = self._db.rows(_FIND, message=message, queued=QUEUED + name)
        return [number for (number,) in rows]

    def letters(self, since: float) -> dict[str, int]:
        """Count the letters that were written since then by userid; empty for those to no account."""
        self._db.write()
        return dict(self._db.rows(_LETTERS, since=since))

    def mails(self, since: float) -> dict[str, int]:
        """Count the mails that came since then by userid; empty for those of no account."""
        self._db.write()
        return dict(self._db.rows(_MAILS, since=since))
