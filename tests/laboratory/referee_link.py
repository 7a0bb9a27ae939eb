"""A progressive link: its meter to the last fraction of a cent, its awards and Envy.

Rulings 21 to 24. The meter takes the contributions of a round before the round's awards are paid.
Shares are of the whole cents that the meter shows. A meter that is won as a whole starts again from
its seed at once, and after the round one below its seed is filled up to it by the house.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import floor

from tests.laboratory.referee_hands import kind_of, value_of
from tests.laboratory.referee_paytables import TABLES, rounded_down
from tests.laboratory.referee_sheet import Hand, House, Result, Sheet


@dataclass(slots=True)
class Link:
    """The books of one link, in cents."""

    meter: Fraction
    reserve: Fraction = field(default_factory=Fraction)
    house_paid_cents: int = 0
    """What the house has put into the meter so far, its first seed included."""

    @classmethod
    def opened(cls, seed_cents: int) -> "Link":
        """A link whose meter stands at its seed."""
        return cls(meter=Fraction(seed_cents), house_paid_cents=seed_cents)

    @property
    def shown_cents(self) -> int:
        """The meter as players see it."""
        return floor(self.meter)

    @property
    def reserve_cents(self) -> int:
        """The reserve's account: it keeps the meter's fraction of a cent for it."""
        return int(self.reserve + (self.meter - self.shown_cents))

    def take_wagers(self, cents: int, contribution: Fraction) -> None:
        """Part of each wager feeds the meter, the rest the reserve."""
        self.meter += cents * contribution
        self.reserve += cents * (1 - contribution)

    def fill_up(self, seed_cents: int) -> None:
        """Whole cents of the house until the meter shows its seed."""
        missing = seed_cents - self.shown_cents
        if missing > 0:
            self.meter += missing
            self.house_paid_cents += missing


def _stake(hand: Hand) -> int:
    return sum(bet.cents for bet in hand.bets if bet.wager == "progressive")


def settle_link(
    house: House, link: Link, sheet: Sheet, order: Sequence[Hand]
) -> tuple[list[Result], int]:
    """The progressive wagers of a round with their Envy, and the meter that paid them.

    The hands come in settlement order. The link changes.
    """
    hands = [hand for hand in order if _stake(hand)]
    link.take_wagers(sum(map(_stake, hands)), house.contribution)
    meter_cents = link.shown_cents
    kinds = {hand: _kind(house, hand, sheet) for hand in hands}
    rows = TABLES["progressive"][house.progressive]
    shares = _shares(
        house, link, [(hand, rows[kinds[hand]]) for hand in hands if kinds[hand] in rows]
    )
    results = []
    for hand in hands:
        award = rows.get(kinds[hand], "")
        paid_cents = 0
        if award.endswith("%"):
            paid_cents = shares[hand]
        elif award:
            paid_cents = int(award) * _stake(hand)
            link.reserve -= paid_cents
        results.append(_result(hand, "progressive", _stake(hand), paid_cents, won=bool(award)))
    results += _envy(house, link, hands, kinds)
    link.fill_up(house.seed_cents)
    return results, meter_cents


def _kind(house: House, hand: Hand, sheet: Sheet) -> str:
    if hand.ended:
        return ""
    common = sheet.common[:3] if house.progressive_reads == "hole_and_flop" else sheet.common
    return kind_of(value_of(hand.cards, common))


def _shares(house: House, link: Link, winners: list[tuple[Hand, str]]) -> dict[Hand, int]:
    won = [(hand, int(award[:-1])) for hand, award in winners if award.endswith("%")]
    groups: list[tuple[int, list[Hand]]] = [(percent, [hand]) for hand, percent in won]
    if house.several_winners == "split":
        same = defaultdict(list)
        for hand, percent in won:
            same[percent].append(hand)
        groups = sorted(same.items(), reverse=True)
    paid: dict[Hand, int] = {}
    for percent, hands in groups:
        whole = Fraction(link.shown_cents * percent, 100)
        each = rounded_down(whole / len(hands), house.rounding_unit_cents)
        for hand in hands:
            paid[hand] = each
            link.meter -= each
        if percent == 100:
            link.fill_up(house.seed_cents)
    return paid


def _envy(house: House, link: Link, hands: list[Hand], kinds: dict[Hand, str]) -> list[Result]:
    """To every hand of other seats, for each hand that makes a listed award (ruling 22)."""
    amounts = TABLES["envy"][house.progressive]
    results = []
    for winner in hands:
        for_one = amounts.get(kinds[winner])
        for hand in hands:
            if for_one and hand.seat != winner.seat and not hand.ended:
                paid_cents = int(for_one) * _stake(hand)
                link.reserve -= paid_cents
                results.append(_result(hand, "envy", 0, paid_cents, won=True))
    return results


def _result(hand: Hand, wager: str, stake_cents: int, paid_cents: int, *, won: bool) -> Result:
    return Result(
        seat=hand.seat,
        number=hand.number,
        wager=wager,
        for_dealer=False,
        stake_cents=stake_cents,
        result="win" if won else "lose",
        returned_cents=0,
        paid_cents=paid_cents,
        by_link=True,
    )
