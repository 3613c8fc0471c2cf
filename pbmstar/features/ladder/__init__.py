"""Ladders: the players of a game in one order; who wins against a player above takes that place."""
