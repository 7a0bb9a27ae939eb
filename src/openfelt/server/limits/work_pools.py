"""The pools of a server for slow work, and the limits of their queues."""

from typing import Final

from openfelt.server.limits.bounded_pool import BoundedPool
from openfelt.server.limits.fair_pool import FairPool
from openfelt.server.limits.slots import Slots

ROUND_THREADS: Final = 2
"""How many replays and proofs are computed at a time."""
ROUNDS_WAITING_MAX: Final = 64
"""How many more replays and proofs may wait for a thread."""
PROOFS_RECEIVED_MAX: Final = 24
"""How many proofs to be checked may be received at a time."""
PROOFS_PER_NETWORK: Final = 2
RETURNS_WAITING_MAX: Final = 1000
"""How many houses may wait for their returns to be computed."""


def round_pool() -> BoundedPool:
    """The pool that computes replays and proofs."""
    return BoundedPool("rounds", threads=ROUND_THREADS, waiting_max=ROUNDS_WAITING_MAX)


def returns_pool() -> BoundedPool:
    """The pool that computes the returns of houses."""
    return BoundedPool("returns", threads=1, waiting_max=RETURNS_WAITING_MAX)


def proof_pool() -> FairPool:
    """The pool that checks proofs sent by callers."""
    return FairPool(
        "proofs",
        threads=1,
        waiting_max=PROOFS_RECEIVED_MAX,
        waiting_per_caller=PROOFS_PER_NETWORK,
    )


def proof_slots() -> Slots:
    """The proofs that may be received at a time."""
    return Slots(PROOFS_RECEIVED_MAX, per_caller=PROOFS_PER_NETWORK)
