"""Damage to board 1 in the store, as statements."""

from __future__ import annotations

DAMAGED = (
    "UPDATE boards SET made = 'x' WHERE board = 1",
    "UPDATE boards SET since = 'x' WHERE board = 1",
    "UPDATE boards SET options = '{' WHERE board = 1",
    "UPDATE boards SET terms = 'nonsense' WHERE board = 1",
    "UPDATE boards SET terms = '{\"time\":5}' WHERE board = 1",
    "UPDATE boards SET game = 'chess' WHERE board = 1",
    "UPDATE boards SET length = 'x' WHERE board = 1",
    "UPDATE boards SET clock_from = 'x' WHERE board = 1",
    "DELETE FROM seats WHERE board = 1",
    "DELETE FROM seats WHERE board = 1 AND seat = 0",
    "UPDATE seats SET bank = 'x' WHERE board = 1",
    "UPDATE seats SET userid = 'a b' WHERE board = 1 AND seat = 0",
    "UPDATE moves SET at = 'x' WHERE board = 1 AND seq = 1",
    "UPDATE moves SET move = 'Z99' WHERE board = 1 AND seq = 1",
)
