"""``openfelt audit`` checks a whole database or a shipped copy, and reports what is wrong."""

import json
import os
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openfelt.cli.complaint import Complaint
from openfelt.cli.database import Database, open_database, usual_address
from openfelt.cli.exit_codes import ExitCode
from openfelt.cli.notary_files import notary_files
from openfelt.cli.options import COUNT_MAX, AsJson
from openfelt.cli.progress import watched
from openfelt.cli.records.last_audit import LastAudit

if TYPE_CHECKING:
    from rich.console import Console

    from openfelt.runtime.audit.report import AuditReport, Counts


def audit(
    database: Database = None,
    public_key: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="The notary's public key. Repeat the option if the key was changed. The default "
            "is the one beside the database.",
        ),
    ] = None,
    checkpoints: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The file to which checkpoints were published. The default is the one beside the "
            "database.",
        ),
    ] = None,
    findings: Annotated[
        int,
        typer.Option(min=1, max=COUNT_MAX, metavar="N", help="Print at most this many findings."),
    ] = 100,
    archive: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="An archive of the database, to check all history together. Repeat the option for "
            "each, the oldest first.",
        ),
    ] = None,
    full: Annotated[
        bool,
        typer.Option(
            "--full",
            help="Check everything again. Without it, an audit continues where the last one "
            "without findings ended.",
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check every event, round, card, cent and signature of a database, or of a shipped copy.

    The folder of a copy that openfelt ship has written is checked on its own: no database and no
    keys are needed, and every round is settled again.
    """
    from openfelt.cli.terminal import make_console

    address = database or usual_address(os.environ)
    if Path(address).is_dir():
        if archive:
            raise Complaint("A shipped copy has no archives.", ExitCode.WRONG_INPUT)
        report = _copy_report(Path(address), public_key or [], checkpoints, findings)
    else:
        report = _database_report(
            address, public_key, checkpoints, findings, archive or [], full=full
        )
    console = make_console()
    if as_json:
        console.file.write(json.dumps(report_facts(report), indent=2) + "\n")
    else:
        print_report(console, report)
    if not report.clean:
        raise typer.Exit(ExitCode.FINDINGS)


def _copy_report(
    folder: Path, public_key: list[Path], checkpoints: Path | None, findings: int
) -> "AuditReport":
    from openfelt.runtime.shipment.copy_audit import audit_copy, is_copy
    from openfelt.server.accounts.account_audit import ACCOUNT_AUDITS

    if not is_copy(folder):
        raise Complaint(
            f"{folder} is a folder without segments of a log, not a database.", ExitCode.WRONG_INPUT
        )
    keys = [_public_key(path) for path in public_key]
    try:
        with watched("Auditing") as progress:
            return audit_copy(
                folder,
                public_keys=keys,
                published=checkpoints,
                progress=progress,
                findings_max=findings,
                others=ACCOUNT_AUDITS,
            )
    except OSError as error:
        place = error.filename or checkpoints or folder
        raise Complaint(
            f"{place} cannot be read: {error.strerror}.", ExitCode.WRONG_INPUT
        ) from error


def _database_report(
    address: str,
    public_key: list[Path] | None,
    checkpoints: Path | None,
    findings: int,
    archive: list[Path],
    *,
    full: bool,
) -> "AuditReport":
    from openfelt.server.accounts.account_audit import ACCOUNT_AUDITS

    with open_database(address) as store, watched("Auditing") as progress:
        files = notary_files(address, store)
        if checkpoints is None and files.published.exists():
            checkpoints = files.published
        usual_key = [files.public_key] if files.public_key else []
        keys = [_public_key(path) for path in public_key or usual_key]
        try:
            return LastAudit(address, full=full, archives=archive).go_on(
                store,
                public_keys=keys,
                published=checkpoints,
                progress=progress,
                findings_max=findings,
                others=ACCOUNT_AUDITS,
            )
        except OSError as error:
            raise Complaint(
                f"{checkpoints} cannot be read: {error.strerror}.", ExitCode.WRONG_INPUT
            ) from error


def _public_key(path: Path) -> str:
    from openfelt.runtime.notary.keys import KeyFileError, read_public_key

    try:
        return read_public_key(path)
    except KeyFileError as error:
        raise Complaint(str(error), ExitCode.WRONG_INPUT) from error


def report_facts(report: "AuditReport") -> dict[str, object]:
    """An audit report as JSON for programs."""
    return {
        "clean": report.clean,
        "counts": asdict(report.counts),
        "findings": [asdict(finding) for finding in report.findings],
        "more_findings": report.more_findings,
        "notes": list(report.notes),
        "signers": list(report.signers),
        "fairness": {table: asdict(counts) for table, counts in report.fairness.items()},
    }


def print_report(console: "Console", report: "AuditReport") -> None:
    """Print an audit report: what was checked, what could not be, and what is wrong."""
    from rich.table import Table

    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(justify="right", no_wrap=True)
    table.add_column()
    for count, words in count_lines(report.counts):
        table.add_row(f"{count:,}", words)
    console.print("Checked:")
    console.print(table)
    _print_fairness(console, report)
    for key in report.signers:
        console.print(f"Signed with the key {key}.", soft_wrap=True)
    for note in report.notes:
        console.print(f"Note: {note}", soft_wrap=True)
    for finding in report.findings:
        console.print(f"FOUND at {finding}", style="bold red", soft_wrap=True)
    if report.clean:
        console.print("Everything is in order.", style="bold green")
        return
    total = len(report.findings) + report.more_findings
    console.print(f"{total:,} finding{'s' if total > 1 else ''}.", style="bold red")


def _print_fairness(console: "Console", report: "AuditReport") -> None:
    """Print what no proof of a single round can show, for the tables where there is any."""
    for table, counts in report.fairness.items():
        if counts.seeds_withheld or counts.rounds_voided or counts.rounds_withdrawn:
            console.print(
                f"{table}: {counts.seeds_withheld:,} of "
                f"{counts.seeds + counts.seeds_withheld:,} seeds withheld, "
                f"{counts.rounds_voided:,} rounds void after bets closed, "
                f"{counts.rounds_withdrawn:,} before, "
                f"{counts.rounds:,} settled.",
                soft_wrap=True,
            )


def count_lines(counts: "Counts") -> Iterator[tuple[int, str]]:
    """The counts of a report, with words that say how each was checked."""
    if counts.segments:
        yield counts.segments, "signed segments, each following the one before"
    cage = counts.vouchers + counts.drawers + counts.trays
    others = counts.purges + counts.dealers + cage + counts.others
    yield (
        counts.streams,
        (
            f"streams: {counts.tables:,} tables, {counts.links:,} links, "
            f"{counts.wallets:,} wallets, {others:,} others"
        ),
    )
    yield counts.events, "events, each with its hash, in an unbroken chain"
    yield counts.rounds_settled, "rounds settled again by their rules"
    yield counts.rounds_voided, "void rounds, every wager returned"
    yield counts.rounds_in_progress, "rounds in progress"
    yield counts.rounds_counted, "rounds counted by links, as their tables settled them"
    yield from _card_lines(counts)
    yield from _book_lines(counts)
    yield counts.checkpoints, "signed checkpoints"
    if counts.published or counts.unpublished:
        yield counts.published, f"published checkpoints; {counts.unpublished:,} not published yet"
    yield (
        counts.events_uncovered,
        (f"events of {counts.streams_uncovered:,} streams that no checkpoint covers yet"),
    )


def _card_lines(counts: "Counts") -> Iterator[tuple[int, str]]:
    yield counts.cards, "cards dealt"
    if counts.segments:
        yield counts.decks_purged, "secret decks that stay with the house, each committed to"
    else:
        yield counts.decks, "secret decks, each as its table committed to it"
    yield (
        counts.seeds,
        f"seeds of players, as they committed to them; {counts.seeds_withheld:,} withheld",
    )
    if counts.rounds_sealed_late:
        yield (
            counts.rounds_sealed_late,
            "rounds whose decks an earlier version committed to with the wagers",
        )
    if counts.rounds_purged:
        yield counts.rounds_purged, "rounds purged of the cards that were never shown"
    if counts.rounds_unreadable:
        yield counts.rounds_unreadable, "rounds whose hidden cards were lost with their key"
    if counts.proofs_dropped:
        yield counts.proofs_dropped, "purged rounds whose proofs were dropped after their time"
    if counts.decks_purged and not counts.segments:
        yield counts.decks_purged, "decks purged after their time, with their proofs kept"


def _book_lines(counts: "Counts") -> Iterator[tuple[int, str]]:
    if counts.vouchers:
        yield counts.vouchers, "vouchers, each issued once and taken at most once"
    if counts.drawers:
        yield counts.drawers, "cashiers' drawers, each count compared with the book"
    if counts.trays:
        yield counts.trays, "trays of live tables, each count compared with the play since"
    yield counts.transfers, "transfers, each caused by its event"
    yield counts.accounts, "accounts, each the sum of its transfers"
    if not counts.segments:
        yield counts.snapshots, "snapshots, as replayed"
        yield counts.heads_authentic, "heads of streams, written with a key of the house"
    if counts.events_unauthenticated:
        yield (
            counts.events_unauthenticated,
            "events of earlier versions, from before appends were authentic",
        )
    if counts.answers:
        yield counts.answers, "answers to commands"
