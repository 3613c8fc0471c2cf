"""The window: what else waits, at the end of a letter about a board in which another is to move."""
