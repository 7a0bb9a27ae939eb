"""Every message and form that servers and their clients exchange, defined once."""
