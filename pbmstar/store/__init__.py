"""The store: the data, and the transactions that change them. The only package that knows SQL."""

from .database import Store
from .ledger import Node, Run
from .people.accounts import OtherAddress, Place, Token, User
from .play.boards import Board, PlanRow
from .play.clocks import Absence, Outage
from .play.notebook import Best, Draft
from .post.mails import Handled
from .post.outbox import (
    LANES,
    PLAYERS,
    STRANGERS,
    KeptLetter,
    NewLetter,
    Reservation,
    WaitingLetter,
)
from .transaction import Tx

__all__ = [
    "LANES", "PLAYERS", "STRANGERS", "Absence", "Best", "Board",
    "Draft", "Handled", "KeptLetter", "NewLetter", "Node", "OtherAddress", "Outage",
    "Place", "PlanRow", "Reservation", "Run", "Store", "Token", "Tx",
    "User", "WaitingLetter",
]  # fmt: skip
