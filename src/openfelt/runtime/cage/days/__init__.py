"""The days of the book: closed, told as an accountant closes them, and their takings."""
