"""Mail in, from a mailbox at a provider: each message has its effect exactly once.

``connection``  the IMAP connection, and what we ask of it
``reader``      one pass: what is there goes through ``intake``, and to the folder of its fate
``watcher``     the daemon's thread: it passes again whenever something comes
"""
