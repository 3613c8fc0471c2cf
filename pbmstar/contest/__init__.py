"""The wishes of players. Pure: no store and no clock; the time is an argument."""
