"""Play: boards, clocks, and the players' notes."""
