"""Bots: players whose moves this server finds itself, and the reviews of finished games that they make."""
