"""The verbs of players: what each does once it is read."""
