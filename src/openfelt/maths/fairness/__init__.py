"""Statistics that watch real play: bands of return, dealt hands, and evidence against players."""
