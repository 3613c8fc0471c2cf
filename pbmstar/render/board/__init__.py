"""What a letter says of a board, as values and sentences; text, HTML and pictures set it."""
