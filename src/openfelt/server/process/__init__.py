"""The server process: its listener, metrics, logs and background tasks."""
