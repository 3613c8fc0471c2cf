"""The address that answers to a problem of the week go to."""

from __future__ import annotations

QUESTIONS = {"problem": "q"}
VERBS = ()
