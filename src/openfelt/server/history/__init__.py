"""A player's rounds: the list, the replay, the coach, and unfinished ones."""
