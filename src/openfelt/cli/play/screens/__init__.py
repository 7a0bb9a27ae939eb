"""What the terminal game draws: the felt, the settlement, and the pages a player calls up."""
