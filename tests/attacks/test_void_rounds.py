"""The house voids rounds whose cards it does not like. A round that is void after its bets were
closed is counted at its table for good: players are shown the count, metrics have it, and an audit
finds it again from the record, after a restart and whatever a snapshot says."""

import json
from contextlib import closing
from pathlib import Path

import pytest

from openfelt.cli.records.audit import report_facts
from openfelt.rules.round_actions import VoidRound
from openfelt.runtime.audit import audit
from openfelt.runtime.tables.recovery import snapshots
from openfelt.runtime.tables.recovery.recovery import recover
from openfelt.server.tables.views import public_view
from openfelt.storage.addresses import open_store
from openfelt.storage.event_forms import EventCodec
from openfelt.storage.rulebook import Rulebook
from openfelt.table.commands import Person, Role
from openfelt.table.seeds import FairnessCounts
from tests.kit.cli.commands import output
from tests.kit.server.open_house import OpenHouse, open_house
from tests.kit.storage.store_places import Place

FLOOR = Person(Role.FLOOR, "eve")
COUNTED = FairnessCounts(rounds=1, rounds_voided=2, rounds_withdrawn=1)


async def void(house: OpenHouse, table: str, *, dealt: bool) -> None:
    """Void a round after its bets were closed, or before."""
    await house.bet(table, 1)
    if dealt:
        await house.deal(table)
    await house.do(table, VoidRound("misdeal"), FLOOR)


async def played(house: OpenHouse) -> None:
    """One table with void rounds, and one without."""
    cashier = house.services.floor.cashier
    await house.services.floor.in_thread(lambda: cashier.deposit("ann", 1_000_000, id="1"))
    for table in ("washington-1", "draw-1"):
        await house.sit(table, "ann", 1)
        await house.bet(table, 1)
        await house.play(table)
    for dealt in (True, False, True):
        await void(house, "washington-1", dealt=dealt)


@pytest.mark.parametrize("with_snapshot", [True, False], ids=["snapshots", "no snapshot"])
async def test_void_rounds_are_counted_by_table_for_good(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, with_snapshot: bool
) -> None:
    monkeypatch.setattr(snapshots, "SNAPSHOT_EVERY", 1 if with_snapshot else 10_000)
    address = str(place.address)
    async with open_house(tmp_path, database=address) as house:
        await played(house)
        # Players are shown the counts of the table at which they sit.
        for table, counts in (("washington-1", (1, 2, 1)), ("draw-1", (1, 0, 0))):
            seen = public_view(await house.state(table), meter_cents=None, stopped=None).fairness
            assert (seen.rounds, seen.rounds_voided, seen.rounds_withdrawn) == counts
        metrics = house.services.metrics.text().decode()
        assert 'openfelt_rounds_voided_total{table="washington-1"} 3.0' in metrics
        assert 'openfelt_rounds_voided_total{table="draw-1"}' not in metrics
        # No stake was lost with a void round.
        report = audit(house.services.store)
        assert report.findings == ()
    with closing(open_store(address)) as store:
        recovered = recover(store, EventCodec(Rulebook(store).codec), "washington-1")
        assert recovered is not None
        counts_now = recovered.table.fairness
        assert (counts_now.rounds, counts_now.rounds_voided) == (1, 2)
        assert counts_now.rounds_withdrawn == 1


async def test_an_audit_counts_void_rounds_from_the_record(
    place: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    address = str(place.address)
    async with open_house(tmp_path, database=address) as house:
        await played(house)
    with closing(open_store(address)) as store:
        counted = audit(store).fairness
        facts = report_facts(audit(store))["fairness"]
    assert counted["washington-1"].rounds_voided == COUNTED.rounds_voided
    assert counted["washington-1"].rounds_withdrawn == COUNTED.rounds_withdrawn
    assert counted["draw-1"].rounds_voided == 0
    assert json.loads(json.dumps(facts))["washington-1"]["rounds_voided"] == 2
    printed = output(capsys, "audit", address)
    assert "washington-1" in printed
    assert "2 rounds void after bets closed, 1 before, 1 settled." in printed


async def test_a_snapshot_that_hides_void_rounds_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots, "SNAPSHOT_EVERY", 1)
    async with open_house(tmp_path) as house:
        await played(house)
        store = house.services.store
        stream = "table/washington-1"
        snapshot = store.snapshot(stream)
        assert snapshot is not None
        plain = json.loads(snapshot.body)
        assert plain["table"]["fairness"]["rounds_voided"] == 2
        plain["table"]["fairness"]["rounds_voided"] = 0
        place = Place(tmp_path / "felt.db")
        body = json.dumps(plain).replace("'", "''")
        place.run(f"UPDATE snapshots SET body = '{body}' WHERE stream = '{stream}'")
        assert audit(store).findings
