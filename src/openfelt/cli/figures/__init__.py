"""The commands that calculate."""
