"""pbmstar: a play-by-email server for the Star family of connection games."""
