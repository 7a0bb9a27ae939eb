"""The server's database: its lock, its notary, its metrics and its health."""
