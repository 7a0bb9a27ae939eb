"""Shipments: the log as signed segments in a folder, a second copy that is checked on its own."""
