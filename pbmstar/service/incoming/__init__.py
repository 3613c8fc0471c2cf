"""The handling of one mail: commands, bounces, automatic answers, and people without an account."""
