"""Offers of games and problems. Pure: no store and no clock; the time is an argument."""
