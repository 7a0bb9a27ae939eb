"""Secrets of a store: their encryption, their keys, and the queries for them."""
