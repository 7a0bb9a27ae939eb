"""Rounds that wait to be settled: the laboratory bets, deals and decides them by itself.

The program gets such a round as the state before its confirmation, and only settles it. No action
is taken one by one, so these are the quickest rounds, and most of a million. A test plays some of
them step by step as well, and comes to the same state.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import islice
from random import Random
from typing import NamedTuple

from openfelt.cards import FULL_DECK, Card
from openfelt.rules import (
    Banker,
    Beneficiary,
    Bet,
    Check,
    DecidedBy,
    Fold,
    Hold,
    House,
    Phase,
    Refusal,
    Round,
    Settlement,
    Spot,
    Street,
    Wager,
    WagerKind,
    open_round,
    settle,
)
from openfelt.rules.dealing import hands_max
from openfelt.rules.decisions import Decided
from openfelt.rules.house import Procedure
from openfelt.rules.player_hand import PlayerHand
from openfelt.rules.round import dealer_matters
from openfelt.rules.round_events import RoundOpened
from openfelt.rules.wager_rules import complete_wagers
from openfelt.rules.wagers import wager_order
from tests.kit.felt import TODAY
from tests.laboratory import referee, referee_sheet
from tests.laboratory.comparison import compare
from tests.laboratory.deals import DECK, Deal, next_deal
from tests.laboratory.moves import (
    COVERS_CENTS,
    METERS_CENTS,
    plain_wagers,
    random_wagers,
)
from tests.laboratory.product_houses import HOUSES, product_house
from tests.laboratory.record import Recorded
from tests.laboratory.referee_draw import house_way
from tests.laboratory.referee_link import Link
from tests.laboratory.referee_sheet import Decision, Result, Sheet
from tests.laboratory.tally import Tally

SAME_BETS = 4
"""For how many rounds players bet the same."""
_CARDS = {str(card): card for card in FULL_DECK}
_STREETS = (Street.BEFORE_FLOP, Street.ON_FLOP, Street.ON_RIVER)
_CHECK, _FOLD = Decision("check"), Decision("fold")
_LINES = tuple(
    (*(_CHECK for _ in range(checks)), last)
    for checks, last in (
        (0, Decision("bet", 3)),
        (0, Decision("bet", 4)),
        (1, Decision("bet", 2)),
        (2, Decision("bet", 1)),
        (2, _FOLD),
        (2, _FOLD),
    )
)
"""Every way to play a hand of hold'em; folds are as many as bets on the river and before it."""


@dataclass(frozen=True, slots=True)
class Ready:
    """A round as both know it: the laboratory's sheet, and the program's state."""

    sheet: Sheet
    state: Round
    meter_cents: int | None
    asked: Mapping[Spot, tuple[Wager, ...]]
    """What each hand has bet, before the program adds a Blind to it."""


def ready_rounds(name: str, random: Random) -> Iterator[Ready]:
    """Rounds of a house without end: random wagers and decisions, and every card is dealt.

    Players bet the same for some rounds, as they do with Re-bet; cards and decisions change.
    """
    house = product_house(name)
    while True:
        opened = _opened(name, random.choice(house.procedures))
        if opened.banker is not None:
            seat = random.randint(1, house.seats)
            cover_cents = random.choice((1, 777, *COVERS_CENTS))
            opened = replace(opened, banker=Banker(seat, cover_cents))
        betting = _wagers(house, opened, random)
        for _ in range(SAME_BETS):
            deal = next_deal(HOUSES[name].game, random)
            sheet = _sheet(name, opened, betting, deal, random)
            wanted = any(bet.wager == "progressive" for hand in betting for bet in hand.bets)
            yield Ready(
                sheet=sheet,
                state=_state(house, opened, sheet, betting),
                meter_cents=random.choice(METERS_CENTS) if wanted else None,
                asked={hand.spot: hand.asked for hand in betting},
            )


@cache
def _opened(name: str, procedure: Procedure) -> RoundOpened:
    house = product_house(name)
    banker = Banker(1, 1) if HOUSES[name].cover else None
    return open_round(house, number=1, day=TODAY, procedure=procedure, banker=banker)


class _Betting(NamedTuple):
    """The wagers of one hand."""

    spot: Spot
    asked: tuple[Wager, ...]
    placed: tuple[Wager, ...]
    """As the program completes them, with a Blind."""
    bets: tuple[referee_sheet.Bet, ...]
    """As the laboratory writes them on its sheet."""


def _wagers(house: House, opened: RoundOpened, random: Random) -> tuple[_Betting, ...]:
    banker_seat = opened.banker.seat if opened.banker else 0
    free = [seat for seat in range(1, min(house.seats, 40) + 1) if seat != banker_seat]
    most = 4 if house.hands_per_seat == 1 else 2
    seats = random.sample(free, min(len(free), random.randint(1, most)))
    spots = [
        Spot(seat, hand)
        for seat in sorted(seats)
        for hand in range(1, random.randint(1, house.hands_per_seat) + 1)
    ]
    limits = house.limits_on(opened.day)
    betting = []
    for spot in spots[: hands_max(house)]:
        asked = random_wagers(house, random)
        try:
            placed = complete_wagers(house, limits, asked)
        except Refusal:
            asked = plain_wagers(house, random)
            placed = complete_wagers(house, limits, asked)
        bets = tuple(
            referee_sheet.Bet(
                wager.kind.value, wager.cents, wager.beneficiary is Beneficiary.DEALER
            )
            for wager in asked
        )
        betting.append(_Betting(spot, asked, placed, bets))
    return tuple(betting)


def _sheet(
    name: str, opened: RoundOpened, betting: tuple[_Betting, ...], deal: Deal, random: Random
) -> Sheet:
    """The laboratory's own account of the round."""
    size = 5 if HOUSES[name].game == "draw" else 2
    common = tuple(deal.card("common", at) for at in range(1, 6))
    dealer = tuple(deal.card("dealer", at) for at in range(1, size + 1))
    hands = []
    taken: dict[int, set[str]] = {}
    for at, (spot, _, _, bets) in enumerate(betting):
        if HOUSES[name].own_decks and at >= len(deal.stack.hands):
            gone = taken.setdefault(spot.seat, {*common, *dealer, *deal.stack.cards})
            cards = tuple(random.sample([card for card in DECK if card not in gone], size))
            gone.update(cards)
        else:
            cards = tuple(deal.card("hand", position, at) for position in range(1, size + 1))
        decisions = _decisions(size, bets, cards, random)
        hands.append(referee_sheet.Hand(spot.seat, spot.hand, bets, cards, decisions))
    banker = opened.banker
    return Sheet(
        house=name,
        number=1,
        hands=tuple(hands),
        dealer=dealer,
        common=common,
        banker_seat=banker.seat if banker else 0,
        cover_cents=banker.cover_cents if banker else 0,
    )


def _decisions(
    size: int, bets: tuple[referee_sheet.Bet, ...], cards: tuple[str, ...], random: Random
) -> tuple[Decision, ...]:
    if size == 5:
        held = random.sample(cards, random.choice((0, 0, 1, 2, 3, 4, 5, 5, 5)))
        if random.random() < 0.4:
            held = list(house_way(cards))
        return (Decision("hold", held=tuple(card for card in cards if card in held)),)
    own_ante = any(bet.wager == "ante" and not bet.for_dealer for bet in bets)
    return random.choice(_LINES) if own_ante else ()


def _state(house: House, opened: RoundOpened, sheet: Sheet, betting: tuple[_Betting, ...]) -> Round:
    """The same round as the program has it before it is confirmed."""
    state = Round(
        house=house,
        opened=opened,
        phase=Phase.READY,
        hands={bet.spot: _hand(hand, bet) for hand, bet in zip(sheet.hands, betting, strict=True)},
        dealer=_cards(sheet.dealer),
        common=_cards(sheet.common),
        common_face_up=5,
        dealer_face_up=True,
    )
    return state if dealer_matters(state) else replace(state, dealer_face_up=False)


def _hand(hand: referee_sheet.Hand, betting: _Betting) -> PlayerHand:
    placed = betting.placed
    if hand.times:
        plays = [
            Wager(WagerKind.PLAY, hand.times * wager.cents, wager.beneficiary)
            for wager in placed
            if wager.kind is WagerKind.ANTE
        ]
        placed = tuple(sorted((*placed, *plays), key=wager_order))
    return PlayerHand(
        spot=betting.spot,
        wagers=placed,
        cards=_cards(hand.cards),
        decisions=_decided(hand.decisions),
    )


def _cards(names: tuple[str, ...]) -> tuple[Card, ...]:
    return tuple([_CARDS[name] for name in names])


def _decided(decisions: tuple[Decision, ...]) -> tuple[Decided, ...]:
    if decisions and decisions[0].word == "hold":
        hold = Hold(_cards(decisions[0].held))
        return (Decided(Street.DRAW, hold, DecidedBy.PLAYER),)
    return _decided_line(decisions)


@cache
def _decided_line(decisions: tuple[Decision, ...]) -> tuple[Decided, ...]:
    passing: dict[str, Check | Fold] = {"check": Check(), "fold": Fold()}
    return tuple(
        Decided(street, passing.get(made.word) or Bet(made.times), DecidedBy.PLAYER)
        for street, made in zip(_STREETS, decisions, strict=False)
    )


def settled_round(ready: Ready, settlement: Settlement) -> Recorded:
    """The program's settlement of a round, in the referee's words."""
    return Recorded(
        sheet=ready.sheet,
        results=[
            Result(
                line.spot.seat,
                line.spot.hand,
                line.wager,
                line.beneficiary is Beneficiary.DEALER,
                line.stake_cents,
                line.result.value,
                line.returned_cents,
                line.payout_cents,
                line.wager in ("progressive", "envy"),
            )
            for line in settlement.lines
        ],
        dealer_qualified=settlement.dealer_qualified,
        cover_left_cents=settlement.cover_left_cents,
        meter_cents=settlement.meter_cents,
        cut=tuple(line.wager for line in settlement.lines if line.over_aggregate_cents),
    )


def check_ready_rounds(name: str, seed: int, rounds: int) -> Tally:
    """Settle and check rounds of one house; raises Disagreement."""
    tally = Tally()
    for ready in islice(ready_rounds(name, Random(f"ready {name}/{seed}")), rounds):
        tally.count(_check_round(name, ready))
    return tally


def _check_round(name: str, ready: Ready) -> Recorded:
    recorded = settled_round(ready, settle(ready.state, meter_cents=ready.meter_cents))
    link = None
    if ready.meter_cents is not None:
        # The meter that settles a round has its contributions already.
        wagered_cents = sum(
            bet.cents
            for hand in ready.sheet.hands
            for bet in hand.bets
            if bet.wager == "progressive"
        )
        link = Link(Fraction(ready.meter_cents) - wagered_cents * HOUSES[name].contribution)
    compare(referee.settle(HOUSES[name], ready.sheet, link), recorded)
    return recorded
