"""The websocket of a terminal, from its handshake to its last message."""
