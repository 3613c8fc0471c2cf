"""What ladders and leagues share: a contest, its players, and the games that they play in it."""
