"""Code shared by the SQLite and PostgreSQL stores: statements, rows, commit plans, queries."""
