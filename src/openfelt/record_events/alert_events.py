"""The events of alerts: raised by the house's limits, seen once, and closed with a reason."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertRaised:
    """Something has passed a limit of the house."""

    number: int
    kind: str
    """The kind of alert, such as ``idle``."""
    subject: str
    """The subject: a table, a dealer, a player or a link, or the house itself."""
    level: int
    """How far it has gone. The same condition is raised again only if it goes further."""
    detail: str = ""
    """Figures for a person, such as ``p=0.0000004``."""


@dataclass(frozen=True, slots=True)
class AlertSeen:
    """A supervisor has seen an alert."""

    number: int


@dataclass(frozen=True, slots=True)
class AlertClosed:
    """A supervisor has closed an alert, for this reason."""

    number: int
    reason: str
    level: int
    """How far it had gone by then; only more of it is raised again."""


AlertEvent = AlertRaised | AlertSeen | AlertClosed
