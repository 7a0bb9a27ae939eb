"""Metrics and logs of a running server."""
