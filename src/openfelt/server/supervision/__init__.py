"""What supervisors see of the whole floor, and what they keep of a round in dispute."""
