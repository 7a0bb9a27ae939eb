"""The referee: turns an action into events, or refuses it with a reason.

Deciding may refuse, and then nothing has changed. The events that it returns are facts,
which ``openfelt.rules.round.apply`` applies without further checks.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date

from openfelt.cards import Card
from openfelt.money import AMOUNT_MAX_CENTS, format_cents
from openfelt.rules.choices import choices, clock_decision, first_to_act
from openfelt.rules.dealing import Deal, Lies, Place, Street, Turn, hands_max
from openfelt.rules.decisions import DecidedBy, Decision, Hold
from openfelt.rules.forms import (
    check_dealt_card,
    check_decision,
    check_meter,
    check_opening,
    check_place,
    check_reason,
    check_spot,
    check_wagers,
    malformed,
)
from openfelt.rules.house import BankKind, Deck, GameName, House, Procedure
from openfelt.rules.refusal import Refusal, RefusalCode
from openfelt.rules.round import Phase, PlayerHand, Round, apply, card_at, hands_to_turn
from openfelt.rules.round_events import (
    AntesReturned,
    Banker,
    BetsClosed,
    CardCorrected,
    CardDealt,
    CardsTurned,
    DecisionMade,
    Event,
    RoundOpened,
    RoundSettled,
    RoundVoided,
    WagersSet,
)
from openfelt.rules.settlement import settle, void_settlement
from openfelt.rules.showdown import antes_to_return
from openfelt.rules.ultimate_holdem import decision_cost_cents, decisions_on
from openfelt.rules.wager_rules import check_aggregate, complete_wagers
from openfelt.rules.wagers import Spot, Wager, WagerKind, total_cents

# Actions ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SetWagers:
    """Replace the wagers on the spot; an empty tuple clears it."""

    spot: Spot
    wagers: tuple[Wager, ...]
    round: int | None = field(default=None, kw_only=True)
    """The round that they are meant for. If it is given, late wagers do not apply to the
    next round."""


@dataclass(frozen=True, slots=True)
class CloseBets:
    """Call "no more bets"."""

    checked_cents: int | None = None
    """The chips that the dealer has counted on the felt; bets close only if they are the wagers
    that were accepted."""


@dataclass(frozen=True, slots=True)
class DealCard:
    """Deal the next card of the plan."""

    card: Card
    round: int | None = field(default=None, kw_only=True)
    place: Place | None = field(default=None, kw_only=True)
    """The place that the sender has seen to be due. If it is given, a card that arrives too late
    does not go to another place."""


@dataclass(frozen=True, slots=True)
class CorrectCard:
    """Correct a wrongly scanned card, at any time before the round is confirmed."""

    place: Place
    card: Card


@dataclass(frozen=True, slots=True)
class SwapCards:
    """Correct two cards that were scanned crosswise: each lies at the other's place."""

    place: Place
    other: Place
    round: int | None = field(default=None, kw_only=True)


@dataclass(frozen=True, slots=True)
class TurnCards:
    """Turn over the cards that come next in the plan."""


@dataclass(frozen=True, slots=True)
class MakeDecision:
    """Decide for a hand."""

    spot: Spot
    decision: Decision
    by: DecidedBy = DecidedBy.PLAYER
    round: int | None = field(default=None, kw_only=True)
    street: Street | None = field(default=None, kw_only=True)
    """The street that the player saw. If it is given, a late or repeated decision does not
    apply to a street that the player has not seen."""


@dataclass(frozen=True, slots=True)
class Confirm:
    """Confirm the round, which settles every wager and ends it."""

    meter_cents: int | None = None
    seed_cents: int | None = None
    """The value of the meter after it is won; by default the house's own seed."""


@dataclass(frozen=True, slots=True)
class VoidRound:
    """Declare the round void."""

    reason: str


Action = (
    SetWagers
    | CloseBets
    | DealCard
    | CorrectCard
    | SwapCards
    | TurnCards
    | MakeDecision
    | Confirm
    | VoidRound
)


# Opening ---------------------------------------------------------------------


def open_round(
    house: House,
    *,
    number: int,
    day: date,
    procedure: Procedure | None = None,
    banker: Banker | None = None,
) -> RoundOpened:
    """Open a round under a house's rules; ``begin`` makes its state.

    A player-banked house needs a banker with a bank wager; the house never banks such a
    round itself (R.19).
    """
    check_opening(number, day)
    procedure = procedure or house.procedure
    if not isinstance(procedure, Procedure) or procedure not in house.procedures:
        raise Refusal(
            RefusalCode.BAD_OPENING, f"{house.name} does not deal by the {procedure} procedure."
        )
    if (house.bank.kind is BankKind.PLAYER_DEALER) != (banker is not None):
        no_banker, house_banks = (
            "No round is dealt without a player/dealer.",
            "The house banks this game.",
        )
        raise Refusal(RefusalCode.BAD_OPENING, no_banker if banker is None else house_banks)
    if banker is not None:
        _check_banker(house, banker)
    if house.limits and house.limits_on(day) is None:
        raise Refusal(RefusalCode.BAD_OPENING, f"{house.name} has no limits for {day} yet.")
    return RoundOpened(
        number=number,
        house=house.id,
        fingerprint=house.fingerprint,
        procedure=procedure,
        day=day,
        banker=banker,
    )


def _check_banker(house: House, banker: Banker) -> None:
    if not isinstance(banker, Banker):
        raise Refusal(RefusalCode.BAD_OPENING, "A player/dealer has a seat and a bank wager.")
    if type(banker.seat) is not int or not 1 <= banker.seat <= house.seats:
        raise Refusal(RefusalCode.BAD_OPENING, f"There is no seat {banker.seat}.")
    if type(banker.cover_cents) is not int or not 0 < banker.cover_cents <= AMOUNT_MAX_CENTS:
        raise Refusal(
            RefusalCode.BAD_OPENING, "The player/dealer's bank wager must be whole cents, above 0."
        )


# Deciding --------------------------------------------------------------------


def decide(state: Round, action: Action, *, credit_cents: int | None = None) -> tuple[Event, ...]:
    """The events that follow from an action; raises Refusal if it is not allowed.

    ``credit_cents`` is the amount that the acting seat can still stake beyond its wagers on
    the table; without it, credit is not checked.
    """
    _check_in_progress(state)
    check_form(action)
    return _events_of(state, action, credit_cents)


def check_form(action: object) -> None:
    """Refuse an action whose values are not what they should be.

    This is the only check of an action's form: what follows relies on it.
    """
    match action:
        case SetWagers(spot, wagers):
            check_spot(spot)
            check_wagers(wagers)
        case MakeDecision(spot, decision, by):
            check_spot(spot)
            check_decision(decision, by)
        case DealCard(card, place=place):
            check_dealt_card(card, place)
        case CorrectCard(place, card):
            check_place(place)
            if not isinstance(card, Card):
                raise malformed("A correction names a place and a card.")
        case SwapCards(place, other):
            check_place(place)
            check_place(other)
        case Confirm(meter_cents, seed_cents):
            check_meter(meter_cents)
            check_meter(seed_cents)
        case VoidRound(reason):
            check_reason(reason)
        case CloseBets(checked_cents):
            check_meter(checked_cents)
        case TurnCards():
            pass
        case _:
            raise malformed("That is not an action of a round.")


def follow(state: Round, action: Action, *, credit_cents: int | None = None) -> tuple[Event, ...]:
    """As ``decide``, for an action whose form has been checked by ``check_form``."""
    _check_in_progress(state)
    return _events_of(state, action, credit_cents)


def _events_of(state: Round, action: Action, credit_cents: int | None) -> tuple[Event, ...]:
    """The events of an action, the most frequent kinds first."""
    match action:
        case DealCard():
            return (_deal_card(state, action),)
        case MakeDecision():
            return (_make_decision(state, action, credit_cents),)
        case SetWagers():
            return (_set_wagers(state, action, credit_cents),)
        case TurnCards():
            return _turn_cards(state)
        case CloseBets():
            return (_close_bets(state, action.checked_cents),)
        case CorrectCard():
            return (_correct_card(state, action),)
        case SwapCards():
            return _swap_cards(state, action)
        case Confirm(meter_cents, seed_cents):
            return (RoundSettled(settle(state, meter_cents=meter_cents, seed_cents=seed_cents)),)
        case VoidRound(reason):
            return (RoundVoided(reason.strip(), void_settlement(state)),)


def _check_in_progress(state: Round) -> None:
    if state.over:
        raise Refusal(RefusalCode.ROUND_OVER, f"Round {state.opened.number} is over.")


def act(state: Round, *actions: Action, credit_cents: int | None = None) -> Round:
    """Decide and apply one action after another, for callers that need no record of events.

    Raises Refusal for the first action that is not allowed.
    """
    for action in actions:
        for event in decide(state, action, credit_cents=credit_cents):
            state = apply(state, event)
    return state


def _set_wagers(state: Round, action: SetWagers, credit_cents: int | None) -> WagersSet:
    _check_round(state, action.round)
    if state.phase is not Phase.WAGERING:
        raise Refusal(RefusalCode.WAGERS_CLOSED, "No more bets: this round is being dealt.")
    spot = action.spot
    _check_offered(state, spot)
    limits = state.house.limits_on(state.opened.day)
    wagers = complete_wagers(state.house, limits, action.wagers)
    if wagers and limits is not None and limits.table_aggregate_max_cents is not None:
        others = [w for at, hand in state.hands.items() if at != spot for w in hand.wagers]
        check_aggregate(limits, [*others, *wagers])
    if wagers and credit_cents is not None:
        _check_credit(state, spot, wagers, credit_cents)
    return WagersSet(spot, wagers)


def _check_round(state: Round, meant: int | None) -> None:
    """Refuse an action that was meant for another round."""
    if meant is not None and (type(meant) is not int or meant != state.opened.number):
        raise Refusal(
            RefusalCode.TOO_LATE,
            f"That was for another round; this is round {state.opened.number}.",
        )


def _check_offered(state: Round, spot: Spot) -> None:
    """The house has such a hand, and its player does not bank the round."""
    house, banker = state.house, state.opened.banker
    if not (1 <= spot.seat <= house.seats and 1 <= spot.hand <= house.hands_per_seat):
        raise Refusal(RefusalCode.NO_SUCH_SPOT, f"There is no hand {spot} at this table.")
    if banker is not None and spot.seat == banker.seat:
        raise Refusal(
            RefusalCode.BANKER_CANNOT_BET, "The player/dealer banks this round and cannot bet."
        )


def _check_credit(state: Round, spot: Spot, wagers: tuple[Wager, ...], credit_cents: int) -> None:
    """The credit covers the wagers and, with ``reserve_play``, a 1x Play on each hand."""
    before = state.hands.get(spot)
    left_cents = credit_cents + (total_cents(before.wagers) if before else 0) - total_cents(wagers)
    if left_cents < 0:
        raise Refusal(
            RefusalCode.CREDIT_SHORT,
            f"That is {format_cents(-left_cents)} more than your credit.",
        )
    if state.house.play is None or not state.house.play.reserve_play:
        return
    others = (
        wager for hand in state.hands_of(spot.seat) if hand.spot != spot for wager in hand.wagers
    )
    antes = sum(w.cents for w in (*wagers, *others) if w.kind is WagerKind.ANTE)
    reserve_cents = antes * min(state.house.play.on_river)
    if left_cents < reserve_cents:
        raise Refusal(
            RefusalCode.CREDIT_SHORT,
            f"Keep {format_cents(reserve_cents)} for the Play wager; "
            f"only {format_cents(left_cents)} would be left.",
        )


def _close_bets(state: Round, checked_cents: int | None) -> BetsClosed:
    if state.phase is not Phase.WAGERING:
        raise Refusal(RefusalCode.WAGERS_CLOSED, "Bets are already closed.")
    if not state.hands:
        raise Refusal(RefusalCode.NO_WAGERS, "No wager has been made.")
    if state.house.deck is Deck.SHARED and len(state.hands) > hands_max(state.house):
        raise Refusal(
            RefusalCode.TOO_MANY_HANDS,
            f"One deck serves {hands_max(state.house)} hands, not {len(state.hands)}.",
        )
    wagered_cents = sum(total_cents(hand.wagers) for hand in state.hands.values())
    if checked_cents is not None and checked_cents != wagered_cents:
        raise Refusal(
            RefusalCode.FELT_DIFFERS,
            f"The wagers have changed to {format_cents(wagered_cents)}: compare the chips again.",
        )
    return BetsClosed(checked_cents)


def _deal_card(state: Round, action: DealCard) -> CardDealt:
    card, step = action.card, state.current_step
    _check_round(state, action.round)
    if not isinstance(step, Deal):
        raise Refusal(RefusalCode.NO_CARD_EXPECTED, "No card is dealt now.")
    if action.place not in (None, step.place):
        raise Refusal(
            RefusalCode.TOO_LATE, f"That card was for {action.place}; {step.place} is due now."
        )
    check_undealt(state, card, step.place)
    return CardDealt(step.place, card, step.face_up)


def _correct_card(state: Round, action: CorrectCard) -> CardCorrected:
    place, card = action.place, action.card
    _lying(state, place)
    check_undealt(state, card, place)
    return CardCorrected(place, card)


def _swap_cards(state: Round, action: SwapCards) -> tuple[Event, ...]:
    """Two corrections that are one act: neither card is ever dealt twice in between."""
    place, other = action.place, action.other
    _check_round(state, action.round)
    card, other_card = _lying(state, place), _lying(state, other)
    beside = (place.lies, place.spot) == (other.lies, other.spot)
    if place == other or (beside and place.lies is not Lies.COMMON):
        raise malformed("Cards of one hand lie in any order: exchange those of two places.")
    return CardCorrected(place, other_card), CardCorrected(other, card)


def _lying(state: Round, place: Place) -> Card:
    card = card_at(state, place)
    if card is None:
        raise Refusal(RefusalCode.NO_SUCH_CARD, f"There is no card at {place}.")
    return card


def check_undealt(state: Round, card: Card, place: Place) -> None:
    """Refuse a card that has left the deck from which this place is dealt."""
    if _has_left_deck(state, card, place):
        raise Refusal(RefusalCode.CARD_ALREADY_DEALT, f"The {card.words} has been dealt already.")


def _has_left_deck(state: Round, card: Card, place: Place) -> bool:
    """Whether a card is among those that have left the same deck (R.11)."""
    if card in state.dealer or card in state.common:
        return True
    hands: Iterable[PlayerHand]
    if state.house.deck is Deck.PER_TERMINAL and place.lies is Lies.HAND:
        # In a hall of terminals, all hands are only looked at where they share a deck.
        hands = state.hands_of(place.spot.seat) if place.spot is not None else ()
    elif card in state.burned:
        return True
    else:
        hands = state.hands.values()
    return any(card in hand.cards for hand in hands)


def _turn_cards(state: Round) -> tuple[Event, ...]:
    """Turn the next cards; after an unqualified dealer's hand, the Antes go back (W.12)."""
    step = state.current_step
    if not isinstance(step, Turn):
        raise Refusal(RefusalCode.NOTHING_TO_TURN, "No cards are turned over now.")
    spots = hands_to_turn(state, step.spot) if step.lies is Lies.HAND else ()
    turned = CardsTurned(step.lies, step.up_to, spots)
    if step.lies is Lies.DEALER and (antes := antes_to_return(apply(state, turned))):
        return turned, AntesReturned(antes)
    return (turned,)


def _make_decision(state: Round, action: MakeDecision, credit_cents: int | None) -> DecisionMade:
    spot, decision = action.spot, action.decision
    _check_round(state, action.round)
    if None not in (action.street, state.street) and action.street != state.street:
        raise Refusal(RefusalCode.TOO_LATE, "That decision came too late: more cards are out.")
    _check_turn(state, spot)
    if action.by is DecidedBy.CLOCK and decision != clock_decision(state, spot):
        raise Refusal(
            RefusalCode.NO_SUCH_CHOICE,
            f"When the time runs out, the hand can only {clock_decision(state, spot)}.",
        )
    if state.house.game is GameName.ULTIMATE_DRAW:
        return DecisionMade(spot, _checked_hold(state, spot, decision), action.by)
    street = state.street
    assert street is not None
    if decision in decisions_on(state.house, street):
        cost_cents = decision_cost_cents(state.hands[spot], decision)
        if credit_cents is not None and cost_cents > credit_cents:
            raise Refusal(RefusalCode.CREDIT_SHORT, f"Your credit does not cover a {decision}.")
        return DecisionMade(spot, decision, action.by)
    open_choices = choices(state, spot, credit_cents=credit_cents)
    offered = ", ".join(str(option.decision) for option in open_choices.options)
    raise Refusal(
        RefusalCode.NO_SUCH_CHOICE,
        f"{str(decision).capitalize()} is not possible {street.words}. Possible: {offered}.",
    )


def _check_turn(state: Round, spot: Spot) -> None:
    """Refuse a decision if it is not this hand's turn."""
    hand = state.hands.get(spot)
    if hand is None:
        raise Refusal(RefusalCode.NO_SUCH_SPOT, f"There is no hand {spot} in this round.")
    if spot not in state.pending:
        if hand.decisions and (hand.final_decision is not None or state.street is not None):
            raise Refusal(
                RefusalCode.ALREADY_DECIDED,
                f"Hand {spot} has decided: {hand.decisions[-1].decision}.",
            )
        raise Refusal(RefusalCode.NO_DECISION_DUE, f"Hand {spot} has nothing to decide now.")
    if (first := first_to_act(state, spot)) != spot:
        raise Refusal(RefusalCode.OUT_OF_TURN, f"It is the turn of hand {first}.")


def _checked_hold(state: Round, spot: Spot, decision: Decision) -> Hold:
    if not isinstance(decision, Hold):
        raise Refusal(
            RefusalCode.NO_SUCH_CHOICE, "Choose the cards to hold, from none to all five."
        )
    cards = state.hands[spot].cards
    if len(set(decision.cards)) != len(decision.cards) or not set(decision.cards) <= set(cards):
        raise Refusal(
            RefusalCode.NOT_YOUR_CARDS, "Hold only cards of your own hand, each of them once."
        )
    return Hold(tuple(card for card in cards if card in decision.cards))
