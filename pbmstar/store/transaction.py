"""One transaction, with a part for each subject."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TypeVar

from ..machine.times import Epoch, Seconds
from .ledger import Ledger
from .people.accounts import Accounts
from .people.people import People
from .play.boards import Boards
from .play.clocks import Clocks
from .play.notebook import Notebook
from .post.digests import Digests
from .post.mails import Mails
from .post.outbox import Outbox
from .statements import Connection, Repository

S = TypeVar("S", bound=Repository)


class Tx:
    """One open transaction. Nothing here commits, or knows a rule of a game or of mail.

    Every method of a part raises TemporaryFailure for a trouble of the database.
    """

    def __init__(self, db: Connection) -> None:
        self._db = db
        self._subjects: dict[type[Repository], Repository] = {}
        self.accounts = Accounts(db)
        self.boards = Boards(db)
        self.clocks = Clocks(db)
        self.digests = Digests(db)
        self.ledger = Ledger(db)
        self.mails = Mails(db)
        self.notebook = Notebook(db)
        self.outbox = Outbox(db)
        self.people = People(db)

    def of(self, subject: type[S]) -> S:
        """Return a feature's subject in this transaction, the same each time."""
        known = self._subjects.get(subject)
        if not isinstance(known, subject):
            known = self._subjects[subject] = subject(self._db)
        return known

    def savepoint(self) -> AbstractContextManager[None]:
        """Return a block for ``with``: its changes are undone if it raises."""
        return self._db.savepoint()

    def prune(self, now: Epoch, texts: Seconds, rows: Seconds) -> bool:
        """Forget old rows; return True if there may be more, for another transaction.

        The text of a letter that was given up is kept for ``texts`` seconds, its row for ``rows`` seconds.
        """
        self.accounts.prune(now)
        self.ledger.prune(now)
        return any(
            [
                self.outbox.prune(now, texts, rows),
                self.mails.prune(now),
                self.digests.prune(now - rows),
            ]
        )
