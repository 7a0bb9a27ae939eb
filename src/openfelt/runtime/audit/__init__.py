"""The audit of a whole database."""
