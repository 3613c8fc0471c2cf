"""The state of one message while it is being worked on: matches, clocks, results. It writes no letter."""
