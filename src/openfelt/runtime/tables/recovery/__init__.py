"""The recovery of tables: from their snapshots, after a crash or a long absence."""
