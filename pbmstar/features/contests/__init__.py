"""Contests: what ladders, leagues and cups share. A contest has players, and games that they play in it."""
