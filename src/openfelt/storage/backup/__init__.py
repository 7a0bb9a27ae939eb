"""Backups: whole databases in one SQLite file each, with a manifest beside it."""
