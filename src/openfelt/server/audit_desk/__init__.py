"""The auditor's desk: the log of events, verifications of the record, and exports."""
