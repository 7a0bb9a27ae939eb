"""The pit: dealers at their terminals with badges and PINs, and the readers of their cards."""
