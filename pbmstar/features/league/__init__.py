"""Leagues: seasons in which all players of a division play each other, and a table that counts them."""
