"""Comparisons: two houses or paytables, or play with and without seen cards, side by side."""
