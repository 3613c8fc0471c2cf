"""The acts that a message or an operator may do: each command and its letters share one transaction."""

from .incoming.mail import Service
from .work.context import Context, Envelope, Outcome
from .work.tasks import Results, Task

__all__ = ["Context", "Envelope", "Outcome", "Results", "Service", "Task"]
