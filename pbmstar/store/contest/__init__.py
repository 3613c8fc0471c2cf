"""Contests: ratings and problems."""
