"""Postcards: one picture of a finished game for a friend without an account, and one question."""
