"""The store: the data, and the transactions that change them. The only package that knows SQL."""

from .accounts import OtherAddress, Place, Token, User
from .boards import Board, PlanRow
from .bots import BotTask
from .clocks import Absence, Outage
from .contests import Contest, Entrant, Pairing, Title
from .database import Store
from .ledger import Node, Run
from .mails import Handled
from .notebook import Best, Draft
from .outbox import LANES, PLAYERS, STRANGERS, Letter, NewLetter, WaitingLetter
from .problems import Solution, StoredProblem
from .schema import BOTS
from .transaction import Tx

__all__ = [
    "BOTS", "LANES", "PLAYERS", "STRANGERS", "Absence", "Best", "Board", "BotTask", "Contest",
    "Draft", "Entrant", "Handled", "Letter", "NewLetter", "Node", "OtherAddress", "Outage",
    "Pairing", "Place", "PlanRow", "Run", "Solution", "Store", "StoredProblem", "Title", "Token", "Tx",
    "User", "WaitingLetter",
]  # fmt: skip
