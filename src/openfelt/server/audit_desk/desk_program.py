"""The program that audits or exports beside a server, so that tables never have to wait.

It reads one line of JSON with a task, and writes one line for each step of progress and one with
the result. It ends with the server, whose end closes its input.
"""

import os
import sys
import threading
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final

import msgspec

NICE: Final = 10
"""The program's priority below the server."""
LINE_SECONDS: Final = 0.2
"""How often progress is written, at most."""
FINDINGS_NAMED: Final = 20


class DeskTask(msgspec.Struct, frozen=True, kw_only=True):
    """A task for the program."""

    database: str
    notary_key: str | None
    audit: bool
    """Whether to audit; otherwise the task is to export."""
    full: bool = False
    state: str = ""
    """The file with the progress of an audit."""
    folder: str = ""
    tables: list[str] = []
    format: str = "csv"
    start_ms: int = 0
    end_ms: int = 0
    actor: str = ""


class DeskLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One line of the program's output."""

    done: int = 0
    total: int = 0
    result: dict[str, Any] | None = None
    problem: str = ""


def main() -> None:
    """Do the task in the first line of the input."""
    with suppress(OSError):
        os.nice(NICE)
    task = msgspec.json.decode(sys.stdin.buffer.readline(), type=DeskTask)
    threading.Thread(target=_end_with_input, daemon=True).start()
    try:
        result = _audit(task) if task.audit else _export(task)
    except Exception as error:  # noqa: BLE001 (the server shows the sentence)
        _say(DeskLine(problem=f"{error}" or type(error).__name__))
    else:
        _say(DeskLine(result=result))


def _end_with_input() -> None:
    """End this process once the server has gone."""
    sys.stdin.buffer.read()
    os._exit(1)


def _say(line: DeskLine) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(line) + b"\n")
    sys.stdout.buffer.flush()


class _Progress:
    """Writes progress, not too often."""

    def __init__(self) -> None:
        self._last = 0.0

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now - self._last >= LINE_SECONDS:
            self._last = now
            _say(DeskLine(done=done, total=total))


def _audit(task: DeskTask) -> dict[str, Any]:
    from openfelt.runtime.audit.database import audit_from
    from openfelt.runtime.audit.progress.progress_state import NotResumable
    from openfelt.runtime.audit.progress.state_file import load_state, save_state
    from openfelt.runtime.notary.keys import PUBLIC_SUFFIX, read_public_key
    from openfelt.server.accounts.account_audit import ACCOUNT_AUDITS
    from openfelt.server.accounts.events import ACCOUNT_FORMS
    from openfelt.server.store.notary_task import published_file
    from openfelt.storage.addresses import open_store
    from openfelt.storage.event_forms import EVENT_FORMS, check_forms
    from openfelt.storage.keyring import Keyring

    keyring, path = Keyring.of(os.environ), Path(task.state) if task.state else None
    before = None
    if path is not None and not task.full:
        with suppress(NotResumable):
            before = load_state(path, keyring)
    keys: list[str] = []
    published: Path | None = None
    if task.notary_key is not None:
        key = Path(task.notary_key)
        public = key.with_name(key.name + PUBLIC_SUFFIX)
        keys = [read_public_key(public)] if public.exists() else []
        published = published_file(key) if published_file(key).exists() else None
    with closing(open_store(task.database)) as store:
        # What a newer server has written is no finding of an older one.
        check_forms(store, EVENT_FORMS, ACCOUNT_FORMS)
        report, state = audit_from(
            store,
            before,
            public_keys=keys,
            published=published,
            progress=_Progress(),
            at_ms=time.time_ns() // 1_000_000,
            others=ACCOUNT_AUDITS,
        )
    if state is not None and path is not None:
        with suppress(OSError):
            save_state(path, state, keyring)
    return {
        "full": before is None,
        "events": report.counts.events,
        "rounds": report.counts.rounds_settled + report.counts.rounds_voided,
        "transfers": report.counts.transfers,
        "findings": len(report.findings) + report.more_findings,
        "named": [str(finding) for finding in report.findings[:FINDINGS_NAMED]],
    }


def _export(task: DeskTask) -> dict[str, Any]:
    from openfelt.runtime.causes import acting_as
    from openfelt.runtime.clock import SystemClock
    from openfelt.runtime.exports.export_files import ExportFormat
    from openfelt.runtime.exports.export_folder import write_export
    from openfelt.runtime.exports.export_rows import ExportTable, Period
    from openfelt.runtime.notary.keys import load_or_make_key
    from openfelt.storage.addresses import open_store
    from openfelt.storage.door import Cause

    if task.notary_key is None:
        raise ValueError("This server has no notary, whose key would sign the export.")
    with closing(open_store(task.database)) as store, acting_as(Cause(actor=task.actor)):
        signed = write_export(
            store,
            Path(task.folder),
            load_or_make_key(Path(task.notary_key)),
            SystemClock(),
            tables=[ExportTable(table) for table in task.tables],
            form=ExportFormat(task.format),
            period=Period(task.start_ms, task.end_ms),
            progress=_Progress(),
        )
    return {
        "key": signed.key,
        "files": [
            {"name": file.name, "rows": file.rows, "sha256": file.sha256}
            for file in signed.manifest.files
        ],
    }


if __name__ == "__main__":
    main()
