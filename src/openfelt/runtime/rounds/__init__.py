"""Finished rounds: read from the store, proved and checked."""
