"""Inspection of a store by an audit: what no reader of a single stream would notice."""
