"""The screens of the terminal game: the felt, the settlement, and the pages a player calls up."""
