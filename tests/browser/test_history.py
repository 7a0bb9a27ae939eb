"""Own rounds again, card by card and marked as a replay; proofs hold, and forged ones fail."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Route, expect

from tests.browser.conftest import Entrance
from tests.kit.browser.floor import BrowserHouse
from tests.kit.browser.guests import Guest
from tests.kit.browser.screens import card_words, chip_dollars, signed_dollars
from tests.kit.cases import with_variants


@pytest.fixture(params=with_variants(["online", "stadium"]))
def guest(house: BrowserHouse, entrance: Entrance, request: pytest.FixtureRequest) -> Guest:
    """A guest who has played a round at a table of their own."""
    guest = entrance(house)
    guest.own_table(request.param)
    guest.sit("$500")
    guest.place(1, "Ante")
    guest.place(1, "Trips")
    guest.settled_bets()
    guest.deal()
    guest.play_out()
    return guest


def open_replay(guest: Guest) -> Locator:
    """The replay of the guest's only round."""
    panel = guest.open_panel("History")
    row = panel.get_by_role("row").filter(has_text="#1")
    (hand,) = guest.wire.hands.values()
    staked = sum(one["cents"] for one in hand["wagers"])
    expect(row).to_contain_text(chip_dollars(staked))
    expect(row).to_contain_text(signed_dollars(guest.wire.cents("net")))
    guest.press(row.get_by_role("button", name="Replay"))
    expect(panel.get_by_text("Replay · round #1")).to_be_visible()
    return panel


def test_a_round_is_replayed_card_by_card(guest: Guest) -> None:
    table = guest.wire.public["table"]
    told = guest.context.request.get(f"/api/v1/tables/{table}/rounds/1").json()
    panel = open_replay(guest)
    shown_cards = []
    for at, step in enumerate(told["steps"]):
        wanted = step["public"]["dealer"] + step["public"]["common"]
        wanted += [card for hand in step["own"].values() for card in hand["cards"]]
        expect(panel.get_by_text(step["text"], exact=True)).to_be_visible()
        assert guest.cards_in(panel) == card_words(wanted)
        expect(panel.get_by_text("Replay · round #1")).to_be_visible()
        shown_cards.append(len(wanted))
        if at < len(told["steps"]) - 1:
            guest.press(panel.get_by_role("button", name="Next"))
    assert shown_cards == sorted(shown_cards)
    assert shown_cards[-1] == 9
    expect(panel.get_by_role("button", name="Next")).to_be_disabled()
    (hand,) = guest.wire.hands.values()
    for line in hand["lines"]:
        expect(panel.get_by_role("table")).to_contain_text(line["because"])
    guest.press(panel.get_by_role("button", name="Back", exact=True))
    expect(panel.get_by_text(told["steps"][-2]["text"], exact=True)).to_be_visible()


def test_the_proof_holds_and_a_forged_one_fails(guest: Guest, tmp_path: Path) -> None:
    panel = open_replay(guest)
    guest.press(panel.get_by_role("button", name="Verify"))
    expect(panel.get_by_text("Checked in your browser: 9 cards")).to_be_visible()
    expect(panel.get_by_text("The server agrees: 9 cards checked.")).to_be_visible()
    with guest.page.expect_download() as saved:
        guest.press(panel.get_by_role("button", name="Save the proof"))
    saved.value.save_as(tmp_path / "proof.json")
    proof = json.loads((tmp_path / "proof.json").read_text(encoding="utf-8"))
    guest.close_panel()
    check_verifier(guest, proof, tmp_path)


def check_verifier(guest: Guest, proof: dict[str, Any], folder: Path) -> None:
    """The page that anybody may use takes the proof, and no other."""
    guest.page.goto("/#/verify")
    good, bad = folder / "good.json", folder / "bad.json"
    good.write_text(json.dumps(proof), encoding="utf-8")
    bad.write_text(json.dumps(forged(proof)), encoding="utf-8")
    guest.page.get_by_label("Proof file").set_input_files(good)
    expect(guest.page.get_by_text("Checked in your browser: 9 cards")).to_be_visible()
    check_published(guest, proof)
    # A field that is empty again takes the same file again, once it has changed.
    expect(guest.page.get_by_label("Proof file")).to_have_value("")
    expect(guest.page.get_by_text("good.json")).to_be_visible()
    guest.page.get_by_label("Proof file").set_input_files(bad)
    expect(guest.page.get_by_text("The proof does not hold:")).to_be_visible()
    expect(guest.page.get_by_text("Checked in your browser")).to_have_count(0)
    guest.page.get_by_label("Or paste it here").fill("{}")
    guest.press(guest.button("Verify"))
    expect(guest.page.get_by_text("This is not a proof of a round.")).to_be_visible()


def check_published(guest: Guest, proof: dict[str, Any]) -> None:
    """What the proof is about can be compared, and its cards lie at places with names."""
    shown = {dealt["deck"] for dealt in proof["cards"] if dealt["proof"]}
    roots = [one["root"] for one in proof["commitments"] if one["deck"] in shown]
    assert roots
    expect(guest.page.get_by_role("code")).to_have_text(roots)
    published = guest.page.get_by_role("region", name="Published fingerprints")
    expect(published).to_contain_text(proof["table"])
    expect(published).to_contain_text(f"#{proof['number']}")
    places = guest.page.get_by_role("region", name="The cards by place")
    expect(places.get_by_role("heading", level=3)).to_have_text(["Dealer hand", "Board", "Seat 1"])
    board = [dealt for dealt in proof["cards"] if dealt["lies"] == "common"]
    board.sort(key=lambda dealt: int(dealt["position"]))
    wanted = card_words([dealt["proof"]["card"] for dealt in board])
    assert guest.cards_in(places)[2:7] == wanted
    guest.press(guest.button("Español"))
    expect(guest.page.get_by_role("heading", level=1)).to_have_text("Verificar una ronda")
    guest.press(guest.button("English"))


def forged(proof: dict[str, Any]) -> dict[str, Any]:
    """The proof with one card that was never dealt."""
    changed: dict[str, Any] = json.loads(json.dumps(proof))
    shown = [dealt for dealt in changed["cards"] if dealt["proof"]]
    dealt_cards = {dealt["proof"]["card"] for dealt in shown}
    other = next(
        card
        for card in ("As", "Kd", "7h", "2c", "9s", "Jc", "3d", "5h", "8c", "Qs")
        if card not in dealt_cards
    )
    shown[0]["proof"]["card"] = other
    return changed


def test_a_proof_forged_on_its_way_is_refused_in_the_page(guest: Guest) -> None:
    def forge(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json=forged(answer.json()))

    guest.page.route("**/proof?*", forge)
    panel = open_replay(guest)
    guest.press(panel.get_by_role("button", name="Verify"))
    expect(panel.get_by_text("The proof does not hold:")).to_be_visible()
    expect(panel.get_by_text("Checked in your browser")).to_have_count(0)
    expect(panel.get_by_text("The server agrees")).to_have_count(0)
