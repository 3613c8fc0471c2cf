"""The fate of one message: read, executed, kept for the operator if necessary, logged."""
