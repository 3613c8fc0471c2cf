"""The part of the site in letters: the address of the page to choose a move on."""

from __future__ import annotations

from ...render.added import Letters
from .facts import of_board

LETTERS = Letters(of_board=of_board)
