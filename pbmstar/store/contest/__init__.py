"""Contests: offers and ratings."""
