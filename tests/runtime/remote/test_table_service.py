"""What a process tells of the tables that it runs."""

import msgspec

from openfelt.runtime.remote.table_service import beacons
from openfelt.runtime.remote.table_status import TableStatus

NATS_BYTES_MAX = 1_000_000


def test_halls_whose_terminals_are_all_gone_are_still_told_of() -> None:
    """A message that is too long for the bus would be lost, and every table would stand still."""
    absent = {f"player-with-a-long-name-{number:05}": 86_400_000 for number in range(2000)}
    halls = [
        TableStatus(table=f"stadium-{number}", fence=7, version=10**6, absent_ms=absent)
        for number in range(40)
    ]
    told = list(beacons("floor-1", halls))
    assert [status for beacon in told for status in beacon.tables] == halls
    assert len(told) > 1
    # The seal adds a third.
    assert max(len(msgspec.json.encode(beacon)) for beacon in told) * 4 / 3 < NATS_BYTES_MAX


def test_tables_without_much_to_tell_share_a_message() -> None:
    tables = [TableStatus(table=f"private.online.{n}", fence=1, version=n) for n in range(1000)]
    (beacon,) = beacons("floor-1", tables)
    assert beacon.tables == tables
    assert list(beacons("floor-1", [])) == []
