"""The problem of the week."""
