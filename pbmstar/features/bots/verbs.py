"""The effects of the commands about bots."""

from __future__ import annotations

from ...command import Command
from ...service.work.apply import look
from ...service.work.work import Work
from ...store import User
from . import reviews


def review(work: Work, command: Command, reader: User) -> None:
    """Mail the moves at which a finished game turned; the letter waits until they are known."""
    reviews.ask_for(work, look(work, command["board"], reader, command.game), reader)
