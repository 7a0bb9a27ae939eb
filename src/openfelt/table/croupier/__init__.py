"""The croupier: what people may do at a table, what follows, and what a table does by itself."""
