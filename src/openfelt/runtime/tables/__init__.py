"""Running tables: a worker and a mailbox for each, under a lease."""
