"""English and Spanish: every text is there in both, and a whole round is played in Spanish."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Entrance
from tests.browser.guests import Guest
from tests.browser.premises import BrowserHouse

MESSAGES = Path(__file__).resolve().parents[2] / "web" / "src" / "messages"
KEY = re.compile(r"^[a-z_]+(\.[A-Za-z0-9_]+)+$")
"""A key that stands where its text should be."""
TEXTS = """() => {
  const found = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) found.push(node.data.trim());
  for (const one of document.querySelectorAll("[aria-label], [title], [placeholder]")) {
    for (const name of ["aria-label", "title", "placeholder"]) {
      found.push(one.getAttribute(name) ?? "");
    }
  }
  return found.filter(Boolean);
}"""


def messages(language: str) -> dict[str, str]:
    """The texts of a language."""
    found: dict[str, str] = json.loads((MESSAGES / f"{language}.json").read_text(encoding="utf-8"))
    return found


def check_texts(guest: Guest) -> None:
    """No key stands where its text should be, and no blank was left unfilled."""
    texts = guest.page.evaluate(TEXTS)
    assert texts
    keys = set(messages("en"))
    assert [text for text in texts if text in keys and KEY.match(text)] == []
    assert [text for text in texts if re.search(r"\{\w+\}|undefined|NaN", text)] == []


def test_every_text_is_there_in_both_languages() -> None:
    english, spanish = messages("en"), messages("es")
    assert set(english) == set(spanish)
    for key, text in english.items():
        blanks = re.compile(r"\{\w+\}")
        assert set(blanks.findall(text)) == set(blanks.findall(spanish[key])), key


def test_a_round_in_spanish(house: BrowserHouse, entrance: Entrance) -> None:
    texts = messages("es")
    guest = entrance.visitor(house)
    guest.press(guest.button("Español"))
    expect(guest.page.locator("html")).to_have_attribute("lang", "es")
    check_texts(guest)
    guest.press(guest.button(texts["welcome.guest"]))
    expect(guest.page.get_by_role("heading", name=texts["lobby.title"])).to_be_visible()
    check_texts(guest)
    guest.press(guest.button(texts["lobby.own.online"]))
    guest.press(guest.button(texts["sit.go"].format(amount="$500")))
    guest.until(lambda: guest.wire.private.get("credit_cents") == 50_000)
    ante = f"{texts['hand.name'].format(number=1)}, {texts['wager.ante']}, "
    guest.press(guest.page.get_by_role("button", name=ante))
    guest.until(lambda: guest.wire.phase == "wagering")
    guest.press(guest.button(texts["bet.deal"]))
    guest.until(lambda: guest.wire.due)
    while not guest.wire.over:
        check_texts(guest)
        words = texts["choice.fold" if guest.wire.street == "on_river" else "choice.check"]
        with guest.deciding():
            guest.press(guest.button(words))
        guest.next_turn()
    check_texts(guest)
    expect(guest.hand_named(texts["hand.name"].format(number=1))).to_contain_text(
        texts["hand.folded"]
    )
    for name in ("paytables", "help", "history", "settings"):
        nav = guest.page.get_by_role("navigation", name=texts["menu"])
        guest.press(nav.get_by_role("button", name=texts[f"panel.{name}"], exact=True))
        panel = guest.page.get_by_role("dialog", name=texts[f"panel.{name}"])
        expect(panel).to_be_visible()
        check_texts(guest)
        guest.press(panel.get_by_role("button", name=texts["close"], exact=True))


def test_the_language_is_switched_and_kept(house: BrowserHouse, entrance: Entrance) -> None:
    guest = entrance(house)
    guest.press(guest.button("Settings"))
    guest.page.get_by_label("Language").select_option("es")
    expect(guest.page.get_by_role("dialog", name=messages("es")["panel.settings"])).to_be_visible()
    guest.page.reload()
    expect(guest.page.get_by_role("heading", name=messages("es")["lobby.title"])).to_be_visible()
    guest.press(guest.button(messages("es")["panel.settings"]))
    guest.page.get_by_label(messages("es")["settings.language"]).select_option("en")
    expect(guest.page.get_by_role("dialog", name="Settings")).to_be_visible()


@pytest.mark.parametrize("name", ["stadium", "washington", "draw"])
def test_no_key_is_missing_in_english(house: BrowserHouse, entrance: Entrance, name: str) -> None:
    guest = entrance(house)
    guest.own_table(name)
    check_texts(guest)
    guest.sit("$500")
    for panel in ("Paytables", "Help", "Settings"):
        guest.open_panel(panel)
        check_texts(guest)
        guest.close_panel()
