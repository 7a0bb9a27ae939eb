"""Finished rounds: a player's own list and the replay."""
