"""Accounts of players and staff, their sessions, and the casino's own devices and card readers."""
