"""The acts that a message or an operator may do: each command and its letters share one transaction."""
