"""Turns that take long: reminders, leave, forfeits; and what the server does unasked."""
