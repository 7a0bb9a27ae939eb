"""The transfers behind every money figure that the floor's pages show."""
