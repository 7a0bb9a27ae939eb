"""Accounts of players and staff, their sessions, and the house's own devices."""
