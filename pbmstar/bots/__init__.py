"""The players whose moves this server finds: how they think, their manners, their work, their time."""
