"""The part of the daemon that answers for the bots."""
