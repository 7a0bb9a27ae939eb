"""The last audit of a database, from which the next one continues."""

import os
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from openfelt.cli.joined_archives import joined

if TYPE_CHECKING:
    from openfelt.runtime.audit.progress.progress_state import AuditState
    from openfelt.runtime.audit.report import AuditReport
    from openfelt.storage.door import Store


class LastAudit:
    """Where the state of the last audit is kept, and the audit that continues from it."""

    def __init__(self, address: str, *, full: bool, archives: Sequence[Path] = ()) -> None:
        """With ``full``, everything is audited again; with archives, all history together."""
        from openfelt.storage.keyring import Keyring

        self._path = state_path(address)
        self._keyring = Keyring.of(os.environ)
        self._full = full or bool(archives)
        self._archives = archives
        self._notes: list[str] = []

    def go_on(self, store: "Store", **options: Any) -> "AuditReport":
        """Audit what is new since the last audit, or everything; keep how far it has come."""
        from openfelt.runtime.audit.database import audit_from
        from openfelt.runtime.audit.progress.state_file import save_state

        before = None if self._full else self._before()
        at_ms = time.time_ns() // 1_000_000
        with ExitStack() as opened:
            if self._archives:
                store = joined(store, self._archives, opened)
            report, state = audit_from(store, before, at_ms=at_ms, **options)
        if state is not None:
            try:
                save_state(self._path, state, self._keyring)
            except OSError as error:
                self._notes.append(
                    f"The next audit starts from the beginning: {self._path} cannot be written "
                    f"({error.strerror})."
                )
        return replace(report, notes=(*self._notes, *report.notes))

    def _before(self) -> "AuditState | None":
        from openfelt.cli.records.ledger_statement import time_text
        from openfelt.runtime.audit.progress.progress_state import NotResumable
        from openfelt.runtime.audit.progress.state_file import load_state

        try:
            before = load_state(self._path, self._keyring)
        except NotResumable as error:
            self._notes.append(f"Everything is checked again: {error}.")
            return None
        if before is not None:
            self._notes.append(
                f"It continues from the audit of {time_text(before.at_ms)}. The {before.events:,} "
                "events that were checked then are not read again; --full reads everything."
            )
        return before


def state_path(address: str) -> Path:
    """The file of an audit's state: beside an embedded database, otherwise in the data folder."""
    from openfelt.cli.data_folder import data_folder
    from openfelt.runtime.audit.progress.state_file import SUFFIX
    from openfelt.server.store.notary_task import KEY_SUFFIX, key_file

    key = key_file(address, data_folder(None, os.environ))
    return key.with_name(key.name.removesuffix(KEY_SUFFIX) + SUFFIX)
