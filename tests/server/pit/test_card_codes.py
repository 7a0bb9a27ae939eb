"""The code table of barcode and RFID shoes: what it holds, and what is wrong with one."""

from pathlib import Path

import pytest

from openfelt.cards import FULL_DECK, Card
from openfelt.server.pit.card_codes import CardCodes, load_card_codes
from openfelt.server.settings import SettingsError

DECK = {f"{at:04}": str(card) for at, card in enumerate(FULL_DECK)}
BLUE = {f"b{at:04}": str(card) for at, card in enumerate(FULL_DECK)}


def toml(part: str, codes: dict[str, str]) -> str:
    return "\n".join([f"[{part}]", *(f'"{code}" = "{card}"' for code, card in codes.items()), ""])


def load(folder: Path, text: str) -> CardCodes:
    path = folder / "cards.toml"
    path.write_text(text, encoding="utf-8")
    return load_card_codes(path)


def test_a_table_has_its_own_codes_or_those_of_the_house(tmp_path: Path) -> None:
    codes = load(tmp_path, toml("codes", DECK | BLUE) + toml("tables.pit-3", BLUE))
    assert codes.read("pit-1", "0000") == codes.read("pit-1", "b0000") == FULL_DECK[0]
    assert codes.read("pit-3", "0000") is None
    assert codes.read("pit-3", " b0051\n") == FULL_DECK[51]
    assert codes.read("pit-3", "as") == Card.parse("As")
    assert load_card_codes(None) == CardCodes()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (toml("codes", dict(list(DECK.items())[2:])), "2 cards have no code: 2c 2d"),
        (toml("codes", DECK) + '"0000" = "Kd"\n', "has a code twice"),
        (toml("codes", DECK | {"0051x": "As"}), "the code 0051 is the beginning of the code 0051x"),
        (toml("codes", DECK | {"9999": "Zz"}), "'Zz' of the code 9999 is not a card, such as As"),
        (toml("codes", DECK) + '"9999" = 4\n', "4 of the code 9999 is not a card"),
        (toml("codes", DECK | {"10h": "Th"}), "'10h' is not a code"),
        (toml("codes", DECK | {"x": "Th"}), "'x' is not a code"),
        (toml("codes", DECK | {"4 5 6": "Th"}), "'4 5 6' is not a code"),
        (toml("cards", DECK), r"unknown part \[cards\]"),
        ("tables = 4", "has no"),
        ("", "has no"),
        ("codes = 4", "write one line for each code"),
        ("[codes", "is not valid TOML"),
    ],
)
def test_what_is_wrong_with_a_code_table_is_said(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(SettingsError, match=problem):
        load(tmp_path, text)


def test_a_code_table_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be read: No such file"):
        load_card_codes(tmp_path / "none.toml")
