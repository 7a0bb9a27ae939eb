"""Comparisons: two houses or two paytables side by side, with every exact figure of both."""
