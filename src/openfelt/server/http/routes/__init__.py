"""The REST endpoints, one module for each group of them."""
