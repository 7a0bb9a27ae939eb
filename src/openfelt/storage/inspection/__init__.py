"""Inspection of a store by an audit: checks that no reader of a single stream could make."""
