"""Finding an opponent: offers of games that others take, players who are paired, invitations."""
