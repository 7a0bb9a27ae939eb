"""HTTP: what guards every request, and the endpoints."""
