"""The server process: its listener, the limits of its connections, and its commands."""
