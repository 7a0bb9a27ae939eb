"""A file of rules is refused with a reason, or it can be played by to the end."""

import contextlib
import random
import tempfile
from copy import deepcopy
from datetime import date
from pathlib import Path
from typing import Any

from hypothesis import event, given, settings
from hypothesis import strategies as st

from openfelt.catalog import CatalogError, load_catalog
from openfelt.catalog.houses import read_house
from openfelt.rules import (
    Banker,
    CloseBets,
    Confirm,
    House,
    Phase,
    Refusal,
    SetWagers,
    Spot,
    Wager,
    WagerKind,
    begin,
    open_round,
)
from openfelt.rules.house import BankKind
from tests.kit.own_houses import CATALOG, house_document, toml_text
from tests.kit.strategies import Story, next_action, quick, stacked_cards

HOUSES = ["california", "draw", "online", "stadium", "washington"]
TEXTS = {name: (CATALOG / "houses" / f"{name}.toml").read_text(encoding="utf-8") for name in HOUSES}


def read(text: str) -> House | None:
    """The house, or None where the loader refuses it; anything else is an error."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "own.toml"
        file.write_text(text, encoding="utf-8", errors="surrogatepass")
        try:
            return read_house(file, load_catalog().paytables)
        except CatalogError as refused:
            event(refused.where.partition(".")[0].partition("[")[0] or "the file")
            return None


def play(house: House, seed: int) -> None:
    """Play a round of a house that the loader took, which must come to its end."""
    for day in [limits.since for limits in house.limits] or [date(2026, 1, 1)]:
        play_on(house, day, random.Random(seed))


def play_on(house: House, day: date, rng: random.Random) -> None:
    by_players = house.bank.kind is BankKind.PLAYER_DEALER
    banker = Banker(house.seats, 100_000) if by_players else None
    opened = open_round(house, number=1, day=day, banker=banker)
    story = Story(house, [opened], [begin(house, opened)], 10_000, rng)
    place_all_wagers(story)
    if not story.end.hands:
        # An Ante that needs another wager, which needs the Ante, is not placed one by one.
        ante = house.wager(WagerKind.ANTE)
        assert ante is not None
        assert ante.requires, "the smallest Ante is refused"
        event("no player can bet here")
        return
    story.take(CloseBets())
    cards = stacked_cards(story.end, rng)
    while story.end.phase is Phase.PLAYING:
        story.take(next_action(story.end, cards, rng))
    story.take(Confirm(0))
    event("played to the end")


def place_all_wagers(story: Story) -> None:
    """The smallest wager on every circle that the house takes together with the others."""
    placed: tuple[Wager, ...] = ()
    for rule in story.house.wagers:
        more = (*placed, Wager(rule.kind, rule.min_cents))
        with contextlib.suppress(Refusal):
            story.take(SetWagers(Spot(1, 1), more))
            placed = more


# Files that are almost right ----------------------------------------------------------

WORDS = [
    "W", "O", "C", "S", "D", "R", "ultimate_holdem", "ultimate_draw", "handheld", "shoe", "draw",
    "community_first", "shared", "per_terminal", "together", "in_order", "house", "player_dealer",
    "right_to_left", "from_bankers_left", "left_to_right", "UTH-01", "UDP-01", "PRG-01", "ante",
    "trips", "10%", "0%", "pair", "three of a kind", "J", "payouts", "split", "", "x", "é", "\x7f",
]  # fmt: skip
INTS = [0, 1, 2, 3, 5, 7, 22, 23, 100, 500, 20_000, -1, 10**12, 10**13, 2**70]
ANY_VALUE: st.SearchStrategy[Any] = st.one_of(
    st.sampled_from(WORDS),
    st.sampled_from(INTS),
    st.booleans(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.dates(),
    st.lists(st.integers(-1, 5), max_size=3),
    st.dictionaries(st.sampled_from(["hand", "at_least", "paytable"]), st.text(max_size=3)),
)


def values_like(value: Any) -> st.SearchStrategy[Any]:
    """Values of the same type, most of which could stand there."""
    match value:
        case bool():
            return st.booleans()
        case int():
            return st.sampled_from(INTS)
        case str():
            return st.sampled_from(WORDS)
        case date():
            return st.dates()
        case list() if value:
            return st.permutations(value) | st.lists(st.sampled_from(value), max_size=3)
    return st.just(value)


def places_of(document: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path to every value of a document."""
    found = [path] if path else []
    if isinstance(document, dict):
        for key, value in document.items():
            found += places_of(value, (*path, key))
    elif isinstance(document, list):
        for number, value in enumerate(document):
            found += places_of(value, (*path, number))
    return found


@st.composite
def changed_documents(draw: st.DrawFn) -> dict[str, Any]:
    """A house with up to three values changed, removed, or put under another key."""
    document = deepcopy(house_document(draw(st.sampled_from(HOUSES))))
    for _ in range(draw(st.integers(1, 3))):
        *path, last = draw(st.sampled_from(places_of(document)))
        table: Any = document
        for key in path:
            table = table[key]
        what = draw(st.sampled_from(["like", "like", "like", "like", "any", "remove", "rename"]))
        if what == "like":
            table[last] = draw(values_like(table[last]))
        elif what == "any":
            table[last] = draw(ANY_VALUE)
        else:
            value = table.pop(last)
            if what == "rename" and isinstance(table, dict):
                table[draw(st.sampled_from(["unknown", "play", "bonus", "seats", "trips"]))] = value
    return document


@settings(quick, max_examples=400)
@given(changed_documents(), st.integers(0, 2**32 - 1))
def test_a_changed_house_is_refused_or_played(document: dict[str, Any], seed: int) -> None:
    house = read(toml_text(document))
    if house is not None:
        play(house, seed)


@settings(quick, max_examples=200)
@given(st.sampled_from(HOUSES), st.data())
def test_a_mangled_text_is_refused_or_played(name: str, data: st.DataObject) -> None:
    text = TEXTS[name]
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        length = data.draw(st.sampled_from([0, 0, 1, 2, 10, 100]))
        put = data.draw(
            st.text(max_size=4) | st.sampled_from(['"', "[", "]", "=", "\n", "0", "-", "#"])
        )
        text = text[:start] + put + text[start + length :]
    house = read(text)
    if house is not None:
        play(house, 1)


@settings(quick, max_examples=100)
@given(
    st.binary(max_size=200)
    | st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace"))
)
def test_any_bytes_are_refused(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "own.toml"
        file.write_bytes(content)
        try:
            read_house(file, {})
        except CatalogError as refused:
            event(refused.where.split()[0] if refused.where else "the file")
        else:
            raise AssertionError("no few bytes are a house")
