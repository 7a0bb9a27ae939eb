"""The commands about records: checking, reading and exporting them, and how long they are kept.

They are audit, clock, deeds, export, keys, ledger, retention, software and verify.
"""
