"""The board as a picture: one list of shapes, written as PNG for letters."""
