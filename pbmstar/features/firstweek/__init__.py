"""Tips for the first week of a player: what else there is, each once."""
