"""The progress of an audit: its state, its file, and the resumption by the next one."""
