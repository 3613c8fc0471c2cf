"""Letters into the outbox: to players, as digests, as receipts, and alerts to the operator."""
