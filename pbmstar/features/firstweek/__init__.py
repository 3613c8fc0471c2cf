"""Tips for the first month of a player: what else there is, each once."""
