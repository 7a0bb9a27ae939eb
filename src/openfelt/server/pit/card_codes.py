"""The code table: the card of each code of a barcode or RFID shoe.

It is a TOML file with the codes of the whole house, and others for single tables::

    [codes]
    "0412" = "As"
    "0413" = "Ks"

    [tables.pit-3]
    "E2801160600002" = "As"

A card may have several codes, one in each deck of the house; a code has one card.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from openfelt.cards import FULL_DECK, Card
from openfelt.server.settings import SettingsError

CODE_LENGTH_MIN: Final = 3
CODE_LENGTH_MAX: Final = 64
_HOUSE: Final = "codes"
_TABLES: Final = "tables"

Codes = Mapping[str, Card]


@dataclass(frozen=True, slots=True)
class CardCodes:
    """The codes of the house, and those of tables with their own."""

    house: Codes = field(default_factory=dict)
    tables: Mapping[str, Codes] = field(default_factory=dict)

    def at(self, table: str) -> Codes:
        """The codes in use at a table; none where scanners send rank and suit."""
        return self.tables.get(table, self.house)

    def read(self, table: str, text: str) -> Card | None:
        """The card that a reader has read at a table, None for a text that is not a card.

        >>> CardCodes().read("pit-3", "10d"), CardCodes().read("pit-3", "0412")
        (Card('Td'), None)
        """
        text = text.strip()
        return self.at(table).get(text) or written_card(text)


def written_card(text: str) -> Card | None:
    """A card by its rank and suit, None for any other text.

    >>> written_card("TH"), written_card("Zz")
    (Card('Th'), None)
    """
    try:
        return Card.parse(text[:-1].upper() + text[-1:].lower())
    except ValueError:
        return None


def load_card_codes(path: Path | None) -> CardCodes:
    """Read a code table, an empty one for None; raises SettingsError with what is wrong."""
    if path is None:
        return CardCodes()
    try:
        plain = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"The code table {path} cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(
            f"The code table {path} is not valid TOML, or has a code twice: {error}."
        ) from error
    if unknown := plain.keys() - {_HOUSE, _TABLES}:
        raise SettingsError(
            f"The code table {path} has an unknown part [{min(unknown)}]; its parts are "
            f"[{_HOUSE}] and [{_TABLES}.NAME]."
        )
    tables = plain.get(_TABLES, {})
    if not isinstance(tables, dict) or not plain:
        raise SettingsError(f"The code table {path} has no [{_HOUSE}] and no [{_TABLES}.NAME].")
    house = plain.get(_HOUSE)
    return CardCodes(
        {} if house is None else _codes(f"[{_HOUSE}] of {path}", house),
        {name: _codes(f"[{_TABLES}.{name}] of {path}", codes) for name, codes in tables.items()},
    )


def _codes(where: str, plain: Any) -> Codes:
    """The codes of one part of the file: every card has one, and no code is a prefix of another."""
    if not isinstance(plain, dict):
        raise SettingsError(f'{where}: write one line for each code, such as "0412" = "As".')
    codes = {code: _card(where, code, card) for code, card in plain.items()}
    if missing := [str(card) for card in FULL_DECK if card not in set(codes.values())]:
        raise SettingsError(f"{where}: {len(missing)} cards have no code: {' '.join(missing)}.")
    ordered = sorted(codes)
    for code, longer in pairwise(ordered):
        if longer.startswith(code):
            raise SettingsError(
                f"{where}: the code {code} is the beginning of the code {longer}, so a scanner's "
                "keys do not tell where it ends."
            )
    return codes


def _card(where: str, code: str, text: Any) -> Card:
    if (
        not CODE_LENGTH_MIN <= len(code) <= CODE_LENGTH_MAX
        or not code.isascii()
        or not code.isprintable()
        or " " in code
        or written_card(code) is not None
    ):
        raise SettingsError(
            f"{where}: {code[:80]!r} is not a code. A code must have {CODE_LENGTH_MIN} "
            f"to {CODE_LENGTH_MAX} letters, digits and signs without spaces, and must not be a "
            "card's rank and suit."
        )
    card = written_card(text) if isinstance(text, str) else None
    if card is None:
        raise SettingsError(f"{where}: {text!r} of the code {code} is not a card, such as As.")
    return card
