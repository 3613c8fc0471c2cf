"""Contests: offers, ratings, ladders, leagues and problems."""
