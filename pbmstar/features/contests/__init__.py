"""Contests: what ladders and leagues share. A contest has players, and games that they play in it."""
