"""How far an audit has come: its state, the file that keeps it, and how the next one continues."""
