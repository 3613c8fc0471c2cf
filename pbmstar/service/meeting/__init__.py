"""The beginning of a game, and the wishes that decide if it may begin."""
