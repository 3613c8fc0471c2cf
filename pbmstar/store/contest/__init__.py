"""Offers of games."""
