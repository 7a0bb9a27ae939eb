"""The progressive wager: awards from a meter, Envy, and the books of one link.

Shares are taken from the meter at the time of settlement. The link also pays fixed
awards and Envy, but these do not reduce another hand's share.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final, Protocol

from openfelt.cards import Hand
from openfelt.money import AMOUNT_MAX_CENTS, format_cents, round_down
from openfelt.rules.house import House, ProgressiveRule, SeveralWinners
from openfelt.rules.lines import NO_VALUES, Line, PaidBy, Result, Why
from openfelt.rules.paytable import ProgressiveReads, ProgressiveRow
from openfelt.rules.player_hand import PlayerHand
from openfelt.rules.round import Round, is_face_down
from openfelt.rules.shown_hands import NOT_WON
from openfelt.rules.wagers import Beneficiary, Spot, WagerKind, stake_cents

_PROGRESSIVE: Final = WagerKind.PROGRESSIVE


@dataclass(frozen=True, slots=True)
class Entry:
    """A hand with the progressive wager, and its award."""

    spot: Spot
    stake_cents: int
    hand: Hand | None
    """What the progressive reads; None for a folded hand that is not shown (C.6)."""
    row: ProgressiveRow | None


def entries(state: Round, spots: Sequence[Spot]) -> tuple[Entry, ...]:
    """The hands in the progressive, in settlement order."""
    entered = []
    for spot in spots:
        hand = state.hands[spot]
        stake = stake_cents(hand.wagers, _PROGRESSIVE)
        if stake:
            table = state.house.progressive_table()
            if is_face_down(state, hand):
                entered.append(Entry(spot, stake, None, None))
                continue
            made = progressive_hand(state, hand, table.reads)
            entered.append(Entry(spot, stake, made, table.row_for(made)))
    return tuple(entered)


def progressive_hand(state: Round, hand: PlayerHand, reads: ProgressiveReads) -> Hand:
    """The hand that the progressive reads (R.21)."""
    return reads.hand_of(hand.cards, state.common)


@dataclass(frozen=True, slots=True)
class Share:
    """One hand's part of the meter."""

    cents: int
    of_cents: int
    """The meter that it was taken from."""
    winners: int
    """How many hands divide it."""


def progressive_lines(
    state: Round, entered: Sequence[Entry], *, meter_cents: int, seed_cents: int | None = None
) -> tuple[tuple[Line, ...], int]:
    """Settle every progressive wager and all Envy; returns the lines and the shares' total."""
    if not entered or state.house.progressive is None:
        return (), 0
    shares = meter_shares(state, entered, meter_cents=meter_cents, seed_cents=seed_cents)
    awards = [_award_line(state, entry, shares.get(entry.spot)) for entry in entered]
    taken_cents = sum(share.cents for share in shares.values())
    return (*awards, *envy_lines(state, entered)), taken_cents


def meter_shares(
    state: Round, entered: Sequence[Entry], *, meter_cents: int, seed_cents: int | None = None
) -> dict[Spot, Share]:
    """The part of the meter that each winner of a share gets."""
    rule = state.house.progressive
    if rule is None:
        return {}
    if seed_cents is not None:
        rule = replace(rule, seed_cents=seed_cents)
    return _shares(state.house, rule, entered, meter_cents)


def _shares(
    house: House, rule: ProgressiveRule, entered: Sequence[Entry], meter_cents: int
) -> dict[Spot, Share]:
    """The share of each winner, largest share first or in settlement order (R.24).

    A meter that has been won as a whole is reset to its seed immediately, so a straight flush
    beside a royal flush wins its share of the seed and not of nothing.
    """
    winners = [(entry.spot, entry.row.share) for entry in entered if entry.row and entry.row.share]
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
    award_cents, words = _award(entry, share)
    if entry.hand is None:
        key, result, because = "progressive.fold", Result.LOSE, NOT_WON
    else:
        ended, result = ("win", Result.WIN) if entry.row else ("lose", Result.LOSE)
        key, because = f"progressive.{ended}", f"{entry.hand.name} {words}."
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
        because=because,
        why=award_why(entry, share),
    )


def _award(entry: Entry, share: Share | None) -> tuple[int, str]:
    """The award of a hand in cents and in words."""
    row = entry.row
    if row is None:
        return 0, "is less than the progressive pays"
    if share is None:
        return entry.stake_cents * (row.for_one or 0), f"wins {row.for_one} for 1"
    divided = f", divided by {share.winners}" if share.winners > 1 else ""
    meter = format_cents(share.of_cents)
    return share.cents, f"wins {row.share_text} of the meter of {meter}{divided}"


def award_why(entry: Entry, share: Share | None) -> Why:
    """The reason for a progressive wager's result, with the meter only if it won a share."""
    if entry.hand is None:
        return NO_VALUES
    name, row = entry.hand.name, entry.row
    if row is None:
        return Why(hand=name)
    if row.share is None:
        return Why(hand=name, pays=_for_one(row.for_one))
    return Why(
        hand=name,
        pays=f"{row.share_text} of the meter",
        meter_cents=share.of_cents if share else None,
        winners=share.winners if share and share.winners > 1 else None,
    )


def _for_one(units: int | None) -> str:
    return f"{units or 0:,} for 1"


def envy_lines(state: Round, entered: Sequence[Entry]) -> list[Line]:
    """Envy: a fixed amount to every other seat's hand with the wager (R.22)."""
    lines = []
    for winner in entered:
        if winner.hand is None or winner.row is None or winner.row.envy_for_one == 0:
            continue
        why = Why(
            seat=winner.spot.seat,
            award=winner.row.label,
            pays=_for_one(winner.row.envy_for_one),
        )
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
                why=why,
            )
            for entry in entered
            if entry.spot.seat != winner.spot.seat
        ]
    return lines


# The books of a link -----------------------------------------------------------


class MeterRule(Protocol):
    """The rates of a meter: a house's ``ProgressiveRule``, or the rates of a link."""

    @property
    def contribution(self) -> Fraction:
        """The part of each wager that goes to the meter."""

    @property
    def seed_cents(self) -> int:
        """The amount that the house tops the meter up to after a win."""


@dataclass(frozen=True, slots=True)
class LinkTotals:
    """The contributions of one round to its link, and the link's payouts, in cents."""

    wagered_cents: int
    awarded_cents: int
    """Shares of the meter and fixed awards together."""
    envied_cents: int


def link_totals(lines: Sequence[Line]) -> LinkTotals:
    """Sum up the lines of a settlement that belong to the link."""
    link = [line for line in lines if line.paid_by is PaidBy.LINK]
    envied_cents = sum(line.payout_cents for line in link if line.wager == "envy")
    return LinkTotals(
        wagered_cents=sum(line.taken_cents for line in link),
        awarded_cents=sum(line.payout_cents for line in link) - envied_cents,
        envied_cents=envied_cents,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Meter:
    """A progressive meter and the books behind it, exact to the last fraction (R.23).

    At every moment ``seeded + contributed + moved_in`` equals
    ``amount + reserve + awarded + envied + handed_back + moved_out``. Meter and reserve may
    each carry a fraction of a cent; together they are whole cents.
    """

    amount: Fraction
    """The meter in cents; the display rounds it down."""
    reserve: Fraction
    """The reserve for fixed awards and Envy; negative while the house lends."""
    seeded: Fraction
    contributed: Fraction
    awarded: Fraction
    envied: Fraction
    handed_back: Fraction = Fraction(0)
    """The amount that the house took back when the link ended; negative if it paid a debt."""
    moved_in: Fraction = Fraction(0)
    """Meters and reserves of links that were retired into this one."""
    moved_out: Fraction = Fraction(0)
    """Meter and reserve that went to another link when this one was retired."""

    @classmethod
    def fresh(cls, rule: MeterRule) -> "Meter":
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

    @property
    def reserve_cents(self) -> int:
        """The reserve plus the fraction of a cent that the display omits: whole cents."""
        behind = self.amount + self.reserve - self.display_cents
        if behind.denominator != 1:
            raise ValueError(f"meter and reserve are not whole cents together: {behind}")
        return int(behind)

    def contribute(
        self, rule: MeterRule, wagered_cents: int, *, ceiling_cents: int = AMOUNT_MAX_CENTS
    ) -> "Meter":
        """Add wagers: the contribution goes to the meter, the rest to the reserve.

        A meter does not grow above its ceiling; the excess goes to the reserve.
        """
        room = max(Fraction(0), ceiling_cents - self.amount)
        to_meter = min(wagered_cents * rule.contribution, room)
        return replace(
            self,
            amount=self.amount + to_meter,
            reserve=self.reserve + wagered_cents - to_meter,
            contributed=self.contributed + wagered_cents,
        )

    def pay(self, rule: MeterRule, lines: Sequence[Line], *, from_meter_cents: int) -> "Meter":
        """Pay a round's awards, and top the meter up if it falls below its seed."""
        totals = link_totals(lines)
        return self.pay_out(
            rule,
            awarded_cents=totals.awarded_cents,
            envied_cents=totals.envied_cents,
            from_meter_cents=from_meter_cents,
        )

    def pay_out(
        self, rule: MeterRule, *, awarded_cents: int, envied_cents: int, from_meter_cents: int
    ) -> "Meter":
        """Pay awards by their totals; ``from_meter_cents`` of them are shares of the meter.

        The house tops the meter up in whole cents. The fraction that the display omits
        stays in the meter, so after a win the meter shows its seed and continues.
        """
        amount = self.amount - from_meter_cents
        top_up_cents = max(0, rule.seed_cents - int(amount // 1)) if from_meter_cents else 0
        return replace(
            self,
            amount=amount + top_up_cents,
            reserve=self.reserve - (awarded_cents - from_meter_cents) - envied_cents,
            seeded=self.seeded + top_up_cents,
            awarded=self.awarded + awarded_cents,
            envied=self.envied + envied_cents,
        )

    def hand_back(self) -> "Meter":
        """Close the books: the house takes the rest of meter and reserve, or pays the debt."""
        return replace(
            self,
            amount=Fraction(0),
            reserve=Fraction(0),
            handed_back=self.handed_back + self.amount + self.reserve,
        )

    @property
    def leaving(self) -> tuple[Fraction, Fraction]:
        """Meter and reserve as they go to another link, once the house has paid its debt."""
        return self.amount, self.reserve - min(self.reserve_cents, 0)

    def move_out(self) -> "Meter":
        """Close the books: meter and reserve go to another link, a debt is the house's."""
        amount, reserve = self.leaving
        return replace(
            self,
            amount=Fraction(0),
            reserve=Fraction(0),
            handed_back=self.handed_back + min(self.reserve_cents, 0),
            moved_out=self.moved_out + amount + reserve,
        )

    def move_in(self, amount: Fraction, reserve: Fraction) -> "Meter":
        """Add the meter and the reserve of a link that was retired into this one."""
        return replace(
            self,
            amount=self.amount + amount,
            reserve=self.reserve + reserve,
            moved_in=self.moved_in + amount + reserve,
        )
