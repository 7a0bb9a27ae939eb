"""What a running server reports: metrics and logs."""
