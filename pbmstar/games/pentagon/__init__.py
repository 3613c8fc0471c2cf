"""Games for two on the five-sided board."""
