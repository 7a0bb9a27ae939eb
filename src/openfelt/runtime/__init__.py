"""What makes tables run: chance, workers, clocks and recovery."""
