"""What the stores of SQLite and PostgreSQL share: statements, rows, plans of commits, queries."""
