"""HTTP: middleware, dependencies and endpoints."""
