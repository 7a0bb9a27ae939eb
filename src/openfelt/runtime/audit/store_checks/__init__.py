"""Audits of the store as a whole: authentic heads, its own integrity, and rows on their own."""
