"""Wagers: their kinds, beneficiaries and spots on the felt."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from openfelt.rules.quick_replace import maker, quickly_made


class WagerKind(StrEnum):
    """Every wager of both games, in the order in which a hand's wagers are settled."""

    ANTE = "ante"
    PLAY = "play"
    BLIND = "blind"
    TRIPS = "trips"
    BAD_BEAT = "bad_beat"
    ULTIMATE_PAIRS = "ultimate_pairs"
    PLAY_THE_BOARD = "play_the_board"
    BONUS = "bonus"
    PROGRESSIVE = "progressive"

    @property
    def words(self) -> str:
        """The name printed on the felt: ``"Bad Beat"``."""
        return _FELT_NAMES.get(self, self.value.replace("_", " ").title())


_FELT_NAMES: Final = {WagerKind.PLAY_THE_BOARD: "Play the Board"}
KINDS_IN_ORDER: Final = {kind: place for place, kind in enumerate(WagerKind)}


class Beneficiary(StrEnum):
    """Who receives the winnings of a wager: the player, or the dealer as a tip (S.5)."""

    PLAYER = "player"
    DEALER = "dealer"


SPOT_PATTERN: Final = r"[1-9][0-9]{0,5}\.[1-9][0-9]{0,2}"
"""The pattern of a spot's name, in ASCII digits. Python's ``int`` also reads digits of other
scripts, spaces, signs and underscores, so no part of a name is given to it unchecked."""
_SPOT: Final = re.compile(SPOT_PATTERN)


class Spot(NamedTuple):
    """A place to bet: one of the hands that one seat may play."""

    seat: int
    """1 to the house's number of seats, in dealing order."""
    hand: int
    """1 to the house's hands per seat."""

    def __str__(self) -> str:
        return f"{self.seat}.{self.hand}"

    @classmethod
    def parse(cls, text: str) -> "Spot":
        """The spot of this name; raises ValueError for any other text.

        >>> Spot.parse("3.1")
        Spot(seat=3, hand=1)
        """
        if not isinstance(text, str) or not _SPOT.fullmatch(text):
            raise ValueError(f"{text!r} is not the name of a hand, such as 3.1")
        seat, _, hand = text.partition(".")
        return cls(int(seat), int(hand))


@quickly_made
@dataclass(frozen=True, slots=True)
class Wager:
    """An amount on one betting circle.

    >>> Wager(WagerKind.ANTE, 1000, Beneficiary.DEALER).words
    'Ante for the dealer'
    """

    kind: WagerKind
    cents: int
    beneficiary: Beneficiary = Beneficiary.PLAYER

    @property
    def words(self) -> str:
        """The wager's name in a sentence."""
        for_dealer = self.beneficiary is Beneficiary.DEALER
        return f"{self.kind.words} for the dealer" if for_dealer else self.kind.words


# Looking a member up in an enumeration takes as long as a call.
_DEALER: Final = Beneficiary.DEALER
_ANTE: Final = WagerKind.ANTE
_PLAY: Final = WagerKind.PLAY


def wager_order(wager: Wager) -> tuple[bool, int]:
    """The key that puts a hand's wagers in order: the player's first, then the dealer's."""
    return (wager.beneficiary is _DEALER, KINDS_IN_ORDER[wager.kind])


def with_play(wagers: tuple[Wager, ...], multiple: int) -> tuple[Wager, ...]:
    """Add the Play wager, the dealer's in proportion to the dealer's Ante (R.12)."""
    plays = [
        _wager(_PLAY, wager.cents * multiple, wager.beneficiary)
        for wager in wagers
        if wager.kind is _ANTE
    ]
    return tuple(sorted((*wagers, *plays), key=wager_order))


_wager: Final = maker(Wager)


def stake_cents(
    wagers: Iterable[Wager], kind: WagerKind, beneficiary: Beneficiary = Beneficiary.PLAYER
) -> int:
    """The stake on one circle; 0 if it is empty.

    >>> stake_cents([Wager(WagerKind.ANTE, 1000)], WagerKind.TRIPS)
    0
    """
    cents = 0
    for wager in wagers:
        if wager.kind is kind and wager.beneficiary is beneficiary:
            cents += wager.cents
    return cents


def antes_cents(wagers: Iterable[Wager]) -> int:
    """The total of all Antes, for the player and for the dealer."""
    cents = 0
    for wager in wagers:
        if wager.kind is _ANTE:
            cents += wager.cents
    return cents


def total_cents(wagers: Iterable[Wager]) -> int:
    """The total of all stakes."""
    return sum([wager.cents for wager in wagers])
