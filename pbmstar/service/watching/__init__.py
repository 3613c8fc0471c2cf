"""Players who watch games of others, and players who complain about an opponent."""
