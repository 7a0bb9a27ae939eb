"""Exact counts of Ultimate Draw Poker: holds and their draws, the Bonus, and the Ante."""
