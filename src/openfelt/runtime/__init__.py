"""Running tables, in one process or several, and their records: money, proofs, audits, exports."""
