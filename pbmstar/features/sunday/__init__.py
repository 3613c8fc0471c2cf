"""The Sunday game: a board a week that all who want play alone, against a bot that answers all alike."""
