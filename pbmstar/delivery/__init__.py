"""Mail out: from the outbox to the relay."""
