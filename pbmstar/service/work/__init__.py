"""The state of one mail while it is worked on: matches, clocks, results. Writes no letter."""
