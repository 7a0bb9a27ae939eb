"""The commands that read a database: audit, ledger and verify."""
