"""The state of one mail while it is being worked on: matches, clocks, results. It writes no letter."""
