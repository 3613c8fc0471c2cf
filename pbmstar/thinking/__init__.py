"""Bots at work: a thread that takes turns from the store, and the processes that think about them."""
