"""Alerts are raised once, seen once, closed with a reason, and come back if they go further."""

import pytest

from openfelt.record_events.alert_events import AlertClosed, AlertRaised, AlertSeen
from openfelt.runtime.audit import audit
from openfelt.runtime.audit.report import AuditReport
from openfelt.runtime.streams import ALERTS_STREAM
from openfelt.server.errors import Denied
from openfelt.server.supervision.alert_book import Alert, AlertBook, Condition
from openfelt.storage.door import Append, Cause, Commit
from tests.kit.floors import Shift

IDLE = Condition("idle", "pit-1", 1000)


def book(shift: Shift) -> AlertBook:
    """The alerts as a process finds them that knows nothing yet."""
    return AlertBook(shift.store, shift.worker_services.codec, shift.clock)


def open_of(found: AlertBook) -> list[Alert]:
    return [alert for alert in found.all() if alert.closed is None]


def test_a_condition_is_raised_once_by_all_processes(shift: Shift) -> None:
    first, second = book(shift), book(shift)
    first.raise_new([IDLE])
    second.raise_new([IDLE, Condition("idle", "pit-2", 5)])
    first.raise_new([IDLE])
    for found in (first, second, book(shift)):
        assert [alert.raised.subject for alert in open_of(found)] == ["pit-2", "pit-1"]
        assert [alert.number for alert in open_of(found)] == [2, 1]


def test_who_saw_it_first_stays_and_who_closed_it_says_why(shift: Shift) -> None:
    found = book(shift)
    found.raise_new([IDLE])
    shift.clock.pass_ms(5000)
    seen = found.see(1)
    shift.clock.pass_ms(5000)
    assert found.see(1) == seen
    closed = found.close(1, "The shoe was changed.")
    assert closed.seen == seen.seen
    assert closed.closed is not None
    assert (closed.reason, closed.closed.at_ms - closed.at_ms) == ("The shoe was changed.", 10_000)
    with pytest.raises(Denied, match="already"):
        found.close(1, "Again.")
    with pytest.raises(Denied, match="no alert"):
        found.see(2)
    assert book(shift).all() == [closed]
    assert audit(shift.store).clean


def test_what_is_closed_comes_back_only_if_it_goes_further(shift: Shift) -> None:
    found = book(shift)
    found.raise_new([Condition("voids", "pit-1", 3)])
    found.raise_new([Condition("voids", "pit-1", 5)])
    assert len(found.all()) == 1
    found.close(1, "A jammed shuffler.")
    for watching in (found, book(shift)):
        watching.raise_new([Condition("voids", "pit-1", 5)])
        assert open_of(watching) == []
    found.raise_new([Condition("voids", "pit-1", 6)])
    assert [alert.raised.level for alert in open_of(found)] == [6]


@pytest.mark.parametrize(
    "forged",
    [
        AlertRaised(number=3, kind="idle", subject="pit-1", level=1),
        AlertSeen(2),
        AlertClosed(2, "It was nothing.", 1),
    ],
    ids=lambda event: type(event).__name__,
)
def test_the_audit_finds_alerts_that_could_not_be(shift: Shift, forged: object) -> None:
    book(shift).raise_new([IDLE])
    event = shift.worker_services.codec.encode(forged, cause=Cause(actor="floor:sue"))
    append = Append(stream=ALERTS_STREAM, expected_version=1, events=(event,))
    shift.store.commit(Commit(at_ms=shift.clock.wall_ms(), appends=(append,)))
    report: AuditReport = audit(shift.store)
    assert not report.clean
