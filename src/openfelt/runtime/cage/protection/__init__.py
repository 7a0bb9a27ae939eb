"""Limits of players on deposits, losses and time, and their exclusion from play."""
