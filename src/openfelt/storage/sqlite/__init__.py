"""The store in one SQLite file, and its errors."""

from openfelt.storage.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
