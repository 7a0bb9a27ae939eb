"""The secrets of archived rounds that the database still has.

Such rounds are not replayed, so nothing else would notice that a deck or a key of them is damaged
or missing. History that is put back, the purge and players' proofs need them.
"""

from openfelt.runtime.audit.context import AuditContext
from openfelt.runtime.audit.purges import purged_up_to
from openfelt.runtime.streams import name_of
from openfelt.storage.door import (
    Damaged,
    Irrecoverable,
    KeyMissing,
    Purged,
    StoredEvent,
    StoreError,
)
from openfelt.storage.secrecy.data_keys import DATA_KEYS_PREFIX


class KeptSecrets:
    """The secrets of one table, whose events an archive has as well."""

    def __init__(self, context: AuditContext, stream: str) -> None:
        self._context = context
        self._stream = stream
        self._purged_up_to = purged_up_to(context, name_of(stream))
        self._missing: set[int] = set()
        """The rounds whose keys are gone although they have not been purged."""
        self._damaged = False
        """Whether an event was reported; those after it often have the same damaged key."""

    def take(self, stored: StoredEvent) -> None:
        """Check whether the hidden part of an event can still be read."""
        try:
            stored.plain_body  # noqa: B018 (it raises what is wrong)
        except Purged as error:
            number = error.key.removeprefix(DATA_KEYS_PREFIX)
            if number.isdecimal() and int(number) > self._purged_up_to:
                self._missing.add(int(number))
        except (KeyMissing, Irrecoverable):
            # The key of an auditor's machine, or one that was declared lost.
            pass
        except StoreError as error:
            if not self._damaged:
                self._context.report.find(self._stream, str(error), version=stored.version)
            self._damaged = True

    def finish(self) -> None:
        """Open every secret that is left, and report what is missing."""
        report, store = self._context.report, self._context.store
        for number in sorted(self._missing):
            report.find(
                self._stream,
                f"The key of the hidden cards of round {number} is missing.",
                expected="a key, because the round has not been purged",
                found="none",
            )
        for name in store.secret_names(self._stream):
            try:
                store.secret(self._stream, name)
            except KeyMissing as error:
                if not self._context.keys_here:
                    return
                report.find(
                    self._stream,
                    "It needs a key that is not here, and that was not declared lost.",
                    expected="a key of the house",
                    found=error.key,
                )
            except Irrecoverable:
                continue
            except Damaged as error:
                report.find(self._stream, str(error))
