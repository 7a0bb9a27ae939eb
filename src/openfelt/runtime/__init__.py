"""The running of tables: randomness, workers, clocks and recovery."""
