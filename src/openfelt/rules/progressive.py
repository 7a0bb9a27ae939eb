"""The progressive wager: awards from a meter, Envy, and the books of one link.

Shares are taken from the meter as it stands when the round is settled. Fixed awards
and Envy are paid by the link as well, but do not shrink another hand's share.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from openfelt.cards import Hand, evaluate
from openfelt.money import format_cents, round_down
from openfelt.rules.house import House, ProgressiveRule, SeveralWinners
from openfelt.rules.lines import Line, PaidBy, Result
from openfelt.rules.paytable import ProgressiveReads, ProgressiveRow
from openfelt.rules.round import PlayerHand, Round
from openfelt.rules.wagers import Beneficiary, Spot, WagerKind


@dataclass(frozen=True, slots=True)
class Entry:
    """A hand that made the progressive wager, with what it made."""

    spot: Spot
    stake_cents: int
    hand: Hand
    row: ProgressiveRow | None


def entries(state: Round, spots: Sequence[Spot]) -> tuple[Entry, ...]:
    """The hands in the progressive, in settlement order."""
    found = []
    for spot in spots:
        hand = state.hands[spot]
        stake = hand.stake_cents(WagerKind.PROGRESSIVE)
        if stake:
            table = state.house.progressive_table()
            made = progressive_hand(state, hand, table.reads)
            found.append(Entry(spot, stake, made, table.row_for(made)))
    return tuple(found)


def progressive_hand(state: Round, hand: PlayerHand, reads: ProgressiveReads) -> Hand:
    """The hand that the progressive reads (R.21)."""
    match reads:
        case ProgressiveReads.HOLE_AND_FLOP:
            return evaluate((*hand.cards, *state.common[:3]))
        case ProgressiveReads.DEALT_FIVE:
            return evaluate(hand.cards)
        case ProgressiveReads.FINAL_SEVEN:
            return evaluate((*hand.cards, *state.common))


@dataclass(frozen=True, slots=True)
class Share:
    """One hand's part of the meter."""

    cents: int
    of_cents: int
    """The meter that it was taken from."""
    winners: int
    """How many hands divide it."""


def progressive_lines(
    state: Round, found: Sequence[Entry], *, meter_cents: int
) -> tuple[tuple[Line, ...], int]:
    """Settle every progressive wager and all Envy; give the lines and what shares took."""
    rule = state.house.progressive
    if not found or rule is None:
        return (), 0
    shares = _shares(state.house, rule, found, meter_cents)
    awards = [_award_line(state, entry, shares.get(entry.spot)) for entry in found]
    taken_cents = sum(share.cents for share in shares.values())
    return (*awards, *_envy_lines(state, found)), taken_cents


def _shares(
    house: House, rule: ProgressiveRule, found: Sequence[Entry], meter_cents: int
) -> dict[Spot, Share]:
    """What each winner of a share gets, largest share first or in order (R.24).

    A meter that has been won whole is seeded again at once, so a straight flush beside
    a royal flush wins its share of the seed and not of nothing.
    """
    winners = [(entry.spot, entry.row.share) for entry in found if entry.row and entry.row.share]
    if rule.several_winners is SeveralWinners.IN_ORDER:
        groups = [(share, [spot]) for spot, share in winners]
    else:
        best_first = sorted({share for _, share in winners}, reverse=True)
        groups = [(best, [spot for spot, share in winners if share == best]) for best in best_first]
    left_cents = meter_cents
    shares: dict[Spot, Share] = {}
    for part, spots in groups:
        each_cents = round_down(
            left_cents * part / len(spots), unit_cents=house.rounding_unit_cents
        )
        shares |= dict.fromkeys(spots, Share(each_cents, left_cents, len(spots)))
        left_cents -= each_cents * len(spots)
        if part == 1:
            left_cents = max(left_cents, rule.seed_cents)
    return shares


def _award_line(state: Round, entry: Entry, share: Share | None) -> Line:
    key, result = (
        ("progressive.win", Result.WIN) if entry.row else ("progressive.lose", Result.LOSE)
    )
    award_cents, words = _award(entry, share)
    return Line(
        spot=entry.spot,
        wager=WagerKind.PROGRESSIVE.value,
        beneficiary=Beneficiary.PLAYER,
        stake_cents=entry.stake_cents,
        outcome=key,
        result=result,
        returned_cents=0,
        payout_cents=award_cents,
        paid_by=PaidBy.LINK,
        clause=state.clause(key),
        because=f"{entry.hand.name} {words}.",
    )


def _award(entry: Entry, share: Share | None) -> tuple[int, str]:
    """What a hand wins, and in words."""
    row = entry.row
    if row is None:
        return 0, "is less than the progressive pays"
    if share is None:
        return entry.stake_cents * (row.for_one or 0), f"wins {row.for_one} for 1"
    divided = f", divided by {share.winners}" if share.winners > 1 else ""
    meter = format_cents(share.of_cents)
    return share.cents, f"wins {row.share_text} of the meter of {meter}{divided}"


def _envy_lines(state: Round, found: Sequence[Entry]) -> list[Line]:
    """Envy: a fixed amount to every other seat's hand with the wager (R.22)."""
    lines = []
    for winner in found:
        if winner.row is None or winner.row.envy_for_one == 0:
            continue
        lines += [
            Line(
                spot=entry.spot,
                wager="envy",
                beneficiary=Beneficiary.PLAYER,
                stake_cents=0,
                outcome="envy.win",
                result=Result.WIN,
                returned_cents=0,
                payout_cents=entry.stake_cents * winner.row.envy_for_one,
                paid_by=PaidBy.LINK,
                clause=state.clause("envy.win"),
                because=f"Seat {winner.spot.seat} made {winner.hand.category.phrase}: Envy pays "
                f"{winner.row.envy_for_one} for 1.",
            )
            for entry in found
            if entry.spot.seat != winner.spot.seat
        ]
    return lines


# The books of a link -----------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Meter:
    """A progressive meter and the books behind it, exact to the last fraction (R.23).

    At every moment ``seeded + contributed == amount + reserve + awarded + envied``.
    """

    amount: Fraction
    """What the display shows, in cents; a display rounds down."""
    reserve: Fraction
    """What stands behind the meter for fixed awards and Envy, negative while the house lends."""
    seeded: Fraction
    contributed: Fraction
    awarded: Fraction
    envied: Fraction

    @classmethod
    def fresh(cls, rule: ProgressiveRule) -> "Meter":
        """A meter at its seed."""
        nothing = Fraction(0)
        seed = Fraction(rule.seed_cents)
        return cls(
            amount=seed,
            reserve=nothing,
            seeded=seed,
            contributed=nothing,
            awarded=nothing,
            envied=nothing,
        )

    @property
    def display_cents(self) -> int:
        """The whole cents that the display shows."""
        return int(self.amount // 1)

    def contribute(self, rule: ProgressiveRule, wagered_cents: int) -> "Meter":
        """Add wagers: the house's part grows the meter, the rest stands in reserve."""
        to_meter = wagered_cents * rule.contribution
        return replace(
            self,
            amount=self.amount + to_meter,
            reserve=self.reserve + wagered_cents - to_meter,
            contributed=self.contributed + wagered_cents,
        )

    def pay(
        self, rule: ProgressiveRule, lines: Sequence[Line], *, from_meter_cents: int
    ) -> "Meter":
        """Pay a round's awards, and seed the meter again when it falls below its seed."""
        link = [line for line in lines if line.paid_by is PaidBy.LINK]
        envied = sum(line.payout_cents for line in link if line.wager == "envy")
        awarded = sum(line.payout_cents for line in link) - envied
        amount = self.amount - from_meter_cents
        top_up = max(Fraction(0), rule.seed_cents - amount) if from_meter_cents else Fraction(0)
        return replace(
            self,
            amount=amount + top_up,
            reserve=self.reserve - (awarded - from_meter_cents) - envied,
            seeded=self.seeded + top_up,
            awarded=self.awarded + awarded,
            envied=self.envied + envied,
        )
