"""One mail: its commands, bounces, automatic answers, and people without an account."""
