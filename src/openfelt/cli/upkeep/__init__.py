"""The commands of the days after the first: backup, restore and notary."""
