"""The processes that share a database: which of them are running, and which tables they hold."""
