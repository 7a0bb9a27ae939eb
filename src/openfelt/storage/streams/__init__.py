"""Streams of a store: their heads, events and snapshots, and the keys that make them authentic."""
