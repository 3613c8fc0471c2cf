"""Ratings, offers of games, ladders and leagues. Pure: no store, no clock; time is an argument."""
