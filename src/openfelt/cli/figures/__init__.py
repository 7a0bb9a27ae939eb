"""The commands that calculate: edge, advise, simulate and strategy."""
