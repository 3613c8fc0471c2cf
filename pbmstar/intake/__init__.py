"""What becomes of one mail: read, carried out, answered or quarantined, and logged."""
