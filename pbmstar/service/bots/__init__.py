"""Bots in play, and the reviews that they make."""
