"""Cups: up to eight players who said so each play each other, without an organizer or a calendar."""
