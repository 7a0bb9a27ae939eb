"""Progressive links as supervisors and auditors see them: books, awards and actions."""
