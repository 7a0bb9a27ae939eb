"""Several processes on one database: who they are, and who runs which table."""
