"""Metrics, logs and traces of a running server."""
