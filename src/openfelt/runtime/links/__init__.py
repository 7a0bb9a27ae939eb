"""Progressive links in a process: their known state, drafts of changes, and folds."""
