"""The replay of a finished round: step by step, as one player was allowed to see it."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import msgspec

from openfelt.cards import UNKNOWN_CARD, Card, parse_cards
from openfelt.money import format_cents
from openfelt.protocol import replay as sent
from openfelt.protocol import table_views
from openfelt.protocol.replay import ReplayStep
from openfelt.rules.dealing import Lies, Place
from openfelt.rules.decisions import Decision, Hold
from openfelt.rules.house import DealerMode, GameName
from openfelt.rules.round import Round, apply, card_at
from openfelt.rules.round_events import (
    AntesReturned,
    BetsClosed,
    CardCorrected,
    CardDealt,
    CardsTurned,
    DecisionMade,
    Event,
    IrregularityDeclared,
    RoundSettled,
    RoundVoided,
)
from openfelt.runtime.rounds.recorded_round import RecordedRound
from openfelt.server.tables.views import (
    decision_view,
    private_view,
    public_view,
    void_reason_code,
)
from openfelt.table.commands import Person, Role
from openfelt.table.events import TableOpened
from openfelt.table.state import Seat, Table

STEPS_MAX: Final = 400
"""More than any round has that is dealt from one deck."""


def replay_steps(recorded: RecordedRound, *, seat: int, player: str) -> list[ReplayStep]:
    """The steps of a round that change what its player sees, beginning with the closing of bets."""
    hands = len(recorded.opened.hands)
    if not recorded.opened.house.shows_all_hands:
        recorded = recorded.of_seat(seat)
    state, steps = recorded.opened, list[ReplayStep]()
    events, before = recorded.events[:STEPS_MAX], None
    for number, (event, at_ms) in enumerate(events):
        state = apply(state, event)
        frame = _frame(recorded.table, state, seat, player, hands)
        if before is None or (before.public, before.own) != (frame.public, frame.own):
            happened = _what(event, state, seat, frame.net_cents)
            text = sentence(happened, seat=seat, draw=state.house.game is GameName.ULTIMATE_DRAW)
            shown = frame
            if (second := _second_of_swap(state, event, events[number + 1 :][:1])) is not None:
                # No player has seen one card at both places.
                shown = _frame(recorded.table, apply(state, second), seat, player, hands)
            steps.append(
                ReplayStep(
                    what=happened, text=text, at_ms=at_ms, public=shown.public, own=shown.own
                )
            )
        before = frame
    return steps


def _second_of_swap(
    state: Round, event: Event, following: Sequence[tuple[Event, int]]
) -> CardCorrected | None:
    """The other correction of two cards that were swapped, after the first of them (R.31)."""
    if not isinstance(event, CardCorrected) or not following:
        return None
    second, _ = following[0]
    if isinstance(second, CardCorrected) and card_at(state, second.place) == event.card:
        return second
    return None


def own_lines(steps: list[ReplayStep]) -> list[table_views.LineView]:
    """The settlement lines of the player's wagers, hand by hand."""
    return [line for hand in steps[-1].own.values() for line in hand.lines] if steps else []


class _Frame(NamedTuple):
    """What one player sees of a round at one moment."""

    public: table_views.RoundView
    own: dict[table_views.Spot, table_views.OwnHandView]
    net_cents: int


def _frame(name: str, state: Round, seat: int, player: str, hands_in_play: int) -> _Frame:
    """The views of a live table, made from a table at which only this round is played."""
    opened = TableOpened(
        table=name,
        house=state.house,
        dealer_mode=DealerMode.VIRTUAL,
        clock=None,
        private_to=None,
        link=None,
    )
    table = Table(
        opened=opened,
        house=state.house,
        link=None,
        seats={seat: Seat(player)},
        sitting={player: seat},
        round=state,
        rounds=state.opened.number,
    )
    public = public_view(table, meter_cents=None, stopped=None).round
    assert public is not None
    private = private_view(table, Person(Role.PLAYER, player), wallet_cents=0, may=[])
    # A replay offers no choices.
    settled = {
        spot: msgspec.structs.replace(hand, choices=[], may_hold=False, clock_decides=None)
        for spot, hand in private.hands.items()
    }
    public = msgspec.structs.replace(public, hands_in_play=hands_in_play)
    return _Frame(public, settled, private.net_cents)


# What happened ---------------------------------------------------------------------


def _what(event: Event, state: Round, seat: int, net_cents: int) -> sent.Happened:
    """Describe an event, without cards that the player cannot see."""
    match event:
        case BetsClosed():
            return sent.BetsClosed()
        case CardDealt(place, card):
            return sent.CardDealt(**_placed(place), card=_seen(place, card, seat, state))
        case CardCorrected(place, card):
            return sent.CardCorrected(**_placed(place), card=_seen(place, card, seat, state))
        case CardsTurned(lies, _, spots):
            hand = spots[0] if len(spots) == 1 else None
            return sent.CardsTurned(
                lies=lies.value,
                cards=_turned(lies, state),
                seat=hand.seat if hand else None,
                hand=hand.hand if hand else None,
            )
        case AntesReturned():
            return sent.AntesReturned()
        case DecisionMade(spot):
            decided = state.hands[spot].decisions[-1]
            return sent.DecisionMade(
                seat=spot.seat,
                hand=spot.hand,
                decision=decision_view(decided)
                if spot.seat == seat and not _unknown(decided.decision)
                else None,
            )
        case IrregularityDeclared(spot=about):
            return sent.IrregularityDeclared(
                irregularity=event.irregularity.value,
                about=event.about.value,
                effect=event.effect.value,
                clause=event.clause,
                seat=about.seat if about else None,
                hand=about.hand if about else None,
                card=str(event.card) if event.card else None,
            )
        case RoundSettled():
            return sent.RoundSettled(net_cents=net_cents)
        case RoundVoided(reason):
            return sent.RoundVoided(reason=reason, code=void_reason_code(state))
        case _:
            raise ValueError(f"{type(event).__name__} does not happen after bets are closed")


def _unknown(decision: Decision) -> bool:
    """Whether a hold is no longer known, because it was purged."""
    return isinstance(decision, Hold) and UNKNOWN_CARD in decision.cards


def _placed(place: Place) -> dict[str, Any]:
    spot = place.spot
    return {
        "lies": place.lies.value,
        "seat": spot.seat if spot else None,
        "hand": spot.hand if spot else None,
        "position": place.position,
    }


def _seen(place: Place, card: Card, seat: int, state: Round) -> str | None:
    """A card, None where the player may not see it."""
    if place.spot is not None:
        seen = place.spot.seat == seat or state.hands[place.spot].face_up
    elif place.lies is Lies.DEALER:
        seen = state.dealer_face_up
    else:
        seen = place.position <= state.common_face_up
    return str(card) if seen and card is not UNKNOWN_CARD else None


def _turned(lies: Lies, state: Round) -> list[str]:
    if lies is Lies.HAND:
        return []
    shown = state.dealer if lies is Lies.DEALER else state.common[: state.common_face_up]
    return [str(card) for card in shown if card is not UNKNOWN_CARD]


# Words -----------------------------------------------------------------------------


def sentence(happened: sent.Happened, *, seat: int, draw: bool) -> str:
    """The event as a sentence in English.

    >>> card = sent.CardDealt(lies="hand", seat=3, hand=1, position=2, card="As")
    >>> sentence(card, seat=3, draw=False), sentence(sent.BetsClosed(), seat=3, draw=False)
    ('Hand 1, card 2: ace of spades.', 'No more bets.')
    """
    match happened:
        case sent.BetsClosed():
            return "No more bets."
        case sent.CardDealt():
            return f"{_place_words(happened, seat, draw=draw)}: {_card_words(happened.card)}."
        case sent.CardCorrected():
            place = _place_words(happened, seat, draw=draw)
            return f"{place}, corrected: {_card_words(happened.card)}."
        case sent.CardsTurned(seat=int(hand_seat), hand=int(hand)):
            return f"{_hand_words(hand_seat, hand, seat)} is turned over."
        case sent.CardsTurned(lies=lies, cards=cards):
            return _turned_words(lies, ", ".join(map(_card_words, cards)), draw=draw)
        case sent.AntesReturned():
            return "The dealer does not qualify: the Antes go back."
        case sent.DecisionMade(decision=decision):
            whose = _hand_words(happened.seat, happened.hand, seat)
            decided = f": {_decision_words(decision)}" if decision else " has decided"
            return f"{whose}{decided}."
        case sent.IrregularityDeclared():
            return _irregularity_words(happened, seat, draw=draw)
        case sent.RoundSettled(net_cents=net_cents):
            return f"The round is settled. {_net_words(net_cents)}"
        case sent.RoundVoided(reason=reason, code=code):
            why = _VOID_WORDS[code] if code else f"“{reason.rstrip('.')}”"
            return f"The round is void: {why}."


_VOID_WORDS: Final = {
    "lost_cards": "the key of its cards is lost",
    "malfunction": "malfunction",
    "misdeal": "misdeal",
    "unfinished": "it was not finished in time",
    "withdrawn": "every wager was taken back before the table closed",
}


def _irregularity_words(declared: sent.IrregularityDeclared, own_seat: int, *, draw: bool) -> str:
    """Describe an irregularity: what went wrong, with which cards, and the consequence."""
    if declared.seat is not None and declared.hand is not None:
        whose = _hand_words(declared.seat, declared.hand, own_seat)
    else:
        common = "Draw cards" if draw else "Board"
        whose = {"dealer": "Dealer", "common": common}.get(declared.about, "Deck")
    effect = _EFFECT_WORDS[declared.effect].format(card=_card_words(declared.card))
    return f"{whose}: {_IRREGULARITY_WORDS[declared.irregularity]}. {effect}"


_IRREGULARITY_WORDS: Final = {
    "shuffler_malfunction": "the shuffler failed",
    "deck_wrong": "the deck was not whole",
    "card_face_up": "a card lay face up",
    "card_exposed": "a card was exposed",
    "card_misplaced": "a card was in the wrong place",
    "too_many_cards": "too many cards",
    "too_few_cards": "too few cards",
    "cards_stuck": "two cards were stuck together",
    "hand_fouled": "the hand was fouled by its player",
    "hand_touched": "the hand was fouled by another person",
    "hand_mucked": "the hand was mucked by mistake",
    "wager_late": "chips were laid down too late and went back",
    "wager_short": "chips were missing and were laid down",
    "wager_denied": "the player did not make the wager",
    "play_differs": "the chips of the Play wager differed and were put right",
    "play_denied": "the player did not make the Play wager",
}
_EFFECT_WORDS: Final = {
    "note_only": "The round continues.",
    "replace_card": "The next card replaces the {card}.",
    "burn_card": "The {card} is out of play.",
    "lose_hand": "The hand loses all of its wagers.",
    "void_hand": "The hand is void; its wagers go back.",
    "void_round": "The round is void; every wager goes back.",
}


def _place_words(dealt: sent.CardDealt | sent.CardCorrected, own_seat: int, *, draw: bool) -> str:
    if dealt.lies == "common":
        return f"Draw card {dealt.position}" if draw else f"Board, card {dealt.position}"
    if dealt.seat is None or dealt.hand is None:
        return f"Dealer, card {dealt.position}"
    return f"{_hand_words(dealt.seat, dealt.hand, own_seat)}, card {dealt.position}"


def _hand_words(seat: int, hand: int, own_seat: int) -> str:
    """A player's own hand by its number, other hands by their seats; most seats have one hand."""
    if seat == own_seat:
        return f"Hand {hand}"
    return f"Seat {seat}" if hand == 1 else f"Seat {seat}, hand {hand}"


def _card_words(card: str | None) -> str:
    return Card.parse(card).words if card else "face down"


def _turned_words(lies: sent.Lies, cards: str, *, draw: bool) -> str:
    if lies == "hand":
        return "The hands are turned over."
    if lies == "dealer":
        return f"Dealer: {cards}."
    return f"{'Draw cards' if draw else 'Board'}: {cards}."


def _decision_words(decision: table_views.DecisionView) -> str:
    words = {"check": "checked", "fold": "folded", "bet": f"played {decision.multiple}x"}
    if decision.kind == "hold":
        cards = parse_cards(" ".join(decision.cards or []))
        held = " ".join(card.symbol for card in cards) or "nothing"
        words["hold"] = f"held {held}"
    by = "" if decision.by == "player" else f" (by the {decision.by})"
    return f"{words[decision.kind]}{by}"


def _net_words(cents: int) -> str:
    if cents == 0:
        return "You are even."
    amount = format_cents(abs(cents)).removesuffix(".00")
    return f"You {'win' if cents > 0 else 'lose'} {amount}."
