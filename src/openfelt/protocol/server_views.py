"""The servers that share the program's database."""

from pydantic import BaseModel


class RunTableView(BaseModel):
    """A table that a server runs, and its lease."""

    table: str
    fence: int
    """The number of the lease."""
    left_ms: int


class ServerStateView(BaseModel):
    """One server."""

    name: str
    role: str
    """``both``, ``gateway`` or ``tables``."""
    version: str
    started_ms: int
    silent_ms: int
    """How long ago it last said that it lives."""
    state: str
    """``living``, ``draining`` while it hands its tables over, ``drained`` or ``gone``."""
    bus: str
    """``connected``, ``lost``, ``none`` for a server without one, or empty if it does not say."""
    bus_ms: int
    """How long that has been so."""
    lag_ms: int
    """The largest lag of a table that it shows behind the record, when it last renewed its
    membership."""
    tables: list[RunTableView]
    duties: list[str]
    """Its tasks for the whole house: ``house``, ``notary`` or ``start``."""


class ServersView(BaseModel):
    """The servers that share the database."""

    servers: list[ServerStateView]
    waiting: list[str]
    """Tables that a server should run, and none does."""
    apart: list[str]
    """Servers that reach only their own tables because they have no bus, although there are
    others."""
