"""A round on its way to disk and back: its wagers, its cards and the decisions made so far.

What happened follows from these three alone, so the round goes on at exactly the
moment at which it was left.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date

import msgspec

from openfelt.cards import Card, format_cards, parse_cards
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
    Round,
    Spot,
    Wager,
    WagerKind,
    apply,
    begin,
)
from openfelt.rules.dealing import Deal, Turn
from openfelt.rules.decisions import Decision
from openfelt.rules.house import Procedure
from openfelt.rules.referee import TurnCards, decide
from openfelt.rules.round import BetsClosed, CardDealt, DecisionMade, RoundOpened, WagersSet


class SavedWager(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One wager on one hand."""

    seat: int
    hand: int
    kind: WagerKind
    cents: int
    beneficiary: Beneficiary = Beneficiary.PLAYER


class SavedDecision(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One decision, in the words of the rules."""

    seat: int
    hand: int
    decision: str
    by: DecidedBy = DecidedBy.PLAYER


class SavedRound(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A round that was dealt and not finished."""

    number: int
    fingerprint: str
    procedure: Procedure
    day: date
    banker_seat: int | None
    cover_cents: int
    wagers: list[SavedWager]
    cards: str
    decisions: list[SavedDecision]
    staked_cents: dict[int, int]
    """By seat: everything that goes back if the round is called off."""
    dues_cents: dict[int, int]


def saved_wagers(hands: Mapping[Spot, Iterable[Wager]]) -> list[SavedWager]:
    """The wagers of some hands as they were placed before the deal, without Play."""
    return [
        SavedWager(spot.seat, spot.hand, wager.kind, wager.cents, wager.beneficiary)
        for spot, wagers in hands.items()
        for wager in wagers
        if wager.kind is not WagerKind.PLAY
    ]


def wagers_by_spot(saved: Iterable[SavedWager]) -> dict[Spot, tuple[Wager, ...]]:
    """Saved wagers, spot by spot."""
    found: dict[Spot, tuple[Wager, ...]] = {}
    for one in saved:
        spot = Spot(one.seat, one.hand)
        wager = Wager(one.kind, one.cents, one.beneficiary)
        found[spot] = (*found.get(spot, ()), wager)
    return found


def save_round(
    state: Round,
    *,
    cards: Sequence[Card],
    decisions: Sequence[SavedDecision],
    dues: Mapping[int, int],
    staked_cents: Mapping[int, int],
) -> SavedRound:
    """Put a round that is being played on paper."""
    opened = state.opened
    return SavedRound(
        number=opened.number,
        fingerprint=opened.fingerprint,
        procedure=opened.procedure,
        day=opened.day,
        banker_seat=opened.banker.seat if opened.banker else None,
        cover_cents=opened.banker.cover_cents if opened.banker else 0,
        wagers=saved_wagers({spot: hand.wagers for spot, hand in state.hands.items()}),
        cards=format_cards(cards),
        decisions=list(decisions),
        staked_cents=dict(staked_cents),
        dues_cents=dict(dues),
    )


def parse_decision(text: str) -> Decision:
    """Read a decision in the words in which the rules print it.

    >>> parse_decision("bet 3x"), parse_decision("hold nothing")
    (Bet(multiple=3), Hold(cards=()))
    """
    verb, _, rest = text.partition(" ")
    match verb:
        case "check":
            return Check()
        case "fold":
            return Fold()
        case "bet":
            return Bet(int(rest.removesuffix("x")))
        case "hold":
            return Hold(() if rest == "nothing" else parse_cards(rest))
    raise ValueError(f"{text!r} is not a decision")


def restore_round(house: House, saved: SavedRound) -> tuple[Round, tuple[Card, ...]]:
    """The round as it was left, and its cards. ValueError where the house's rules changed."""
    banker = None
    if saved.banker_seat is not None:
        banker = Banker(saved.banker_seat, saved.cover_cents)
    opened = RoundOpened(
        number=saved.number,
        house=house.id,
        fingerprint=saved.fingerprint,
        procedure=saved.procedure,
        day=saved.day,
        banker=banker,
    )
    state = begin(house, opened)
    for spot, wagers in wagers_by_spot(saved.wagers).items():
        state = apply(state, WagersSet(spot, wagers))
    state = apply(state, BetsClosed())
    cards = parse_cards(saved.cards)
    return _played_on(state, cards, saved.decisions), cards


def _played_on(state: Round, cards: Sequence[Card], decisions: Sequence[SavedDecision]) -> Round:
    """Deal, turn and decide again until the record ends."""
    to_deal, to_decide = iter(cards), iter(decisions)
    while state.phase is Phase.PLAYING:
        step = state.current_step
        if isinstance(step, Deal):
            card = next(to_deal, None)
            if card is None:
                raise ValueError("the saved round lacks cards")
            state = apply(state, CardDealt(step.place, card, step.face_up))
        elif isinstance(step, Turn):
            for event in decide(state, TurnCards()):
                state = apply(state, event)
        else:
            one = next(to_decide, None)
            if one is None:
                break
            spot = Spot(one.seat, one.hand)
            if spot not in state.pending:
                raise ValueError("the saved round has a decision that was not due")
            state = apply(state, DecisionMade(spot, parse_decision(one.decision), one.by))
    return state
