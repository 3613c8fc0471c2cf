"""Ratings: a fold over the games for two that have ended, among people and in practice against bots."""
