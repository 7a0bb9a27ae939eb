"""Strategies in plain lines: written, priced, searched and drawn."""
