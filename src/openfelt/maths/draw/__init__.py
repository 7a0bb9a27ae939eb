"""Ultimate Draw Poker, counted: holds and their draws, the Bonus, the Ante, and every hold."""
