"""Letters for the outbox: to players, as digests and as receipts, and alerts to the operator."""
