"""Par sheets: the exact figures of a house as a document that can be checked line by line."""
