"""What a worker knows of the outcome of its commits, and how it is made sure of after a doubt.

A commit whose answer is lost may still be carried out: the server may wait for a lock or for its
disk meanwhile, or not even have received it. And once a commit was begun, an unexpected error says
nothing about whether it was written. Neither may be answered as a command that changed nothing.
"""

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from openfelt.ledger import LedgerRefusal
from openfelt.runtime.tables.stops import Lost
from openfelt.storage.door import Commit, Head, Lease, Store, StoreError, Unknown, shown_error

logger = logging.getLogger(__name__)


class CommitOutcomes:
    """Whether all commits of one worker are known to be written, or not to be."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._begun = False
        """Whether a commit was begun, and the worker has not come to its end."""
        self._unsure = False
        """Whether a lost commit may still be carried out under the present lease."""

    def commit(self, commit: Commit) -> Mapping[str, Head]:
        """Write a commit; it counts as begun until ``ended``, unless the store has refused it."""
        self._begun = True
        try:
            return self._store.commit(commit)
        except (StoreError, LedgerRefusal):
            # The store knows what became of it, or says that this is unknown.
            self._begun = False
            raise

    def ended(self) -> None:
        """What was written is the worker's state now."""
        self._begun = False

    @contextmanager
    def doubted(self) -> Iterator[None]:
        """Note an unknown outcome; an unexpected error after a commit was begun is one too."""
        try:
            yield
        except Unknown:
            self._unsure = True
            raise
        except (StoreError, Lost):
            raise
        except Exception as error:
            if not self._begun:
                raise
            logger.error("an unexpected error during a commit: %s", shown_error(error))
            self._unsure = True
            raise Unknown("An internal error occurred during a commit.") from error
        finally:
            self._begun = False

    def settle(self, lease: Lease | None) -> Lease | None:
        """The lease under which the record can be relied on, taken anew after an unknown outcome.

        If the server is still at the lost commit, this waits for the lock of its row; and a commit
        that arrives later names a lease that is over. Raises Lost, or StoreError.
        """
        if self._unsure and lease is not None:
            # Another process of this name may have the table by now, and keeps it.
            held = self._store.renew_lease(lease, ttl_ms=lease.ttl_ms)
            anew = held and self._store.take_lease(lease.stream, lease.owner, ttl_ms=lease.ttl_ms)
            if anew is None:
                raise Lost(f"The lease of {lease.stream} has passed to another process.")
            lease = anew
        self._unsure = False
        return lease
