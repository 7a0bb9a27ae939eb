"""The settlement of a round: every wager of every hand, in the house's order."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from openfelt.cards import Hand
from openfelt.rules import ultimate_draw, ultimate_holdem
from openfelt.rules.cover import cover_lines
from openfelt.rules.dealing import settlement_order
from openfelt.rules.house import GameName
from openfelt.rules.irregularity_rules import Effect
from openfelt.rules.lines import NO_VALUES, Line, PaidBy, Result, Settlement
from openfelt.rules.payout_aggregates import cut_payouts
from openfelt.rules.player_hand import PlayerHand
from openfelt.rules.progressive import Entry, entries, progressive_lines
from openfelt.rules.quick_replace import maker
from openfelt.rules.refusal import Refusal, RefusalCode
from openfelt.rules.round import Phase, Round
from openfelt.rules.wagers import Spot, Wager, WagerKind

# Looking a member up in an enumeration takes as long as a call.
_READY: Final = Phase.READY
_SETTLED: Final = Phase.SETTLED
_PROGRESSIVE: Final = WagerKind.PROGRESSIVE


def settle(
    state: Round, *, meter_cents: int | None = None, seed_cents: int | None = None
) -> Settlement:
    """Settle a round whose cards are all dealt, decided and turned.

    ``meter_cents`` is the progressive meter, required if a hand made that wager.
    ``seed_cents`` is its value after a win, if that is not the house's seed. A round that
    is already settled gives the same settlement again, with the meter from its record;
    this is how an audit checks it.
    """
    if state.phase is not _READY and state.phase is not _SETTLED:
        raise Refusal(RefusalCode.NOT_FINISHED, "The round is not finished yet.")
    if state.settlement is not None and meter_cents is None:
        meter_cents, seed_cents = state.settlement.meter_cents, state.settlement.seed_cents
    spots = settlement_spots(state)
    dead, void = state.dead_hands, state.void_hands
    in_progressive = _in_progressive(state, spots)
    linked = bool(in_progressive) or (
        bool(dead) and any(spot not in void and _in_link(state, spot) for spot in spots)
    )
    if linked and (type(meter_cents) is not int or meter_cents < 0):
        raise Refusal(
            RefusalCode.METER_NEEDED,
            "The progressive cannot be settled without its meter in whole cents.",
        )
    dealer = dealer_hand(state)
    qualified = state.house.dealer_qualifies.met_by(dealer)
    lines: list[Line] = []
    for spot in spots:
        lines += _hand_lines(state, spot, dealer)
    if state.house.refund_antes_first and not qualified:
        lines.sort(key=lambda line: line.outcome != "ante.not_qualified")
    if state.house.bank.folds_first:
        lines.sort(key=lambda line: not _lost_by_fold(state, line))
    covered, left_cents = _against_cover(state, lines)
    jackpot, meter_paid_cents = progressive_lines(
        state, in_progressive, meter_cents=meter_cents or 0, seed_cents=seed_cents
    )
    return _settlement(
        lines=(*covered, *jackpot),
        dealer_hand=dealer.name if state.dealer_face_up else None,
        dealer_qualified=qualified if state.dealer_face_up else None,
        cover_left_cents=left_cents,
        meter_cents=meter_cents if linked else None,
        seed_cents=seed_cents if linked else None,
        meter_paid_cents=meter_paid_cents,
    )


_settlement: Final = maker(Settlement)


def _in_progressive(state: Round, spots: Sequence[Spot]) -> tuple[Entry, ...]:
    """The hands whose progressive wagers are in action, in settlement order."""
    dead = state.dead_hands
    return entries(state, [spot for spot in spots if spot not in dead] if dead else spots)


def wins_meter_share(state: Round) -> bool:
    """Whether a hand of a round that is ready to be settled wins a share of the meter.

    Only then does an amount of the settlement depend on the meter.
    """
    if state.house.progressive is None:
        return False
    entered = _in_progressive(state, settlement_spots(state))
    return any(entry.row is not None and entry.row.share is not None for entry in entered)


def _in_link(state: Round, spot: Spot) -> bool:
    return state.hands[spot].stake_cents(_PROGRESSIVE) > 0


def _hand_lines(state: Round, spot: Spot, dealer: Hand) -> tuple[Line, ...]:
    if state.irregularities:
        if spot in state.void_hands:
            return void_hand_lines(state, spot)
        if spot in state.fouled_hands:
            return fouled_hand_lines(state, spot)
    return settle_hand(state, spot, dealer)


def _lost_by_fold(state: Round, line: Line) -> bool:
    """Whether the wager was collected when its hand was folded (C.6), or fouled (R.41)."""
    early = state.hands[line.spot].folded or line.spot in state.fouled_hands
    return line.result is Result.LOSE and early


class _Game(NamedTuple):
    """The functions in which the two games differ."""

    dealer_hand: Callable[[Round], Hand]
    settle_hand: Callable[[Round, PlayerHand, Hand], tuple[Line, ...]]


_GAMES = {
    GameName.ULTIMATE_HOLDEM: _Game(ultimate_holdem.dealer_hand, ultimate_holdem.settle_hand),
    GameName.ULTIMATE_DRAW: _Game(ultimate_draw.dealer_hand, ultimate_draw.settle_hand),
}


def dealer_hand(state: Round) -> Hand:
    """The dealer's final hand."""
    return _GAMES[state.house.game].dealer_hand(state)


def settle_hand(state: Round, spot: Spot, dealer: Hand) -> tuple[Line, ...]:
    """Settle every wager of one hand but the progressive, before any cover."""
    return _GAMES[state.house.game].settle_hand(state, state.hands[spot], dealer)


def _against_cover(state: Round, lines: list[Line]) -> tuple[tuple[Line, ...], int | None]:
    banker = state.opened.banker
    if banker is None:
        return _within_aggregates(state, lines), None
    return cover_lines(
        lines,
        cover_cents=banker.cover_cents,
        mode=state.house.bank.cover,
        clause=state.clause("uncovered"),
    )


def _within_aggregates(state: Round, lines: list[Line]) -> tuple[Line, ...]:
    limits = state.house.limits_on(state.opened.day)
    if limits is None or not limits.payout_aggregates:
        return tuple(lines)
    return cut_payouts(
        lines,
        limits,
        unit_cents=state.house.rounding_unit_cents,
        clause=state.clause("aggregate"),
    )


def settlement_spots(state: Round) -> tuple[Spot, ...]:
    """The hands in the order in which they are settled (R.14)."""
    banker = state.opened.banker
    banker_seat = banker.seat if banker else None
    return settlement_order(state.house, state.hands, banker_seat=banker_seat)


def void_hand_lines(state: Round, spot: Spot) -> tuple[Line, ...]:
    """Every wager of one hand that was declared void is returned in full (R.37)."""
    clause = _declared_clause(state, spot, Effect.VOID_HAND)
    return tuple(
        replace(
            _void_line(spot, wager, clause),
            outcome="hand_void",
            because="The hand is void: the wager goes back.",
        )
        for wager in state.hands[spot].wagers
    )


def fouled_hand_lines(state: Round, spot: Spot) -> tuple[Line, ...]:
    """Every wager of a hand that its player has fouled is lost, to the bank or the link (R.41)."""
    clause = _declared_clause(state, spot, Effect.LOSE_HAND)
    return tuple(
        replace(
            _void_line(spot, wager, clause),
            outcome="hand_fouled",
            result=Result.LOSE,
            returned_cents=0,
            because="The hand is fouled: the wager loses.",
        )
        for wager in state.hands[spot].wagers
    )


def _declared_clause(state: Round, spot: Spot, effect: Effect) -> str:
    return next(
        irregularity.clause
        for irregularity in state.irregularities
        if irregularity.effect is effect and irregularity.spot == spot
    )


def void_settlement(state: Round, *, clause: str | None = None) -> Settlement:
    """Every wager is returned in full, and nothing is paid (R.13).

    ``clause`` is what voids the round, if that is not the house's clause of void rounds.
    """
    clause = clause or state.clause("void")
    return Settlement(
        lines=tuple(
            _void_line(spot, wager, clause)
            for spot, hand in state.hands.items()
            for wager in hand.wagers
        ),
        cover_left_cents=state.opened.banker.cover_cents if state.opened.banker else None,
    )


def _void_line(spot: Spot, wager: Wager, clause: str) -> Line:
    return Line(
        spot=spot,
        wager=wager.kind.value,
        beneficiary=wager.beneficiary,
        stake_cents=wager.cents,
        outcome="void",
        result=Result.RETURNED,
        returned_cents=wager.cents,
        payout_cents=0,
        paid_by=PaidBy.LINK if wager.kind is WagerKind.PROGRESSIVE else PaidBy.BANK,
        clause=clause,
        because="The round is void: the wager goes back.",
        why=NO_VALUES,
    )
