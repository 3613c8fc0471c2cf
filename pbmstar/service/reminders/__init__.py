"""Turns that take long: reminders, leave and forfeits; and the server's signs of life."""
