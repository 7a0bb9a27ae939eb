"""Signed checkpoints of where all streams stand."""
