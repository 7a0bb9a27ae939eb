"""Proof that the laboratory can fail: mistakes planted in the program, each of which it notices."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from openfelt.cards import Card, Hand, evaluate
from openfelt.ledger import Reason, Transfer
from openfelt.rules import cover, progressive, settlement, ultimate_draw, ultimate_holdem
from openfelt.rules.house import Cover
from openfelt.rules.lines import HandComparison, Line, Outcome, Result, comparison_of
from openfelt.rules.paytable import HandPaytable, Odds, PairsPaytable
from openfelt.rules.player_hand import PlayerHand
from openfelt.rules.round import Round
from openfelt.rules.side_bets import settle_bad_beat, settle_ultimate_pairs
from openfelt.rules.ultimate_holdem import Showdown
from openfelt.rules.wagers import WagerKind
from openfelt.table import chips
from openfelt.table.collection import dues
from openfelt.table.links import link
from openfelt.table.state import Table
from tests.laboratory.comparison import Disagreement
from tests.laboratory.felt_rounds import check_felt_rounds
from tests.laboratory.floor_rounds import check_floor_rounds
from tests.laboratory.ready_rounds import check_ready_rounds
from tests.laboratory.tally import Tally

FELT_ROUNDS_MAX = 1500
FLOOR_ROUNDS_MAX = 150
"""How many rounds the laboratory has to notice a mistake; most take a few."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A mistake: the house where it shows, and what stands in place of the right code."""

    house: str
    owner: Any
    name: str
    wrong: Any


# Hold'em ---------------------------------------------------------------------------

_settle_ante = ultimate_holdem.settle_ante
_settle_blind = ultimate_holdem.settle_blind
_settle_wager = ultimate_holdem._settle_wager


def _fold_keeps_its_ante(showdown: Showdown) -> Outcome:
    return _settle_ante(replace(showdown, folded=showdown.folded and showdown.dealer_qualified))


def _every_dealer_qualifies(showdown: Showdown) -> Outcome:
    return _settle_ante(replace(showdown, dealer_qualified=True))


def _play_comes_back(showdown: Showdown) -> Outcome:
    if not showdown.dealer_qualified:
        return Outcome(Result.PUSH, "play.tie", "The dealer does not qualify.")
    return ultimate_holdem._even_money("play", showdown)


def _blind_loses_on_a_lesser_win(showdown: Showdown, table: HandPaytable) -> Outcome:
    outcome = _settle_blind(showdown, table)
    if outcome.key == "blind.push":
        return Outcome(Result.LOSE, "blind.lose", outcome.because)
    return outcome


def _folded_trips_lose(
    state: Round, hand: PlayerHand, showdown: Showdown, kind: WagerKind
) -> Outcome:
    if kind is WagerKind.TRIPS and hand.folded:
        return Outcome(Result.LOSE, "trips.lose", "The hand was folded.")
    return _settle_wager(state, hand, showdown, kind)


def _the_winning_hand_is_paid(player: Hand, dealer: Hand, table: HandPaytable) -> Outcome:
    odds = table.odds_for(max(player, dealer))
    if odds is None or player == dealer:
        return settle_bad_beat(player, dealer, table)
    return Outcome(Result.WIN, "bad_beat.win", "The winning hand is paid.", odds)


def _every_dealer_has_aces(
    hole: tuple[Card, ...], dealer: tuple[Card, ...], table: PairsPaytable
) -> Outcome:
    return settle_ultimate_pairs(hole, hole, table)


def _kickers_do_not_count(showdown: Showdown) -> HandComparison:
    player, dealer = showdown.player.category, showdown.dealer.category
    verdict = "tie" if player == dealer else "win" if player > dealer else "lose"
    return comparison_of(showdown.player, showdown.dealer)._replace(verdict=verdict)


def _rounded_up(odds: Odds, stake_cents: int, *, unit_cents: int = 1) -> int:
    return -(-stake_cents * odds.pays // odds.per)


# Banks and links -------------------------------------------------------------------

_covered = cover._covered
_spots = settlement.settlement_spots
_envy_lines = progressive.envy_lines


def _losses_use_no_cover(line: Line, left_cents: int, mode: Cover, clause: str) -> tuple[Line, int]:
    return _covered(line, left_cents, Cover.PAYOUTS, clause)


def _from_the_right(state: Round) -> tuple[Any, ...]:
    return tuple(reversed(_spots(state)))


def _envy_for_oneself(state: Round, entered: Any) -> list[Line]:
    lines = _envy_lines(state, entered)
    return [*lines, *(replace(line, spot=entered[0].spot) for line in lines[:1])]


def _whole_share_to_each(house: Any, rule: Any, entered: Any, meter_cents: int) -> dict[Any, Any]:
    winners = [entry for entry in entered if entry.row and entry.row.share]
    cents = {entry.spot: int(meter_cents * entry.row.share) for entry in winners}
    return {spot: progressive.Share(each, meter_cents, 1) for spot, each in cents.items()}


def _all_seven_cards(state: Round, hand: PlayerHand, reads: Any) -> Hand:
    return evaluate((*hand.cards, *state.common))


# Draw ------------------------------------------------------------------------------

_draw_ante = ultimate_draw.settle_ante
_four_in_sequence = ultimate_draw._four_in_sequence
_matched = ultimate_draw._matched


def _aces_are_high(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    held = _four_in_sequence(cards)
    return () if {str(card)[0] for card in held} == set("A234") else held


def _with_a_kicker(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    matched = _matched(cards)
    return (*matched, max(card for card in cards if card not in matched))


def _from_the_second_card(held: tuple[Card, ...], draw: tuple[Card, ...]) -> tuple[Card, ...]:
    return (*held, *draw[len(held) :])


def _unqualified_pays_winners_only(
    player: Hand, dealer: Hand, *, dealer_qualified: bool
) -> Outcome:
    return _draw_ante(player, dealer, dealer_qualified=dealer_qualified or player <= dealer)


def _the_first_takes_all(
    lines: Sequence[Line], limits: Any, *, unit_cents: int, clause: str
) -> tuple[Line, ...]:
    """Payouts in settlement order until the aggregate is used up."""
    left_cents = {one.wager: one.max_cents for one in limits.payout_aggregates}
    paid = []
    for line in lines:
        cents = min(line.payout_cents, left_cents.get(line.wager, line.payout_cents))
        if line.wager in left_cents:
            left_cents[line.wager] -= cents
        paid.append(replace(line, payout_cents=cents))
    return tuple(paid)


FELT_FAULTS: Mapping[str, Fault] = {
    "no payout is cut": Fault(
        "washington-aggregates", settlement, "cut_payouts", lambda lines, *_, **__: tuple(lines)
    ),
    "the first hand takes the aggregate": Fault(
        "stadium-aggregates", settlement, "cut_payouts", _the_first_takes_all
    ),
    "a fold keeps its Ante": Fault(
        "california", ultimate_holdem, "settle_ante", _fold_keeps_its_ante
    ),
    "every dealer qualifies": Fault(
        "online", ultimate_holdem, "settle_ante", _every_dealer_qualifies
    ),
    "Play comes back": Fault("washington", ultimate_holdem, "settle_play", _play_comes_back),
    "a lesser Blind loses": Fault(
        "stadium", ultimate_holdem, "settle_blind", _blind_loses_on_a_lesser_win
    ),
    "folded Trips lose": Fault("online", ultimate_holdem, "_settle_wager", _folded_trips_lose),
    "the winning hand is paid": Fault(
        "stadium", ultimate_holdem, "settle_bad_beat", _the_winning_hand_is_paid
    ),
    "every dealer has aces": Fault(
        "stadium", ultimate_holdem, "settle_ultimate_pairs", _every_dealer_has_aces
    ),
    "kickers do not count": Fault(
        "online", Showdown, "comparison", property(_kickers_do_not_count)
    ),
    "cents are rounded up": Fault("online-odd-cents", Odds, "payout_cents", _rounded_up),
    "folds are settled in turn": Fault("california", settlement, "_lost_by_fold", lambda *_: False),
    "losses use no cover": Fault("california", cover, "_covered", _losses_use_no_cover),
    "from the wrong side": Fault("california", settlement, "settlement_spots", _from_the_right),
    "Envy for oneself": Fault("washington-split", progressive, "envy_lines", _envy_for_oneself),
    "a whole share to each": Fault(
        "washington-split", progressive, "_shares", _whole_share_to_each
    ),
    "turn and river count": Fault("washington", progressive, "progressive_hand", _all_seven_cards),
    "the ace is only high": Fault("draw", ultimate_draw, "_four_in_sequence", _aces_are_high),
    "a kicker is held": Fault("draw", ultimate_draw, "_matched", _with_a_kicker),
    "the wrong common cards": Fault("draw", ultimate_draw, "final_cards", _from_the_second_card),
    "half an Ante to winners only": Fault(
        "draw", ultimate_draw, "settle_ante", _unqualified_pays_winners_only
    ),
}


@pytest.mark.parametrize("check_rounds", [check_ready_rounds, check_felt_rounds])
@pytest.mark.parametrize("what", FELT_FAULTS)
def test_a_wrong_settlement_is_noticed(
    what: str, check_rounds: Callable[[str, int, int], Tally], monkeypatch: pytest.MonkeyPatch
) -> None:
    fault = FELT_FAULTS[what]
    monkeypatch.setattr(fault.owner, fault.name, fault.wrong)
    with pytest.raises(Disagreement):
        check_rounds(fault.house, 1, FELT_ROUNDS_MAX)


# The book --------------------------------------------------------------------------

_line = chips._line
_bank_returned = chips._bank_returned


def _tips_to_the_player(accounts: chips._SettledAccounts, line: Line) -> Iterator[Transfer]:
    for transfer in _line(accounts, line):
        tip = transfer.reason is Reason.TIP
        yield replace(transfer, credit=accounts.credit(line.spot.seat)) if tip else transfer


def _smallest_band(state: Round) -> dict[int, int]:
    return dict.fromkeys(dues(state), 100)


def _a_cent_stays(table: Table, settled: Any) -> Iterator[Transfer]:
    for transfer in _bank_returned(table, settled):
        yield replace(transfer, cents=transfer.cents - 1) if transfer.cents > 1 else transfer


def _the_meter_stands(*_: object) -> tuple[Transfer, ...]:
    return ()


FLOOR_FAULTS: Mapping[str, Fault] = {
    "tips go to the player": Fault("stadium", chips, "_line", _tips_to_the_player),
    "one collection for all": Fault("california", chips, "dues", _smallest_band),
    "no collection": Fault("california", chips, "dues", lambda _: {}),
    "a cent of the bank stays": Fault("california", chips, "_bank_returned", _a_cent_stays),
    "the meter stands": Fault("washington", link, "_round_moves", _the_meter_stands),
}


@pytest.mark.parametrize("what", FLOOR_FAULTS)
def test_a_wrong_posting_is_noticed(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fault = FLOOR_FAULTS[what]
    monkeypatch.setattr(fault.owner, fault.name, fault.wrong)
    with pytest.raises(Disagreement):
        check_floor_rounds(tmp_path, fault.house, seed=1, rounds=FLOOR_ROUNDS_MAX)
