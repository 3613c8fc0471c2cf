"""The verbs of players, a function each."""
