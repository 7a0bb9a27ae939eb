"""The supervisors' view of the whole floor, its alerts, and rounds frozen in a dispute."""
