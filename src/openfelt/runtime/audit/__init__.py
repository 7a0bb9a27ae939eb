"""The audit of a whole database: ``audit`` checks again everything that can be checked again."""

from openfelt.runtime.audit.database import audit

__all__ = ["audit"]
