"""The processes that share a database: which of them live, and which tables they hold."""
