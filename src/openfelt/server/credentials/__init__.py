"""Passwords, one-time codes, and how often they may be guessed."""
