"""Contests beyond one game: ratings, ladders, and leagues with their seasons."""
