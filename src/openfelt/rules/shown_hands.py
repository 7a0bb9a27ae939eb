"""Which hands are shown at the end: the dealer's where it decides, a folded one where it wins.

Where the house leaves folded hands face down (C.6, C.17), a folded hand is turned only if it has to
be shown to be paid. What it loses is told without its cards, and without the hand that they make.
"""

from typing import Final

from openfelt.cards import UNKNOWN_CARD, Card, evaluate, has_card
from openfelt.rules.house import House
from openfelt.rules.lines import Outcome, Result
from openfelt.rules.player_hand import PlayerHand
from openfelt.rules.quick_replace import maker
from openfelt.rules.side_bets import settle_bad_beat, settle_trips
from openfelt.rules.wagers import WagerKind

Cards = tuple[Card, ...]

# Looking a member up in an enumeration takes as long as a call.
_ANTE: Final = WagerKind.ANTE
_BAD_BEAT: Final = WagerKind.BAD_BEAT
_PROGRESSIVE: Final = WagerKind.PROGRESSIVE
_TRIPS: Final = WagerKind.TRIPS
_ULTIMATE_PAIRS: Final = WagerKind.ULTIMATE_PAIRS
_WIN: Final = Result.WIN
_LOSE: Final = Result.LOSE

READ_FROM_HAND: Final = (_TRIPS, _BAD_BEAT, _ULTIMATE_PAIRS, _PROGRESSIVE)
"""The wagers that stay in action after a fold and depend on the cards of the hand (R.3)."""
NOT_WON: Final = "The folded hand does not win this wager."


def depends_on_dealer(house: House, hand: PlayerHand) -> bool:
    """Whether a wager of the hand still depends on the dealer's cards."""
    for wager in hand.wagers:
        kind = wager.kind
        if (
            (kind is _ANTE and not hand.folded)
            or kind is _BAD_BEAT
            or (kind is _ULTIMATE_PAIRS and house.pairs_table().needs_dealer)
        ):
            return True
    return False


def stays_face_down(house: House, hand: PlayerHand, *, common: Cards, dealer: Cards) -> bool:
    """Whether a folded hand is never shown, because it wins nothing by its cards (C.6, C.17).

    A hand that won has been shown, so one of which a card is unknown has lost. While two cards
    that are swapped lie at one place (R.31), no hand can be read.

    >>> from openfelt.catalog import load_house
    >>> from openfelt.rules.wagers import Spot
    >>> stays_face_down(load_house("california"), PlayerHand(Spot(1, 1), ()), common=(), dealer=())
    False
    """
    if not (house.folds_face_down and hand.folded):
        return False
    if not _readable((*hand.cards, *common)):
        return True
    return not any(_wins(house, hand, kind, common, dealer) for kind in READ_FROM_HAND)


def _readable(cards: Cards) -> bool:
    return not has_card(cards, UNKNOWN_CARD) and len(set(cards)) == len(cards)


def _wins(house: House, hand: PlayerHand, kind: WagerKind, common: Cards, dealer: Cards) -> bool:
    """Whether the hand has a wager of this kind, and its cards win it."""
    if all(wager.kind is not kind for wager in hand.wagers):
        return False
    reads_dealer = kind is _BAD_BEAT or (
        kind is _ULTIMATE_PAIRS and house.pairs_table().needs_dealer
    )
    if reads_dealer and not _readable((*hand.cards, *common, *dealer)):
        return False
    if kind is _ULTIMATE_PAIRS:
        return house.pairs_table().row_for(hand.cards, dealer) is not None
    if kind is _PROGRESSIVE:
        progressive = house.progressive_table()
        return progressive.row_for(progressive.reads.hand_of(hand.cards, common)) is not None
    player, table = evaluate((*hand.cards, *common)), house.hand_table(kind)
    if kind is _TRIPS:
        return settle_trips(player, table).result is _WIN
    return settle_bad_beat(player, evaluate((*dealer, *common)), table).result is _WIN


def lost_face_down(kind: WagerKind) -> Outcome:
    """The loss of a wager whose hand is not shown: its sentence names no hand."""
    return _outcome(_LOSE, f"{kind._value_}.fold", NOT_WON)


_outcome: Final = maker(Outcome)
