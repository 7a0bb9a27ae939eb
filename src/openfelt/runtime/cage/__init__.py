"""The cashier's cage: deposits, withdrawals and the book of a day."""
