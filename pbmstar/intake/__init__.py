"""The fate of one mail: read, executed, kept for the operator if necessary, logged."""
