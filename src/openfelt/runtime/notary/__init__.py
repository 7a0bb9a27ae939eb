"""The notary: its key, the checkpoints that it signs, and the file it publishes them to."""

from openfelt.runtime.notary.notary import Notary

__all__ = ["Notary"]
