"""What wagers return, alone and together."""
