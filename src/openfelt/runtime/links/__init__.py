"""Progressive links in a process: what is known of them, drafted, and folded."""
