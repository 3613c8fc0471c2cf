"""Play: boards, clocks, the players' notes, the bots' work, and those who look on."""
