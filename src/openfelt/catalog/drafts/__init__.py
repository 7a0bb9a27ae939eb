"""Drafts of houses: terms that are tried out before they become files."""
