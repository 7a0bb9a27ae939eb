"""The program's check of itself: its own files and the rule data, by hash."""
