"""Proof of the writer, and the limits for mails that prove nothing."""
