"""What a mail or an operator may do: each command in one transaction, its letters with it."""

from .context import Context, Envelope, Outcome
from .mail import Service
from .results import Results, Task

__all__ = ["Context", "Envelope", "Outcome", "Results", "Service", "Task"]
