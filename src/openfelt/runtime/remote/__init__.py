"""Tables of other processes: followed through the store, and asked over the bus."""
