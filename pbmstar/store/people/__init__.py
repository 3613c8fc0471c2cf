"""People: accounts, and what the store knows of a person, with an account or without."""
