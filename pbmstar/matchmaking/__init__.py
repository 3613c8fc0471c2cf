"""The ways in which players find each other: wishes, offers of games to all, invitations. No letters."""
