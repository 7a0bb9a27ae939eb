"""Wagers as the player types them. Whether they are allowed is up to the rules."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from openfelt.cli.play.screens.figures import chip_words
from openfelt.money import format_cents, parse_cents
from openfelt.rules import Beneficiary, House, Wager, WagerKind
from openfelt.rules.wagers import stake_cents

KIND_WORDS = {
    "": WagerKind.ANTE,
    "ante": WagerKind.ANTE,
    "a": WagerKind.ANTE,
    # Ante and Blind are placed together, so either word means both.
    "blind": WagerKind.ANTE,
    "trips": WagerKind.TRIPS,
    "t": WagerKind.TRIPS,
    "pairs": WagerKind.ULTIMATE_PAIRS,
    "ultimate pairs": WagerKind.ULTIMATE_PAIRS,
    "pair": WagerKind.ULTIMATE_PAIRS,
    "bad beat": WagerKind.BAD_BEAT,
    "badbeat": WagerKind.BAD_BEAT,
    "bad": WagerKind.BAD_BEAT,
    "bb": WagerKind.BAD_BEAT,
    "board": WagerKind.PLAY_THE_BOARD,
    "play the board": WagerKind.PLAY_THE_BOARD,
    "ptb": WagerKind.PLAY_THE_BOARD,
    "bonus": WagerKind.BONUS,
    "prog": WagerKind.PROGRESSIVE,
    "progressive": WagerKind.PROGRESSIVE,
}
"""The words that may be typed for each wager."""

_CHANGE = re.compile(
    r"(?P<dealer>dealer\b)?\s*(?P<kind>[a-z ]*?)\s*(?P<add>\+)?\s*(?P<amount>\$?\s*\d[\d.,]*|off)?"
)


_KINDS = "|".join(sorted((kind for kind in KIND_WORDS if kind), key=len, reverse=True))
_ONE_OF_SEVERAL = re.compile(
    rf"(?P<whose>(?:dealer\b\s*)?(?:(?:{_KINDS})(?![a-z])\s*)?)\+?\s*(?:\$?\s*\d[\d.,]*|off\b)\s*"
)


def split_changes(text: str) -> list[str]:
    """Split wagers that are typed without commas; each after the first has a name and an amount.

    Any other text is returned whole: ``5 trips`` is ambiguous, so it is not split.

    >>> split_changes("10 trips 5 bad beat 2.50")
    ['10', 'trips 5', 'bad beat 2.50']
    >>> split_changes("5 trips"), split_changes("10 20")
    (['5 trips'], ['10 20'])
    """
    changes: list[str] = []
    at = 0
    while at < len(text):
        match = _ONE_OF_SEVERAL.match(text, at)
        if match is None or (changes and not match["whose"]):
            return [text]
        changes.append(match[0].strip())
        at = match.end()
    return changes or [text]


@dataclass(frozen=True, slots=True)
class WagerChange:
    """One wager to put down, to raise or to take away."""

    kind: WagerKind
    cents: int | None
    """None if no amount was typed, which means the picked chip or the fixed amount."""
    add: bool = False
    beneficiary: Beneficiary = Beneficiary.PLAYER


def read_change(text: str) -> WagerChange | None:
    """Read a wager; None if the text is not one. Raises ValueError for an invalid amount.

    >>> read_change("trips 5").cents, read_change("dealer ante +10").add
    (500, True)
    >>> read_change("banana 5") is None
    True
    """
    match = _CHANGE.fullmatch(text)
    if match is None or not text or match["kind"] not in KIND_WORDS:
        return None
    if match["amount"] is None and not match["kind"]:
        return None
    cents = None
    if match["amount"] == "off":
        cents = 0
    elif match["amount"]:
        cents = parse_cents(match["amount"])
    return WagerChange(
        KIND_WORDS[match["kind"]],
        cents,
        add=bool(match["add"]),
        beneficiary=Beneficiary.DEALER if match["dealer"] else Beneficiary.PLAYER,
    )


def changed(
    wagers: Iterable[Wager], change: WagerChange, *, house: House, chip_cents: int
) -> tuple[Wager, ...]:
    """The wagers of a hand after a change. A new Ante takes its old Blind along."""
    wagers = tuple(wagers)
    before_cents = stake_cents(wagers, change.kind, change.beneficiary)
    cents = change.cents
    if cents is None:
        fixed_cents = _fixed_cents(house, change.kind)
        cents = fixed_cents if fixed_cents is not None else before_cents + chip_cents
    elif change.add:
        cents += before_cents
    replaced = {change.kind}
    if change.kind is WagerKind.ANTE:
        replaced.add(WagerKind.BLIND)
    kept = [
        wager
        for wager in wagers
        if wager.kind not in replaced or wager.beneficiary is not change.beneficiary
    ]
    return (*kept, Wager(change.kind, cents, change.beneficiary)) if cents else tuple(kept)


def _fixed_cents(house: House, kind: WagerKind) -> int | None:
    """The amount of a wager that comes in one size only, such as the progressive."""
    rule = house.wager(kind)
    return rule.min_cents if rule and rule.min_cents == rule.max_cents else None


def doubled(house: House, wagers: Iterable[Wager]) -> tuple[Wager, ...]:
    """Every wager twice as large, except those that come in one size only."""
    return tuple(
        wager
        if _fixed_cents(house, wager.kind) is not None
        else Wager(wager.kind, wager.cents * 2, wager.beneficiary)
        for wager in wagers
    )


def wager_list(wagers: Iterable[Wager]) -> str:
    """Wagers in one line: ``Ante $10, Blind $10``."""
    return ", ".join(
        f"{wager.kind.words} {chip_words(wager.cents)}"
        + (" for the dealer" if wager.beneficiary is Beneficiary.DEALER else "")
        for wager in wagers
    )


def read_bank_wager(text: str, *, most_cents: int, least_cents: int = 1) -> int | None:
    """Read the answer to an offered bank: an amount, or None for passing it on.

    Raises ValueError with a sentence for the player.

    >>> read_bank_wager("200", most_cents=99_700), read_bank_wager("pass", most_cents=99_700)
    (20000, None)
    """
    words = text.removeprefix("bank").strip()
    if words in ("pass", "no", "n", "decline"):
        return None
    if not words:
        raise ValueError("Type a bank wager such as 200, or pass.")
    cents = most_cents if words == "all" else parse_cents(words)
    if cents == 0:
        raise ValueError("A bank wager must be above $0. Type pass to decline.")
    if cents < least_cents:
        raise ValueError(
            f"A bank wager must be at least {format_cents(least_cents)} here; type pass to decline."
        )
    if cents > most_cents:
        raise ValueError(
            f"You can bank with {format_cents(most_cents)} at most, "
            "your credit less the collection."
        )
    return cents
