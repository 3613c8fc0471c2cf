"""All that a mail or an operator may do: each command in one transaction, its letters with it."""

from .incoming.mail import Service
from .work.context import Context, Envelope, Outcome
from .work.results import Results, Task

__all__ = ["Context", "Envelope", "Outcome", "Results", "Service", "Task"]
