"""What the tests run pbmstar with: a service in process, a real server, a relay, players."""
