"""Limits of a server: rates, open sockets and queued work."""
