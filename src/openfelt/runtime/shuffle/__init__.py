"""Entropy, decks in secret order, and commitments to them."""
