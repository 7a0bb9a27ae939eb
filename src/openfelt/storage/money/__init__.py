"""Money in a store: the door that leads to it, and the queries behind it."""
