"""Play it out: a finished game goes on from one of its moves, as an unrated game of its own."""
