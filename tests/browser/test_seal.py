"""The badge of the sealed deck opens the whole fingerprints, and they are those of the proof."""

import pytest
from playwright.sync_api import Locator, Route, expect

from openfelt.table.seeds import seed_commitment
from tests.browser.conftest import Entrance
from tests.kit.browser.floor import BrowserHouse
from tests.kit.browser.guests import SCREENS, Guest, Screen


def open_seal(guest: Guest) -> Locator:
    """Press the badge; on a phone it is in the menu."""
    if guest.phone:
        guest.press(guest.button("Menu"))
    badge = guest.page.get_by_role("button", name="Show the whole fingerprint")
    guest.press(badge.last)
    return guest.page.get_by_role("dialog", name="Deck sealed")


@pytest.mark.variant
@SCREENS
def test_the_badge_shows_the_decks_that_concern_the_player(
    house: BrowserHouse, entrance: Entrance, screen: Screen
) -> None:
    guest = entrance(house, screen)
    guest.context.grant_permissions(["clipboard-read", "clipboard-write"])
    guest.own_table("stadium")
    guest.sit("$500")
    guest.place(1, "Ante")
    guest.settled_bets()
    guest.until(lambda: guest.wire.private.get("deck_root"))
    own = f"seat-{guest.wire.private['seat']}"
    roots = {
        "table": guest.wire.public["commitments"]["table"],
        own: guest.wire.private["deck_root"],
    }
    panel = open_seal(guest)
    expect(panel.get_by_role("code")).to_have_text([roots["table"], roots[own]])
    expect(panel).to_contain_text("Your own deck: your cards come from it")
    guest.press(panel.get_by_role("button", name="Copy: Your own deck"))
    expect(panel.get_by_role("status").filter(has_text="Copied")).to_be_visible()
    assert guest.page.evaluate("navigator.clipboard.readText()") == roots[own]
    guest.page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    if guest.phone:
        guest.close_panel()
    guest.deal()
    guest.play_out()
    table = guest.wire.public["table"]
    number = guest.wire.round["number"]
    proof = guest.context.request.get(f"/api/v1/tables/{table}/rounds/{number}/proof").json()
    published = {one["deck"]: one["root"] for one in proof["commitments"]}
    assert published == roots


def played(guest: Guest) -> int:
    """Play a round to its end; gives its number."""
    guest.place(1, "Ante")
    guest.settled_bets()
    guest.deal()
    guest.play_out()
    return int(guest.wire.round["number"])


def test_the_terminal_gives_a_seed_and_checks_every_round_by_itself(
    house: BrowserHouse, entrance: Entrance
) -> None:
    guest = entrance(house)
    guest.own_table("online")
    guest.sit("$500")
    panel = open_seal(guest)
    seed = panel.locator("[data-seed]").inner_text()
    commitment = panel.locator("[data-commitment]").inner_text()
    guest.page.keyboard.press("Escape")
    number = played(guest)
    verdict = guest.page.locator("[data-verdict]").first
    expect(verdict).to_have_text(f"Round {number} checked: dealt fairly")
    table = guest.wire.public["table"]
    proof = guest.context.request.get(f"/api/v1/tables/{table}/rounds/{number}/proof").json()
    assert proof["seeds"]["list"] == {"revealed": {"1": seed}, "withheld": {}}
    assert seed_commitment(f"{table}/{number}", 1, seed) == commitment
    # Words of the player's own make another seed, and it is used.
    panel = open_seal(guest)
    before = panel.locator("[data-seed]").inner_text()
    panel.get_by_label("Words of your own").fill("seven green felt tables")
    guest.press(panel.get_by_role("button", name="Mix in"))
    expect(panel.locator("[data-seed]")).not_to_have_text(before)
    guest.page.keyboard.press("Escape")
    number = played(guest)
    expect(verdict).to_have_text(f"Round {number} checked: dealt fairly")


@pytest.mark.variant
def test_a_seed_is_revealed_after_a_reload(house: BrowserHouse, entrance: Entrance) -> None:
    guest = entrance(house)
    guest.own_table("online")
    guest.sit("$500")
    guest.place(1, "Ante")
    guest.settled_bets()
    guest.page.reload()
    guest.until(lambda: guest.wire.private.get("seed_commitment"))
    guest.deal()
    guest.play_out()
    verdict = guest.page.locator("[data-verdict]").first
    expect(verdict).to_have_text("Round 1 checked: dealt fairly")
    guest.until(lambda: guest.wire.public["fairness"]["rounds"] == 1)
    assert guest.wire.public["fairness"]["seeds"] == 1
    assert guest.wire.public["fairness"]["seeds_withheld"] == 0


def test_a_proof_that_does_not_hold_raises_an_alarm(
    house: BrowserHouse, entrance: Entrance
) -> None:
    """Here a page between the two exchanges the seed; a house that drops it does the same."""
    guest = entrance(house)
    guest.own_table("online")
    guest.sit("$500")

    def tamper(route: Route) -> None:
        proof = route.fetch().json()
        proof["seeds"]["list"] = {"revealed": {}, "withheld": {"1": "00" * 32}}
        route.fulfill(json=proof)

    guest.page.route("**/rounds/*/proof", tamper)
    number = played(guest)
    alarm = guest.page.get_by_role("alert").filter(has_text=f"Round {number}")
    expect(alarm.first).to_have_text(f"Round {number}: the proof does not hold")
    panel = open_seal(guest)
    expect(panel).to_contain_text("The proof does not hold")


@pytest.mark.variant
def test_a_game_without_its_proof_raises_an_alarm(house: BrowserHouse, entrance: Entrance) -> None:
    guest = entrance(house)
    guest.own_table("online")
    guest.sit("$500")
    guest.page.route("**/rounds/*/proof", lambda route: route.fulfill(status=404, json={}))
    with guest.refused("/proof", 404):
        number = played(guest)
        verdict = guest.page.locator("[data-verdict]").first
        expect(verdict).to_have_text(f"Round {number}: no proof yet")
        alarm = guest.page.get_by_role("alert").filter(has_text=f"Round {number}")
        expect(alarm.first).to_have_text(f"Round {number}: the proof does not hold", timeout=30_000)


SIZES = ((1920, 1080), (1366, 768), (1280, 800), (1208, 700), (1024, 768), (390, 664))
SPEAK = "language => localStorage.setItem('openfelt.settings', JSON.stringify({ language }))"
BESIDE = """() => {
  const signs = [...document.querySelectorAll(".dealer .flank .plaque")];
  const cards = [...document.querySelectorAll(".dealer .cards > *")];
  const box = (one) => one.getBoundingClientRect();
  return signs.filter((one) => box(one).width > 0).flatMap((sign) =>
    cards.map((card) => box(card).left - box(sign).right));
}"""
CUT = """() => [...document.querySelectorAll(".dealer .flank .plaque *")]
  .filter((one) => one.scrollWidth > one.clientWidth + 1
    && getComputedStyle(one).display !== "inline"
    && !one.classList.contains("sr-only") && one.tagName !== "CODE")
  .map((one) => one.textContent)"""


def sign_faults(guest: Guest) -> list[str]:
    """What is wrong with the sign: it touches a card, or cuts its words."""
    touching = [f"{gap} pixels to a card" for gap in guest.page.evaluate(BESIDE) if gap < 8]
    return touching + list(guest.page.evaluate(CUT))


@pytest.mark.variant
@pytest.mark.parametrize("rules", ["online", "stadium"])
def test_the_sign_of_the_sealed_deck_keeps_off_the_dealers_cards(
    house: BrowserHouse, entrance: Entrance, rules: str
) -> None:
    """At every size and in both languages, with the verdict about the last game on it."""
    guest = entrance(house)
    guest.own_table(rules)
    guest.sit("$500")
    played(guest)
    expect(guest.page.locator("[data-verdict]").first).to_be_attached()
    for language in ("en", "es"):
        # On a phone the sign is in the menu.
        guest.page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})
        guest.page.evaluate(SPEAK, language)
        guest.page.reload()
        expect(guest.page.locator("[data-verdict]").first).to_be_attached()
        for width, height in SIZES:
            guest.page.set_viewport_size({"width": width, "height": height})
            guest.until(lambda: not sign_faults(guest))
