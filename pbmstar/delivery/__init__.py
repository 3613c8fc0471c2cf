"""Mail out: the outbox, the relays, the thread that hands letters over."""
