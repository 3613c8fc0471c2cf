"""Contests: ratings."""
