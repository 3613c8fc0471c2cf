"""Ratings: how strong players are, from the games that they have ended, among people and in practice."""
