"""A signed floor to audit, forged copies of it, and the audit's report."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from openfelt.runtime.audit import audit
from openfelt.runtime.audit.report import AuditReport
from openfelt.runtime.links import links
from openfelt.runtime.notary import Notary
from openfelt.runtime.notary.keys import public_key_of
from openfelt.runtime.tables.recovery import snapshots
from openfelt.storage.sqlite import SqliteStore
from tests.kit.audit.audited_floors import change, five_houses
from tests.kit.audit.forgeries import Connection

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
PUBLIC_KEY = public_key_of(KEY)

WASH, NET, CARD, ARENA = "table/wash-1", "table/net-1", "table/card-1", "table/arena-1"
LINK, WALLET = "link/main", "wallet/net-1-p1"


def signed_floor(folder: Path) -> Path:
    """Fill a folder with the database of a floor, signed twice and published."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(snapshots, "SNAPSHOT_EVERY", 40)
        patch.setattr(links, "LINK_SNAPSHOT_EVERY", 4)
        floor = five_houses(folder / "floor.db")
        notary = Notary(floor.store, KEY, floor.clock, published=folder / "checkpoints.jsonl")
        notary.sign()
        floor.play("net-1")
        floor.cashier.deposit("ann", 5_000, id="last")
        notary.sign()
    floor.store.close()
    return folder


def audited(folder: Path, *, keys: tuple[str, ...] = (PUBLIC_KEY,)) -> AuditReport:
    """The audit of such a folder."""
    with closing(SqliteStore(folder / "floor.db")) as store:
        return audit(store, public_keys=keys, published=folder / "checkpoints.jsonl")


def after_change(folder: Path, forge: Callable[[Connection], object]) -> AuditReport:
    """The audit after a change to the database."""
    change(folder / "floor.db", forge)
    return audited(folder)


def places(report: AuditReport) -> set[tuple[str, int | None]]:
    """Where the findings are."""
    return {(finding.where, finding.version) for finding in report.findings}


def findings_text(report: AuditReport) -> str:
    """The findings as text, one in each line."""
    return "\n".join(str(finding) for finding in report.findings)
