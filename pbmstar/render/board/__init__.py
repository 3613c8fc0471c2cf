"""A board in a letter, as values and sentences; text, HTML and pictures set it."""
