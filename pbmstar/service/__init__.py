"""What a mail or an operator may do: each command in one transaction, its letters with it."""

from .context import Context, Envelope, Outcome
from .handle import Service

__all__ = ["Context", "Envelope", "Outcome", "Service"]
