"""Ratings, offers of games, ladders and leagues. Pure: no store and no clock; the time is an argument."""
