"""The command line. Each command imports what it uses when it runs, so that help comes at once."""

from .main import main

__all__ = ["main"]
