"""The administrator of the database keeps rows of a stream, lets things happen, and puts the rows
back: a badge that was withdrawn, a round that was lost, a withdrawal, a PIN that was taken away.
All of it was authentic once. What the notary has signed since knows better, and it signs no more.
"""

from pathlib import Path

import pytest

from openfelt.runtime.audit import audit
from openfelt.runtime.notary.notary import Notary, NotaryError
from openfelt.server.accounts.account_audit import ACCOUNT_AUDITS
from tests.kit.audit.forger import Forger
from tests.kit.audit.tampered_houses import KEY
from tests.kit.floors import StandingClock
from tests.kit.server.dealers_terminals import badge
from tests.kit.server.open_house import OpenHouse, open_house
from tests.kit.storage.store_places import Place

STREAMS = ("badges", "account/dora", "table/draw-1", "wallet/bob")


async def before(house: OpenHouse) -> None:
    """A dealer has a badge, and a player a seat."""
    await badge(house, "dora", "4711")
    house.services.floor.cashier.deposit("bob", 100_000, id="first of bob")
    await house.sit("draw-1", "bob", 1)


async def later(house: OpenHouse) -> None:
    """The dealer is dismissed; the player loses or wins a round, and withdraws money."""
    await house.services.pins.take_away("dora", by="supervisor")
    await house.bet("draw-1", 1)
    await house.play("draw-1")
    house.services.floor.cashier.withdraw("bob", 1_000, id="second of bob")


async def test_rows_that_were_authentic_once_are_found_when_they_come_back(
    place: Place, tmp_path: Path
) -> None:
    clock, published = StandingClock(), tmp_path / "published"
    async with open_house(tmp_path, database=str(place.address), clock=clock) as house:
        notary = Notary(house.services.store, KEY, clock, published=published)
        forger = Forger(place.run, numbers=not isinstance(place.address, Path))
        await before(house)
        notary.sign()
        old = {stream: forger.rows_of(stream) for stream in STREAMS}
        await later(house)
        notary.sign()
    store = place.open()
    for stream in STREAMS:
        now = forger.rows_of(stream)
        forger.put_back(stream, old[stream])
        with pytest.raises(NotaryError, match=f"^{stream} had the signed event"):
            Notary(store, KEY, clock, published=published).sign()
        report = audit(store, published=published, others=ACCOUNT_AUDITS)
        words = "\n".join(str(finding) for finding in report.findings)
        assert f"of {stream}: The event that checkpoint 2 has signed is gone" in words
        forger.put_back(stream, now)
    assert audit(store, published=published, others=ACCOUNT_AUDITS).clean
