"""Balances and transfers in a store: the part of the door that leads to them, and the queries."""
