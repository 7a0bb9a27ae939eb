"""Several browsers at one table: each sees what is public, and no hidden card is ever on the wire.

What a page received is compared with the record in the store, which is replayed afterwards: a
card that a player may not see is in no message that belongs to a moment at which it lay hidden.
"""

import json
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Entrance
from tests.kit.browser.floor import BrowserHouse
from tests.kit.browser.guests import Guest
from tests.kit.browser.screens import card_words, check_money, check_screen, chip_dollars
from tests.kit.fuzz.messages import CARDS
from tests.kit.server.seen_cards import Frame, Seen, copy_of, leaks, may_see, record


@pytest.mark.variant
def test_washington_shows_other_hands_when_they_are_turned(
    house: BrowserHouse, entrance: Entrance, tmp_path: Path
) -> None:
    table = "private.hidden.washington"
    ann, ben = entrance(house), entrance(house)
    sit_down(table, (ann, 2), (ben, 5))
    ann.place(1, "Ante", "$5")
    ben.place(1, "Ante", "$25")
    all_are(ann, ben, phase="playing")
    check_public(ann, ben)
    check_public(ben, ann)
    ann.choose(1, "4x")
    check_public(ben, ann)
    ben.choose(1, "Check")
    ben.choose(1, "Check")
    ben.choose(1, "1x")
    all_are(ann, ben, phase="settled")
    for guest, other in ((ann, ben), (ben, ann)):
        check_public(guest, other)
        check_screen(guest)
    check_wire(house, tmp_path, table, ann, ben)
    check_money(ann)
    check_money(ben)


def test_california_hides_the_bank_from_all_viewers_and_a_folded_hand_for_good(
    house: BrowserHouse, entrance: Entrance, tmp_path: Path
) -> None:
    table = "private.hidden.california"
    banker, ann, ben = entrance(house), entrance(house), entrance(house)
    sit_down(table, (banker, 1), (ann, 2), (ben, 3))
    banker.page.get_by_role("textbox", name="Bank wager").fill("300")
    banker.press(banker.button("Bank with $300"))
    for guest in (ann, ben):
        guest.until(lambda guest=guest: guest.wire.phase == "wagering")  # type: ignore[misc]
        guest.place(1, "Ante", "$5")
    ann.place(1, "Trips", "$5")
    all_are(banker, ann, ben, phase="playing")
    for guest in (banker, ann, ben):
        assert guest.wire.round["dealer"] == [None, None]
    check_public(banker, ann)
    check_public(ann, ben)
    ben.choose(1, "4x")
    check_public(ann, ben)
    for words in ("Check", "Check", "Fold"):
        ann.choose(1, words)
    all_are(banker, ann, ben, phase="settled")
    mucked = f"{ann.wire.private['seat']}.1"
    (trips,) = [line for line in ann.wire.hands[mucked]["lines"] if line["wager"] == "trips"]
    for guest in (banker, ben):
        seen = guest.wire.round["hands"][mucked]
        # A folded hand is shown only if its Trips have to be paid (C.6, C.17).
        if trips["result"] == "win":
            assert None not in seen["cards"]
        else:
            assert (seen["cards"], seen.get("made")) == ([None, None], None)
        assert trips in seen["lines"]
    assert trips["outcome"] in ("trips.fold", "trips.win")
    assert None not in ann.wire.hands[mucked]["cards"]
    check_public(banker, ben)
    assert None not in banker.wire.round["dealer"]
    check_wire(house, tmp_path, table, banker, ann, ben)


@pytest.mark.variant
def test_draw_hides_what_was_held_until_hands_are_turned(
    house: BrowserHouse, entrance: Entrance, tmp_path: Path
) -> None:
    table = "private.hidden.draw"
    ann, ben = entrance(house), entrance(house)
    sit_down(table, (ann, 1), (ben, 2))
    for guest in (ann, ben):
        guest.place(1, "Ante", "$5")
    all_are(ann, ben, phase="playing")
    draw(ann, holding=(1, 4))
    ben.until(lambda: ben.wire.round["hands"]["1.1"].get("held_count") == 2)
    seen = ben.wire.round["hands"]["1.1"]
    assert seen["cards"] == [None] * 5
    assert [one.get("cards") for one in seen["decisions"]] == [None] * len(seen["decisions"])
    assert len(ann.wire.hands["1.1"]["held"]) == 2
    draw(ben, holding=())
    all_are(ann, ben, phase="settled")
    for guest, other in ((ann, "2.1"), (ben, "1.1")):
        assert None not in guest.wire.round["hands"][other]["cards"]
        check_screen(guest)
    check_wire(house, tmp_path, table, ann, ben)


@pytest.mark.variant
def test_a_stadium_shows_nobody_elses_cards_and_proves_none(
    house: BrowserHouse, entrance: Entrance, tmp_path: Path
) -> None:
    table = "private.hidden.stadium"
    ann, ben = entrance(house), entrance(house)
    sit_down(table, (ann, None), (ben, None))
    for guest in (ann, ben):
        guest.place(1, "Ante")
        guest.settled_bets()
    all_are(ann, ben, phase="playing")
    ann.choose(1, "4x")
    for words in ("Check", "Check", "Fold"):
        ben.choose(1, words)
    all_are(ann, ben, phase="settled")
    for guest, other in ((ann, ben), (ben, ann)):
        public = [frame.message.get("public", {}) for frame in guest.wire.received]
        rounds = [view.get("round") or {} for view in public]
        assert any(rounds)
        assert not any(state.get("hands") for state in rounds)
        assert guest.wire.round["hands"] == {}
        assert guest.wire.hands.keys() != other.wire.hands.keys()
        check_screen(guest)
        check_proof(guest, other)
    check_wire(house, tmp_path, table, ann, ben)


@pytest.mark.variant
def test_a_table_of_ones_own_is_nobody_elses(
    house: BrowserHouse, entrance: Entrance, tmp_path: Path
) -> None:
    ann, ben = entrance(house), entrance(house)
    table = ann.own_table("online")
    ann.sit("$500")
    ann.place(1, "Ante", "$25")
    ann.settled_bets()
    ann.deal()
    ben.page.goto(f"/#/table/{table}")
    expect(ben.page.get_by_role("alertdialog")).to_contain_text("There is no such table.")
    ann.play_out()
    check_screen(ann)
    assert all(one.message["type"] == "problem" for one in ben.wire.received)
    check_wire(house, tmp_path, table, ann)
    check_money(ann)


# At the table --------------------------------------------------------------------------------


def sit_down(table: str, *places: tuple[Guest, int | None]) -> None:
    """Let all guests come to the table and sit down, at a given seat or any free one."""
    for guest, seat in places:
        guest.go(table)
        guest.sit("$500", seat=seat)


def all_are(*guests: Guest, phase: str) -> None:
    """Wait until all guests have been told of a phase, and of its cards where it deals any."""
    for guest in guests:
        guest.until(lambda guest=guest: guest.wire.phase == phase)  # type: ignore[misc]
        if phase == "playing":
            # The cards are dealt once the terminals have revealed their seeds.
            guest.until(lambda guest=guest: guest.wire.round["dealer"])  # type: ignore[misc]


def draw(guest: Guest, *, holding: Iterable[int]) -> None:
    """Hold cards by their numbers, and draw for the others."""
    held = list(holding)
    for number in held:
        guest.press(guest.page.get_by_role("button", name=f"Card {number}: "))
    guest.press(guest.button(f"Draw {5 - len(held)} cards"))
    guest.until(lambda: guest.wire.decisions > 0)


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
        expect(shown).to_contain_text("deciding…" if public["due"] else chip_dollars(staked))
    guest.until(lambda: guest.cards_in(shown) == card_words(public["cards"]))


def check_proof(guest: Guest, other: Guest) -> None:
    """The proof holds in the browser and on the server, and covers the player's seat alone."""
    table, seat = guest.wire.public["table"], guest.wire.private["seat"]
    number = guest.wire.round["number"]
    proof = guest.context.request.get(f"/api/v1/tables/{table}/rounds/{number}/proof").json()
    assert proof["spots"] == [f"{seat}.1"]
    assert f'"seat-{other.wire.private["seat"]}"' not in json.dumps(proof)
    panel = guest.open_panel("History")
    guest.press(panel.get_by_role("row").filter(has_text="#1").get_by_role("button", name="Replay"))
    guest.press(panel.get_by_role("button", name="Verify"))
    shown = sum(dealt["proof"] is not None for dealt in proof["cards"])
    expect(panel.get_by_text(f"Checked in your browser: {shown} cards")).to_be_visible()
    expect(panel.get_by_text(f"The server agrees: {shown} cards checked.")).to_be_visible()
    guest.close_panel()


# On the wire ---------------------------------------------------------------------------------


def check_wire(house: BrowserHouse, folder: Path, table: str, *guests: Guest) -> None:
    """No guest was sent a card that was hidden from them; and the check would have found it."""
    with closing(copy_of(house.database, folder / "copy.db")) as store:
        tables = {table: record(store, table)}
    for guest in guests:
        name = str(guest.wire.private["name"])
        frames = [Frame(table, name, one.text, one.message) for one in guest.wire.received]
        assert list(leaks(frames, tables)) == []
        check_finds(frames, tables[table])


def check_finds(frames: list[Frame], seen: Seen) -> None:
    """A hidden card would be found in any message that belongs to a moment with hidden cards."""
    with_hidden = [
        frame
        for frame in frames
        if "version" in frame.message and seen.moments[frame.message["version"]].hidden
    ]
    assert len(with_hidden) > 1
    for frame in with_hidden:
        allowed = may_see(frame, seen.moments[frame.message["version"]])
        card = next(card for card in CARDS if card not in allowed)
        spoilt = replace(frame, text=f'{frame.text[:-1]},"x":"{card}"}}')
        assert list(leaks([spoilt], {frame.table: seen}))
