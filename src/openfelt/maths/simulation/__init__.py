"""Simulated rounds and sessions."""
