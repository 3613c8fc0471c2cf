"""Proof of the writer, and the limits for messages that prove nothing."""
