"""The supervisors' view of the whole floor, and the rounds that they freeze in a dispute."""
