"""The work that the server does by itself from time to time."""
