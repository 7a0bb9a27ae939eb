"""This process among others on one database: the bus, and what processes tell each other."""
