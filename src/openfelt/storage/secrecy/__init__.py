"""Secrets of a store: what is encrypted, with which keys, and how it is read."""
