"""Two browsers at one table: each sees what is public, and no hidden card is ever on the wire.

What a page received is compared with the record in the store, which is replayed afterwards: a
card that a player may not see is in no message that belongs to a moment at which it lay hidden.
"""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from playwright.sync_api import expect

from openfelt.cards import Card
from openfelt.rules.round import Event, Round, RoundOpened, apply, begin
from openfelt.runtime.clock import SystemClock
from openfelt.runtime.entropy import SeededEntropy
from openfelt.runtime.recovery import table_stream
from openfelt.runtime.shuffler import Shuffler
from openfelt.runtime.worker import Tools
from openfelt.storage.sqlite import SqliteStore
from tests.browser.conftest import Entrance
from tests.browser.guests import Guest
from tests.browser.premises import BrowserHouse
from tests.browser.screens import card_words, check_money, check_screen, chip_dollars

TABLE = "pair-washington"


def test_no_hidden_card_is_on_the_wire(
    house: BrowserHouse, entrance: Entrance, tmp_path: Path
) -> None:
    ann, ben = entrance(house), entrance(house)
    for guest, seat in ((ann, 2), (ben, 5)):
        guest.go(TABLE)
        guest.sit("$500", seat=seat)
    ann.place(1, "Ante", "$5")
    ben.place(1, "Ante", "$25")
    both(ann, ben, "playing")
    check_public(ann, ben)
    check_public(ben, ann)
    ann.choose(1, "4x")
    check_public(ben, ann)
    ben.choose(1, "Check")
    ben.choose(1, "Check")
    ben.choose(1, "1x")
    both(ann, ben, "settled")
    for guest, other in ((ann, ben), (ben, ann)):
        check_public(guest, other)
        check_screen(guest)
    moments = dict(hidden_at(house.database, tmp_path / "copy.db"))
    for guest in (ann, ben):
        leaks = list(leaked(guest, moments))
        assert not leaks, leaks
    check_money(ann)
    check_money(ben)


def both(ann: Guest, ben: Guest, phase: str) -> None:
    """Wait until both have been told of a phase."""
    for guest in (ann, ben):
        guest.until(lambda guest=guest: guest.wire.phase == phase)  # type: ignore[misc]


def check_public(guest: Guest, other: Guest) -> None:
    """The seat of the other shows the cards that may be seen, as many as there are."""
    seat = other.wire.private["seat"]
    shown = guest.page.get_by_role("list", name="Seats").get_by_role("listitem").nth(seat - 1)
    spot = f"{seat}.1"
    guest.until(lambda: guest.wire.version >= other.wire.version)
    public = guest.wire.round["hands"][spot]
    assert spot not in guest.wire.hands
    assert public["wagers"] == other.wire.hands[spot]["wagers"]
    if guest.wire.over:
        assert public["cards"] == other.wire.hands[spot]["cards"]
    else:
        assert public["cards"] == [None, None]
        staked = sum(one["cents"] for one in public["wagers"])
        expect(shown).to_contain_text("decides…" if public["due"] else chip_dollars(staked))
    guest.until(lambda: guest.cards_in(shown) == card_words(public["cards"]))


# The record ----------------------------------------------------------------------------------


def hidden_at(database: Path, copy: Path) -> Iterator[tuple[int, Round]]:
    """The round as it was at each version of the table, from the store, opened for reading."""
    with (
        closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as source,
        closing(sqlite3.connect(copy)) as target,
    ):
        source.backup(target)
    with closing(SqliteStore(copy)) as store:
        tools = Tools.of(store, Shuffler(SeededEntropy(1)), SystemClock())
        state: Round | None = None
        for stored in store.events(table_stream(TABLE), after=0):
            event = tools.codec.decode(stored)
            if isinstance(event, RoundOpened):
                rules = tools.rulebook.house(event.fingerprint)
                assert rules is not None
                state = begin(rules, event)
            elif state is not None and isinstance(event, Event):
                state = apply(state, event)
            if state is not None:
                yield stored.version, state


def hidden_from(seat: int, state: Round) -> set[Card]:
    """The cards on the table that a seat may not see."""
    hidden = set(state.common[state.common_face_up :])
    if not state.dealer_face_up:
        hidden |= set(state.dealer)
    for spot, hand in state.hands.items():
        if spot.seat != seat and not hand.face_up:
            hidden |= set(hand.cards)
    return hidden


def leaked(guest: Guest, moments: dict[int, Round]) -> Iterator[str]:
    """Every hidden card that a message has named; and the check must have had something to do."""
    seat, looked_for = guest.wire.private["seat"], 0
    for frame in guest.wire.received:
        state = moments.get(frame.message.get("version", 0))
        for card in hidden_from(seat, state) if state else ():
            looked_for += 1
            if re.search(rf"(?<![0-9A-Za-z]){card}(?![0-9A-Za-z])", frame.text):
                yield f"{card} is in {frame.text}"
    assert looked_for > 20
