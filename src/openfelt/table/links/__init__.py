"""Progressive links: their state, their events, and the referee of their commands."""
