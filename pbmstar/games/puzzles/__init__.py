"""Puzzles for one player on the five-sided board."""
