"""Archives: closed history before a signed checkpoint, moved to a file that proves itself."""
