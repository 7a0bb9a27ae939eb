"""``openfelt audit``."""
