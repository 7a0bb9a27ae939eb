"""Drafts of houses: terms that a supervisor tries out, with their exact figures."""
