"""The money of the floor: shifts, trays, cash thresholds, and win to drop."""
