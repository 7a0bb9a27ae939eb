"""English and Spanish: every text is there in both, and whole rounds are played in Spanish."""

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import get_args

import pytest
from playwright.sync_api import Locator, expect

from openfelt.catalog import load_catalog
from openfelt.catalog.clauses import LOST_FACE_DOWN, outcomes_of
from openfelt.protocol.replay import Happened
from openfelt.rules.refusal import RefusalCode
from openfelt.runtime.cage.cage_codes import CageCode
from openfelt.runtime.cage.protection.limit_codes import LimitCode
from openfelt.runtime.requests import RuntimeCode
from openfelt.table.refusal import TableCode
from openfelt.table.void_reasons import VoidCode
from tests.browser.conftest import Entrance
from tests.kit.browser.floor import BrowserHouse
from tests.kit.browser.guests import Guest
from tests.kit.browser.languages import (
    check_spanish,
    check_texts,
    messages,
)
from tests.kit.cases import with_variants
from tests.kit.repository import ROOT

# Every code of the program has its words ---------------------------------------------------


def test_every_text_is_there_in_both_languages() -> None:
    english, spanish = messages("en"), messages("es")
    assert set(english) == set(spanish)
    for key, text in english.items():
        blanks = re.compile(r"\{\w+\}")
        assert set(blanks.findall(text)) == set(blanks.findall(spanish[key])), key


def keys(prefix: str) -> set[str]:
    """What has a text under a prefix, in both languages."""
    return {
        key.removeprefix(prefix)
        for key in messages("en").keys() & messages("es").keys()
        if key.startswith(prefix)
    }


def test_every_way_in_which_a_wager_can_end_has_a_sentence() -> None:
    houses = load_catalog().houses.values()
    outcomes = {outcome for house in houses for outcome in outcomes_of(house)}
    # A house of one's own may leave folded hands face down too, with other wagers.
    outcomes |= LOST_FACE_DOWN
    assert not outcomes - keys("why.")
    # Every other text there is another form of one of them.
    forms = {re.sub(r"\.[a-z_]+$", "", key) for key in keys("why.") - outcomes}
    assert forms <= outcomes | {"aggregate", "covered", "hand_void", "hand_fouled"}


def test_everything_that_happens_in_a_replay_has_a_sentence() -> None:
    kinds = {str(form.__struct_config__.tag) for form in get_args(Happened)}
    assert len(kinds) == 9
    assert not kinds - keys("replay.")


def test_every_known_reason_of_a_void_round_has_words() -> None:
    assert keys("void.") == {code.value for code in VoidCode} | {"typed"}


CODE_KINDS = (RefusalCode, TableCode, RuntimeCode, CageCode, LimitCode)
CODE = re.compile(r"(?!openfelt_)[a-z]+(_[a-z]+)*")
"""A code; what begins otherwise is the name of a counter."""
SENTENCE = re.compile(r"[A-Z].* ")


def server_codes(tree: ast.Module) -> Iterator[str]:
    """The codes with which a module of the server refuses: each stands before its sentence."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called, values = ast.unparse(node.func), node.args
        elif isinstance(node, ast.Tuple):
            called, values = "", node.elts
        else:
            continue
        if called in ("CatalogError", "Condition", "Forged"):
            # They name a key of a file, a kind of alert and a table of the database.
            continue
        denied = called == "Denied"
        for code, sentence in pairwise(values):
            match code, sentence:
                case ast.Constant(value=str(text)), _ if denied:
                    yield text
                case ast.Constant(value=str(text)), ast.Constant(value=str(words)):
                    if CODE.fullmatch(text) and SENTENCE.match(words):
                        yield text
                case ast.Constant(value=str(text)), ast.JoinedStr():
                    if CODE.fullmatch(text):
                        yield text


def test_every_refusal_has_words_and_no_words_are_left_over() -> None:
    codes = {code.value for kind in CODE_KINDS for code in kind}
    for file in (ROOT / "src" / "openfelt" / "server").rglob("*.py"):
        codes |= {*server_codes(ast.parse(file.read_text(encoding="utf-8")))}
    # One of each way to refuse: a page, a socket that is closed, and a command.
    assert {"wrong_password", "no_proof", "other_protocol", "not_enrolled", "bad_name"} <= codes
    # Two codes are the page's own: nothing could be reached, and anything else.
    assert keys("refused.") == codes | {"unreachable", "other"}


# In the browser ----------------------------------------------------------------------------


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


def spanish_guest(house: BrowserHouse, entrance: Entrance, table: str) -> Guest:
    """A guest who has sat down at a table of their own, in Spanish."""
    texts = messages("es")
    guest = entrance.visitor(house)
    guest.press(guest.button("Español"))
    guest.press(guest.button(texts["welcome.guest"]))
    guest.press(guest.button(texts[f"lobby.own.{table}"]))
    guest.press(guest.button(texts["sit.go"].format(amount="$500")))
    guest.until(lambda: guest.wire.private.get("credit_cents") == 50_000)
    return guest


def place(guest: Guest, *wagers: str) -> None:
    """Put a chip on each of these circles of the only hand, and have the cards dealt."""
    texts = messages("es")
    for kind in wagers:
        name = f"{texts['hand.name'].format(number=1)}, {texts[f'wager.{kind}']}, "
        guest.press(guest.page.get_by_role("button", name=name))
    guest.until(lambda: len(guest.wire.hands) == 1)
    guest.press(guest.button(texts["bet.deal"]))
    guest.next_turn()


def spanish_replay(guest: Guest) -> Locator:
    """The replay of the guest's only round."""
    texts = messages("es")
    nav = guest.page.get_by_role("navigation", name=texts["menu"])
    guest.press(nav.get_by_role("button", name=texts["panel.history"], exact=True))
    panel = guest.page.get_by_role("dialog", name=texts["panel.history"])
    guest.press(panel.get_by_role("button", name=texts["history.replay"]))
    expect(panel.get_by_text(texts["replay.mark"].format(number=1))).to_be_visible()
    return panel


def forms_of(outcome: str, texts: dict[str, str]) -> str:
    """A pattern of every sentence that an outcome has, whatever its values are."""
    found = [text for key, text in texts.items() if f"{key}.".startswith(f"why.{outcome}.")]
    return "|".join(re.sub(r"\\{\w+\\}", ".+", re.escape(text)) for text in found)


@pytest.mark.parametrize("game", with_variants(["online", "draw"]))
def test_a_spanish_round_and_its_replay_have_no_english_in_them(
    house: BrowserHouse, entrance: Entrance, game: str
) -> None:
    texts = messages("es")
    guest = spanish_guest(house, entrance, game)
    check_spanish(guest)
    place(guest, *(("ante", "trips") if game == "online" else ("ante", "bonus")))
    check_spanish(guest)
    if game == "online":
        guest.press(guest.page.get_by_role("button", name=re.compile("^4x")))
    else:
        guest.press(guest.button(texts["draw.go"].format(count=5)))
    guest.until(lambda: guest.wire.over)
    hand = guest.hand_named(texts["hand.name"].format(number=1))
    expect(hand.get_by_role("strong")).to_be_visible()
    check_spanish(guest)

    table = guest.wire.public["table"]
    told = guest.context.request.get(f"/api/v1/tables/{table}/rounds/1").json()
    panel = spanish_replay(guest)
    sentences = []
    for at in range(len(told["steps"])):
        if at:
            guest.press(panel.get_by_role("button", name=texts["replay.next"], exact=True))
        step = texts["replay.step"].format(step=at + 1, count=len(told["steps"]))
        expect(panel.get_by_role("slider", name=step)).to_be_visible()
        check_spanish(guest)
        sentences.append(panel.locator("[aria-live]").first.inner_text())
    assert all(sentences)
    assert sentences[0] == texts["replay.bets_closed"]
    assert len({one["text"] for one in told["steps"]}) == len(set(sentences))
    rows = panel.get_by_role("row")
    expect(rows).to_have_count(len(told["lines"]))
    for line, row in zip(told["lines"], rows.all(), strict=True):
        expect(row.get_by_role("rowheader")).to_have_text(texts[f"wager.{line['wager']}"])
        clause = texts["replay.clause"].format(clause=line["clause"])
        why = row.get_by_role("cell").last.inner_text().removesuffix(clause).strip()
        assert re.fullmatch(forms_of(line["outcome"], texts), why, re.IGNORECASE), why
    guest.press(panel.get_by_role("button", name=texts["fair.verify"]))
    expect(panel.get_by_text(texts["fair.server_ok"].partition(":")[0])).to_be_visible()
    check_spanish(guest)


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


@pytest.mark.parametrize("name", with_variants(["stadium", "washington", "draw"]))
def test_no_key_is_missing_in_english(house: BrowserHouse, entrance: Entrance, name: str) -> None:
    guest = entrance(house)
    guest.own_table(name)
    check_texts(guest)
    guest.sit("$500")
    for panel in ("Paytables", "Help", "Settings"):
        guest.open_panel(panel)
        check_texts(guest)
        guest.close_panel()
