"""The store in PostgreSQL: its connections, its statements and its errors."""

from openfelt.storage.postgres.store import PostgresStore

__all__ = ["PostgresStore"]
