"""The cashier's cage: deposits and withdrawals, vouchers, drawers, and the trays of tables."""
