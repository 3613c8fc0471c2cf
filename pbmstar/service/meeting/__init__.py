"""The ways of players to a game: wishes, offers, invitations."""
