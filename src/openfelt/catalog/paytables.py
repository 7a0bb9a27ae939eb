"""Paytables, read from their files: every table of the documents by its published name."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from openfelt.cards import Card, Category, parse_cards
from openfelt.catalog.field_values import RANKS, Reader
from openfelt.catalog.files import HandForm, PaytableFile, PaytableForm, RowForm, read_file
from openfelt.rules.paytable import (
    PAYTABLE_WAGERS,
    HandPaytable,
    HandRow,
    HolePattern,
    PairsPaytable,
    PairsRow,
    Paytable,
    ProgressivePaytable,
    ProgressiveReads,
    ProgressiveRow,
)

_TWO_RANKS = re.compile(r"([2-9TJQKA])([2-9TJQKA])([so]?)")

PaytableKey = tuple[str, str]
"""A paytable's wager and name: UTH-01 names both a Trips and a Blind table."""


def read_paytables(files: Iterable[Path]) -> dict[PaytableKey, Paytable]:
    """Read paytable files; rejects two tables with the same name and wager."""
    tables: dict[PaytableKey, Paytable] = {}
    for file in files:
        content = read_file(file, PaytableFile)
        Reader(file).at_least("version", content.version, 1)
        for number, form in enumerate(content.paytable):
            key = f"paytable[{number}]"
            if (form.wager, form.name) in tables:
                Reader(file).refuse(
                    key, f"a {form.wager} table called {form.name!r} exists already"
                )
            tables[form.wager, form.name] = build_paytable(file, key, form, content)
    return tables


def build_paytable(file: Path, key: str, form: PaytableForm, content: PaytableFile) -> Paytable:
    """Build one paytable of a file that has been read; ``key`` is its place in the file."""
    return _Table(file, key, form, content).build()


class _Table:
    """Builds one paytable from its file."""

    def __init__(self, file: Path, key: str, form: PaytableForm, content: PaytableFile) -> None:
        self.read = Reader(file)
        self.key = key
        self.form = form
        self.content = content

    def build(self) -> Paytable:
        form = self.form
        if form.wager not in PAYTABLE_WAGERS:
            self.read.refuse(
                f"{self.key}.wager",
                f"{form.wager!r} is not one of {', '.join(sorted(PAYTABLE_WAGERS))}",
            )
        if not form.rows:
            self.read.refuse(f"{self.key}.rows", "a paytable has at least one row")
        if form.wager == "progressive":
            return self._progressive()
        if form.wager == "ultimate_pairs":
            return self._pairs()
        return self._hands()

    def _hands(self) -> HandPaytable:
        rows = [
            self._hand_row(f"{self.key}.rows[{n}]", row) for n, row in enumerate(self.form.rows)
        ]
        self._check_order([row.hand.category for row in rows])
        return HandPaytable(**self._common(), rows=tuple(rows))

    def _check_order(self, categories: list[Category]) -> None:
        """Rows go from the best hand down without a gap, so a better hand never pays less.

        A Bad Beat table has no royal flush, because it cannot be beaten.
        """
        above = Category.ROYAL_FLUSH if self.form.wager == "bad_beat" else Category.ROYAL_FLUSH + 1
        for n, category in enumerate(categories):
            key = f"{self.key}.rows[{n}]"
            if category >= above:
                self.read.refuse(key, "rows go from the best hand to the worst, each only once")
            if category < above - 1:
                self.read.refuse(key, f"the row above it, {Category(above - 1).words}, is missing")
            above = category

    def _hand_row(self, key: str, row: RowForm) -> HandRow:
        if row.hand is None or row.pays is None:
            self.read.refuse(key, "a row needs `hand` and `pays`")
        self._only(key, row, "hand", "pays", "at_least", "label")
        hand = self.read.hand_minimum(key, HandForm(hand=row.hand, at_least=row.at_least))
        return HandRow(
            hand=hand,
            odds=self.read.odds(f"{key}.pays", row.pays),
            label=row.label or str(hand).capitalize(),
        )

    def _pairs(self) -> PairsPaytable:
        rows = [
            self._pairs_row(f"{self.key}.rows[{n}]", row) for n, row in enumerate(self.form.rows)
        ]
        return PairsPaytable(**self._common(), rows=tuple(rows))

    def _pairs_row(self, key: str, row: RowForm) -> PairsRow:
        if not row.hole or row.pays is None or row.label is None:
            self.read.refuse(key, "a row needs `label`, `hole` and `pays`")
        self._only(key, row, "hole", "dealer", "pays", "label")
        return PairsRow(
            hole=tuple(self._pattern(f"{key}.hole", text) for text in row.hole),
            dealer=tuple(self._pattern(f"{key}.dealer", text) for text in row.dealer),
            odds=self.read.odds(f"{key}.pays", row.pays),
            label=row.label,
        )

    def _pattern(self, key: str, text: str) -> HolePattern:
        """Parse ``AA``, ``AK``, ``AKs``, ``AKo`` or two exact cards such as ``AhAd``."""
        if len(text) == 4:
            return self._exact(key, text)
        match = _TWO_RANKS.fullmatch(text)
        if match is None or (match[1] == match[2] and match[3]):
            self.read.refuse(key, f"{text!r} are not two cards such as 'AA', 'AKs' or 'AhAd'")
        suited = {"": None, "s": True, "o": False}[match[3]]
        return HolePattern(text, (RANKS[match[1]], RANKS[match[2]]), suited=suited)

    def _exact(self, key: str, text: str) -> HolePattern:
        cards: tuple[Card, ...] = ()
        try:
            cards = parse_cards(text)
        except ValueError as error:
            self.read.refuse(key, str(error))
        if len(set(cards)) != 2:
            self.read.refuse(key, f"{text!r} are not two different cards")
        first, second = cards
        return HolePattern(text, (first.rank, second.rank), cards=(first, second))

    def _progressive(self) -> ProgressivePaytable:
        reads = self.read.name(f"{self.key}.reads", self.form.reads or "", ProgressiveReads)
        rows = [
            self._progressive_row(f"{self.key}.rows[{n}]", row)
            for n, row in enumerate(self.form.rows)
        ]
        self._check_order([row.category for row in rows])
        return ProgressivePaytable(**self._common(), reads=reads, rows=tuple(rows))

    def _progressive_row(self, key: str, row: RowForm) -> ProgressiveRow:
        if row.hand is None or (row.share is None) == (row.for_one is None):
            self.read.refuse(key, "a row needs `hand` and either `share` or `for_one`")
        self._only(key, row, "hand", "share", "for_one", "envy", "label")
        return ProgressiveRow(
            category=self.read.category(f"{key}.hand", row.hand),
            share=None if row.share is None else self.read.percent(f"{key}.share", row.share),
            for_one=None
            if row.for_one is None
            else self.read.at_least(f"{key}.for_one", row.for_one, 1),
            share_text=row.share,
            envy_for_one=self.read.at_least(f"{key}.envy", row.envy, 0),
            label=row.label or row.hand.capitalize(),
        )

    def _only(self, key: str, row: RowForm, *allowed: str) -> None:
        """Reject keys that belong to another kind of table."""
        for name in row.__struct_fields__:
            if getattr(row, name) and name not in allowed:
                self.read.refuse(f"{key}.{name}", f"a {self.form.wager} table has no such key")

    def _common(self) -> dict[str, Any]:
        """The fields that every kind of paytable has."""
        return {
            "name": self.form.name,
            "version": self.content.version,
            "source": self.content.source,
            "wager": self.form.wager,
            "clause": self.form.clause,
            "claimed_advantage": self.form.claimed_advantage,
            "claimed_game_advantage": self.form.claimed_game_advantage,
        }
