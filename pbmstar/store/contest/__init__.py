"""Offers of games, and problems."""
