"""The commands of upkeep: backup, restore, archive, ship, notary, and status and drain."""
