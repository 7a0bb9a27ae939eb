"""The returns of wagers, alone and together."""
