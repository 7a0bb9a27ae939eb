"""Is it fair? Actual and theoretical results of real play, counted from the record."""
