"""An auditor who looks for hidden cards of a round in progress: in the log, event by event, in a
recall, in a dispute, and in every page of the floor."""

import json
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from openfelt.runtime.streams import table_stream
from tests.kit.server.open_house import OpenHouse, name_of, open_house

TABLE = "stadium-1"
CARD = re.compile(r'"[2-9TJQKA][cdhs]"')


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[OpenHouse]:
    """A house in which two hands at a stadium wait for their first decision."""
    async with open_house(tmp_path) as house:
        for seat in (5, 9):
            await house.sit(TABLE, await name_of(await house.guest()), seat)
        await house.bet(TABLE, 5, 9)
        await house.deal(TABLE)
        yield house


async def test_no_event_of_a_round_in_progress_names_a_card_that_lies_face_down(
    house: OpenHouse,
) -> None:
    ada, stream = await house.auditor(), table_stream(TABLE)
    hidden = [one for one in house.services.store.events(stream) if '"face_up":false' in one.body]
    assert len(hidden) == 7, "the board and the dealer's cards lie face down"
    for stored in hidden:
        event = await ada.get(f"/api/v1/audit/event?stream={stream}&version={stored.version}")
        assert event.status_code == 200
        assert not CARD.search(event.text), stored.name
    pages, found = f"/api/v1/audit/events?stream={stream}&ordinary=true", 0
    position: str | None = ""
    while position is not None:
        page = await ada.get(pages + (f"&after={position}" if position else ""))
        assert page.status_code == 200, page.text
        entries = [one for one in page.json()["entries"] if one["fields"].get("face_up") is False]
        found += len(entries)
        assert not CARD.search(json.dumps(entries))
        position = page.json()["next"]
    assert found == len(hidden)


async def test_a_round_in_progress_is_neither_recalled_nor_frozen(house: OpenHouse) -> None:
    ada = await house.auditor()
    number = (await house.state(TABLE)).rounds
    asked = {"table": TABLE, "round": number, "seats": [5]}
    recalled = await ada.post("/api/v1/audit/recalls", json=asked)
    assert recalled.status_code in (404, 409), recalled.text
    sue = await house.supervisor()
    form = {"table": TABLE, "round": number, "note": "Curious."}
    frozen = await sue.post("/api/v1/disputes", json=form)
    assert frozen.status_code in (404, 409), frozen.text
    for path in ("floor", "floor/fairness", "floor/alerts", "shift", "tables", f"tables/{TABLE}"):
        page = await sue.get(f"/api/v1/{path}")
        assert not CARD.search(page.text), path
