"""This process among others on one database: the bus, and what processes report to each other."""
