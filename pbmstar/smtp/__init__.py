"""Mail in: the SMTP and LMTP server."""
