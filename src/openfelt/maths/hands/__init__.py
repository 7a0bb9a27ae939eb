"""Counting and ranking hands by the million."""
