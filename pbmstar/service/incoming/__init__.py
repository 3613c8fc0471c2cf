"""The handling of one message: commands, bounces, automatic answers, and people without an account."""
