"""Openfelt runs casino table poker and proves its mathematics.

The packages, from the top layer down. A package imports only from lines below its own:

- cli: the commands of the terminal program
- client | server: the Python client of the protocol | HTTP, websockets, sign-in, views
- protocol: every message and REST type that servers and clients exchange
- runtime: one worker per table, clocks, shuffles, leases, recovery, audit
- storage: the interface of a store, with SQLite and PostgreSQL
- catalog | table | maths: the rule data | a table from round to round | exact figures
- rules: one round of either game
- cards | ledger | record_events: poker hands | the book | alerts, disputes and archives
- money: whole cents and named rounding
"""
