"""The store: what is kept, and the transactions that change it. The only package that knows SQL."""

from .bots import BotTurn
from .database import Store
from .drafts import Draft
from .rows import Best, Board, Handled, Letter, Place, PlanRow, Token, User, Waiting
from .stops import Absence, Outage
from .tables import BOTS
from .transaction import Tx

__all__ = [
    "BOTS",
    "Absence",
    "Best",
    "Board",
    "BotTurn",
    "Draft",
    "Handled",
    "Letter",
    "Outage",
    "Place",
    "PlanRow",
    "Store",
    "Token",
    "Tx",
    "User",
    "Waiting",
]
