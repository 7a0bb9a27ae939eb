"""The lines of a settlement: the result of every wager, and the clause that applies.

A wager's own rule gives an ``Outcome``; a ``Line`` is that outcome in money.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

from openfelt.cards import Hand
from openfelt.cards.hand import hand_name
from openfelt.rules.paytable import HandPaytable, Odds
from openfelt.rules.quick_replace import maker, quickly_made
from openfelt.rules.wagers import Beneficiary, Spot, Wager

_PLAYER: Final = Beneficiary.PLAYER


class Result(StrEnum):
    """The result of a wager."""

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"
    RETURNED = "returned"
    """Not in action: the round is void, or the bank could not cover it."""


class PaidBy(StrEnum):
    """The source of a payout, and the destination of a lost stake."""

    BANK = "bank"
    """The house, or the player/dealer of the round."""
    LINK = "link"
    """The progressive link."""


class Why(NamedTuple):
    """The values behind a wager's result, as used in the sentence that explains it.

    A screen writes that sentence in the player's language. Values that an outcome does not
    need are None, and no value names a hand that the English sentence does not name.
    """

    hand: str | None = None
    """The hand that the wager was settled by: the player's, the board's or the progressive's."""
    dealer_hand: str | None = None
    award: str | None = None
    """The row of the paytable that pays, if it is not named after the player's hand."""
    pays: str | None = None
    """The payout of the paytable: ``50 to 1``, ``9 for 1`` or ``10% of the meter``."""
    meter_cents: int | None = None
    """The progressive meter of which a share is won."""
    winners: int | None = None
    """How many hands divide that share, if there is more than one."""
    seat: int | None = None
    """The seat whose hand earned an Envy."""
    covered_cents: int | None = None
    """The amount that a player/dealer's bank covered, if it was not the whole line."""
    aggregate_cents: int | None = None
    """The most that all such wagers of a round are paid, if the line is paid less for it."""


NO_VALUES: Final = Why()
"""For a sentence without values, such as that of a fold."""


@lru_cache(maxsize=1 << 12)
def hand_why(hand: str, pays: str | None = None) -> Why:
    """The values of a sentence about one hand, kept because there are few different ones.

    >>> hand_why("Pair of sixes").hand
    'Pair of sixes'
    """
    return Why(hand=hand, pays=pays)


@quickly_made
@dataclass(frozen=True, slots=True)
class Outcome:
    """The decision of a wager's rule, before money: result, odds and reason."""

    result: Result
    key: str
    """The wager and how it ended, such as ``blind.push``; it determines the clause."""
    because: str
    """One sentence for the player."""
    odds: Odds | None = None
    """Set for every win."""
    why: Why = NO_VALUES
    """The values in ``because``."""


_outcome: Final = maker(Outcome)


def table_outcome(wager: str, hand: Hand, table: HandPaytable) -> Outcome:
    """The outcome of a wager that wins with every hand on its paytable, and only with those."""
    odds, name = table.odds_for(hand), hand.name
    if odds is None:
        words = f"{name} is less than the table pays."
        return _outcome(Result.LOSE, f"{wager}.lose", words, None, hand_why(name))
    pays = str(odds)
    return _outcome(Result.WIN, f"{wager}.win", f"{name} pays {pays}.", odds, hand_why(name, pays))


@quickly_made
@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One wager, settled."""

    spot: Spot
    wager: str
    """The wager's kind, or ``ante_bonus`` or ``envy``, which have no stake of their own."""
    beneficiary: Beneficiary
    stake_cents: int
    outcome: str
    """The wager and how it ended, such as ``blind.push``; it determines the clause."""
    result: Result
    returned_cents: int
    """The part of the stake that is returned to the player."""
    payout_cents: int
    """The amount paid on top."""
    paid_by: PaidBy
    clause: str
    because: str
    odds: Odds | None = None
    uncovered_cents: int = 0
    """The part of the stake or payout that a player/dealer's bank could not cover."""
    over_aggregate_cents: int = 0
    """The part of the payout that is not paid, because all such wagers of the round together
    would be paid more than the table's aggregate."""
    why: Why | None = field(default=None, compare=False, repr=False, metadata={"stored": False})
    """The values in ``because``. They are not stored: a line that was read from a store has
    None here, and ``openfelt.rules.reasons`` computes them again."""

    @property
    def taken_cents(self) -> int:
        """The part of the stake that the bank, or the link, takes."""
        return self.stake_cents - self.returned_cents

    @property
    def net_cents(self) -> int:
        """The net result of the wager."""
        return self.returned_cents + self.payout_cents - self.stake_cents

    @property
    def player_net_cents(self) -> int:
        """The net result of the wager for its player.

        The stake of a wager for the dealer is the player's; its winnings are the dealer's (R.12).
        """
        paid_cents = self.payout_cents if self.beneficiary is _PLAYER else 0
        return self.returned_cents + paid_cents - self.stake_cents


@dataclass(frozen=True, kw_only=True)
class Settlement:
    """Every wager of a round, settled, in settlement order."""

    lines: tuple[Line, ...]
    dealer_hand: str | None = None
    """The dealer's hand as announced; None if it was not shown."""
    dealer_qualified: bool | None = None
    cover_left_cents: int | None = None
    """The rest of the player/dealer's cover; None if the house banks."""
    meter_cents: int | None = None
    """The progressive meter used in the settlement; None without a progressive wager."""
    seed_cents: int | None = None
    """The seed that the meter was reset to within the round; None for the house's own seed."""
    meter_paid_cents: int = 0
    """The amount paid in shares of the meter, without fixed awards and Envy."""

    def of_seat(self, seat: int) -> tuple[Line, ...]:
        """The lines of one seat."""
        return self._by_seat.get(seat, ())

    @cached_property
    def _by_seat(self) -> dict[int, tuple[Line, ...]]:
        """Grouped once, because a stadium asks for each of its thousand seats."""
        by_seat: dict[int, list[Line]] = {}
        for line in self.lines:
            by_seat.setdefault(line.spot.seat, []).append(line)
        return {seat: tuple(lines) for seat, lines in by_seat.items()}

    def of_hand(self, spot: Spot) -> tuple[Line, ...]:
        """The lines of one hand."""
        return tuple([line for line in self.of_seat(spot.seat) if line.spot == spot])

    def net_cents(self, seat: int, hand: int | None = None) -> int:
        """The net result of the player of a seat, or of one of the seat's hands."""
        lines = self.of_seat(seat) if hand is None else self.of_hand(Spot(seat, hand))
        return sum([line.player_net_cents for line in lines])

    def net_for(self, seat: int, *, banker_seat: int | None) -> int:
        """The net result of a seat, as a player or as the bank, in cents."""
        return self.bank_net_cents if seat == banker_seat else self.net_cents(seat)

    def bank_net_against_cents(self, spot: Spot) -> int:
        """The net win of the bank against one hand; negative if the bank pays."""
        return _net_of(self.of_hand(spot), PaidBy.BANK)

    @property
    def bank_net_cents(self) -> int:
        """The net win of the bank; negative for a loss."""
        return _net_of(self.lines, PaidBy.BANK)

    @property
    def link_net_cents(self) -> int:
        """The amount that the progressive link took in, less what it paid."""
        return _net_of(self.lines, PaidBy.LINK)


def _net_of(lines: Iterable[Line], paid_by: PaidBy) -> int:
    return sum(line.taken_cents - line.payout_cents for line in lines if line.paid_by is paid_by)


class HandComparison(NamedTuple):
    """A player's hand beside the dealer's, as every wager on it reads and explains it."""

    verdict: str
    """``win``, ``lose`` or ``tie`` from the player's side."""
    words: str
    """The comparison in one phrase."""
    why: Why
    """The values in that phrase."""


def comparison_of(player: Hand, dealer: Hand) -> HandComparison:
    """Compare two hands, in words as a dealer would announce it.

    >>> from openfelt.cards import evaluate, parse_cards
    >>> player, dealer = parse_cards("6s6dAhKcQd"), parse_cards("6h6cAcKh2d")
    >>> comparison_of(evaluate(player), evaluate(dealer)).words
    "Pair of sixes beats the dealer's pair of sixes on the next card"
    """
    return strengths_compared(player.strength, dealer.strength)


def strengths_compared(player: int, dealer: int) -> HandComparison:
    """Compare the hands of two strengths."""
    verdict = "win" if player > dealer else "lose" if player < dealer else "tie"
    return _names_compared(verdict, hand_name(player), hand_name(dealer))


@lru_cache(maxsize=1 << 14)
def _names_compared(verdict: str, name: str, dealer_name: str) -> HandComparison:
    """The comparison in words. It is kept by the names, because nearly every pair of strengths is
    new in a round, while four of five pairs of names have been seen before."""
    why = Why(name, dealer_name)
    if verdict == "tie":
        return HandComparison(verdict, f"{name} ties the dealer's", why)
    verb = "beats" if verdict == "win" else "loses to"
    alike = " on the next card" if name == dealer_name else ""
    return HandComparison(verdict, f"{name} {verb} the dealer's {dealer_name.lower()}{alike}", why)


_LOSE: Final = Result.LOSE
_BANK: Final = PaidBy.BANK


def line_of(spot: Spot, wager: Wager, outcome: Outcome, *, clause: str, unit_cents: int) -> Line:
    """Turn an outcome into money, rounding the payout down to the house's unit."""
    odds, result, stake_cents = outcome.odds, outcome.result, wager.cents
    return _line(
        spot=spot,
        wager=wager.kind._value_,
        beneficiary=wager.beneficiary,
        stake_cents=stake_cents,
        outcome=outcome.key,
        result=result,
        returned_cents=0 if result is _LOSE else stake_cents,
        payout_cents=0 if odds is None else odds.payout_cents(stake_cents, unit_cents=unit_cents),
        paid_by=_BANK,
        clause=clause,
        because=outcome.because,
        odds=odds,
        why=outcome.why,
    )


_line: Final = maker(Line)
