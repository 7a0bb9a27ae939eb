"""Passwords, PINs, one-time codes and passkeys, and how often they may be guessed."""
