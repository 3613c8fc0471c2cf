"""Watching: players are told of the games of others, and of each new game of a player."""
