"""Validation of actions, before the rules check whether they are allowed.

Actions come from outside. An invalid spot, an invalid hold or a void without a
reason is refused like any other action, and never reaches the rules.
"""

from collections.abc import Callable
from datetime import date
from typing import Any, Final

from openfelt.cards import Card
from openfelt.money import AMOUNT_MAX_CENTS
from openfelt.rules.dealing import Lies, Place
from openfelt.rules.decisions import Bet, Check, DecidedBy, Fold, Hold
from openfelt.rules.refusal import Refusal, RefusalCode
from openfelt.rules.round_actions import (
    CloseBets,
    Confirm,
    CorrectCard,
    DealCard,
    MakeDecision,
    SetWagers,
    SwapCards,
    TurnCards,
    VoidRound,
)
from openfelt.rules.wagers import Beneficiary, Spot, Wager, WagerKind

REASON_LENGTH_MAX = 200


def malformed(sentence: str) -> Refusal:
    """The refusal of an invalid value."""
    return Refusal(RefusalCode.MALFORMED, sentence)


def check_spot(spot: object) -> None:
    """A spot has a seat and a hand, both whole numbers."""
    if not isinstance(spot, Spot) or type(spot.seat) is not int or type(spot.hand) is not int:
        raise Refusal(RefusalCode.NO_SUCH_SPOT, f"There is no hand {spot} at this table.")


def read_place(text: str) -> Place:
    """The place of a card by its name, such as ``dealer card 1``; refuses any other text."""
    try:
        return Place.parse(text)
    except ValueError as error:
        raise malformed(
            f"{text[:20]!r} is not a place of a card, such as dealer card 1."
        ) from error


def check_place(place: object) -> None:
    """A place in a hand has a spot and a position; any other place has only a position."""
    if not isinstance(place, Place) or not isinstance(place.lies, Lies):
        raise malformed("A correction must name a place and a card.")
    if type(place.position) is not int:
        raise malformed("The cards of a place must be numbered from 1.")
    if place.lies is Lies.HAND:
        check_spot(place.spot)
    elif place.spot is not None:
        raise malformed("Only a card of a hand may have a spot.")


def check_dealt_card(card: object, place: object) -> None:
    """A card that is dealt is a card, and may name its place."""
    if not isinstance(card, Card):
        raise Refusal(RefusalCode.NO_CARD_EXPECTED, f"{card!r} is not a card.")
    if place is not None:
        check_place(place)


def check_wagers(wagers: object) -> None:
    """Wagers are a tuple of wagers; equal strings in place of enum members would bypass the rules.

    Each amount is in whole cents. Which kinds and amounts are accepted is up to the house.
    """
    if not isinstance(wagers, tuple) or not {*map(type, wagers)} <= _WAGERS:
        raise malformed("Wagers must be given as a tuple of wagers.")
    for wager in wagers:
        if not isinstance(wager.beneficiary, Beneficiary):
            raise malformed("A wager must be for the player or for the dealer.")
        if not isinstance(wager.kind, WagerKind):
            raise Refusal(RefusalCode.NOT_OFFERED, f"{wager.kind!r} is not offered here.")
        if type(wager.cents) is not int or wager.cents < 0:
            raise Refusal(
                RefusalCode.NOT_WHOLE_CENTS,
                f"{wager.words} must be a whole number of cents, not {wager.cents!r}.",
            )


_WAGERS = frozenset({Wager})
_DECISIONS = (Check, Bet, Fold, Hold)


def check_decision(decision: object, by: object) -> None:
    """A decision is one of the four, made by the player, the clock or the floor."""
    if not isinstance(decision, _DECISIONS):
        raise malformed("A decision must be to check, to bet, to fold or to hold.")
    if isinstance(decision, Bet) and type(decision.multiple) is not int:
        raise malformed("A Play wager must be a whole multiple of the Ante.")
    if isinstance(decision, Hold) and not (
        isinstance(decision.cards, tuple) and all(isinstance(card, Card) for card in decision.cards)
    ):
        raise malformed("A hold must be a tuple of cards.")
    if not isinstance(by, DecidedBy):
        raise malformed("A decision must be made by the player, the clock or the floor.")


def check_reason(reason: object) -> None:
    """A staff action that affects all players needs a reason in one line of text."""
    if not is_reason(reason):
        raise malformed(
            f"A reason must be one line of at most {REASON_LENGTH_MAX} printable characters."
        )


def is_reason(reason: object) -> bool:
    """Whether the reason is one line of printable text and not too long.

    >>> is_reason("The shuffler jammed."), is_reason("Look:\\nVOID"), is_reason(" ")
    (True, False, False)
    """
    return (
        isinstance(reason, str)
        and bool(reason.strip())
        and len(reason) <= REASON_LENGTH_MAX
        and reason.isprintable()
    )


def check_meter(meter_cents: object) -> None:
    """A meter is a whole number of cents, or None."""
    if meter_cents is None:
        return
    if type(meter_cents) is not int or not 0 <= meter_cents <= AMOUNT_MAX_CENTS:
        raise malformed("A meter must be a whole number of cents.")


def check_opening(number: object, day: object) -> None:
    """A round has a number and a date; a datetime is not accepted."""
    if type(number) is not int or number < 1:
        raise Refusal(RefusalCode.BAD_OPENING, "A round number must be a whole number from 1.")
    if type(day) is not date:
        raise Refusal(RefusalCode.BAD_OPENING, "A round must have a day, which decides its limits.")


def check_form(action: object) -> None:
    """Refuse an action whose values are not what they should be.

    This is the only check of an action's form: what follows relies on it.
    """
    check = FORM_CHECKS.get(type(action))
    if check is None:
        raise not_an_action()
    check(action)


def not_an_action() -> Refusal:
    """The refusal of a value that is no action at all."""
    return malformed("That is not an action of a round.")


def _check_set_wagers(action: SetWagers) -> None:
    check_spot(action.spot)
    check_wagers(action.wagers)


def _check_make_decision(action: MakeDecision) -> None:
    check_spot(action.spot)
    check_decision(action.decision, action.by)


def _check_deal_card(action: DealCard) -> None:
    # Most cards are cards without a place, and every card of every round comes by here.
    if action.place is not None or not isinstance(action.card, Card):
        check_dealt_card(action.card, action.place)


def _check_correct_card(action: CorrectCard) -> None:
    check_place(action.place)
    if not isinstance(action.card, Card):
        raise malformed("A correction must name a place and a card.")


def _check_swap_cards(action: SwapCards) -> None:
    check_place(action.place)
    check_place(action.other)


def _check_confirm(action: Confirm) -> None:
    check_meter(action.meter_cents)
    check_meter(action.seed_cents)


def _check_void_round(action: VoidRound) -> None:
    check_reason(action.reason)


def _check_close_bets(action: CloseBets) -> None:
    check_meter(action.checked_cents)


def _check_turn_cards(_action: TurnCards) -> None:
    """It has no values."""


FORM_CHECKS: Final[dict[type, Callable[[Any], None]]] = {
    SetWagers: _check_set_wagers,
    MakeDecision: _check_make_decision,
    DealCard: _check_deal_card,
    CorrectCard: _check_correct_card,
    SwapCards: _check_swap_cards,
    Confirm: _check_confirm,
    VoidRound: _check_void_round,
    CloseBets: _check_close_bets,
    TurnCards: _check_turn_cards,
}
"""The form check of each action, by its class."""
