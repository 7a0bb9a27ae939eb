"""The days of the book: their closing, the book of a day for accountants, and their takings."""
