"""The problem of the week: a position of a game that was played here, and one move that decides it."""
