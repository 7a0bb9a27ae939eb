"""Ultimate Draw Poker, counted: holds and their draws, the Bonus, and the Ante by the house way."""
