"""Irregularities of a deal by hand, as commands: which are possible now, and what follows.

What a screen offers and what the table accepts come from the same rows of rule data.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from openfelt.cards import Card
from openfelt.money import AMOUNT_MAX_CENTS
from openfelt.rules.action_checks import check_reason, check_spot, malformed
from openfelt.rules.dealing import Deal, Lies, Place
from openfelt.rules.house import Deck, House
from openfelt.rules.irregularity_rules import (
    STANDARD_IRREGULARITIES,
    TAKES_CARD,
    About,
    Effect,
    Irregularity,
    IrregularityRule,
    Moment,
)
from openfelt.rules.referee import check_undealt
from openfelt.rules.refusal import Refusal, RefusalCode
from openfelt.rules.round import Phase, Round, apply
from openfelt.rules.round_actions import VoidRound
from openfelt.rules.round_events import IrregularityDeclared
from openfelt.rules.wagers import Spot, WagerKind
from openfelt.table.commands import DeclareIrregularity, Person, Role
from openfelt.table.permissions import (
    TRIES_ALONE_MAX,
    Events,
    Outside,
    in_progress,
    needs_supervisor,
)
from openfelt.table.refusal import TableCode
from openfelt.table.state import Table
from openfelt.table.void_reasons import VoidCode, void_with

IRREGULARITIES_MAX: Final = 20
"""The most irregularities of one round besides the one that voids it."""
_SENTENCES: Final = {
    Irregularity.SHUFFLER_MALFUNCTION: "The shuffler failed.",
    Irregularity.DECK_WRONG: "The deck was not whole.",
    Irregularity.CARD_FACE_UP: "A second card lay face up in the deck.",
    Irregularity.CARD_EXPOSED: "A card was exposed before its time.",
    Irregularity.CARD_MISPLACED: "A card lay at the wrong place.",
    Irregularity.TOO_MANY_CARDS: "Too many cards were dealt.",
    Irregularity.TOO_FEW_CARDS: "Too few cards were dealt.",
    Irregularity.CARDS_STUCK: "Two cards were stuck together.",
    Irregularity.HAND_FOULED: "A hand was fouled by its player.",
    Irregularity.HAND_TOUCHED: "A hand was fouled by another person.",
    Irregularity.HAND_MUCKED: "A hand was mucked by mistake.",
    Irregularity.WAGER_LATE: "Chips were laid down too late.",
    Irregularity.WAGER_SHORT: "Chips were missing.",
    Irregularity.WAGER_DENIED: "The player did not make the wager.",
    Irregularity.PLAY_DIFFERS: "The chips of the Play wager differed.",
    Irregularity.PLAY_DENIED: "The player did not make the Play wager.",
}
"""Why a round is void, for its record."""
_OF_ONE_HAND: Final = (About.HAND, About.CHIPS)
_OF_PLAY: Final = (Irregularity.PLAY_DIFFERS, Irregularity.PLAY_DENIED)


@dataclass(frozen=True, slots=True)
class Ruling:
    """The consequence of an irregularity now."""

    irregularity: Irregularity
    about: About
    effect: Effect
    supervisor: bool
    clause: str


def moment_of(state: Round) -> Moment | None:
    """How far a round is; None while bets are open, and when it is over."""
    if state.phase is Phase.READY:
        return Moment.READY
    if state.phase is not Phase.PLAYING:
        return None
    decided = any(hand.decisions for hand in state.hands.values())
    return Moment.DECIDED if decided else Moment.DEALING


def rules_of(house: House) -> tuple[IrregularityRule, ...]:
    """The rulings that a house follows: its own first."""
    return (*house.irregularities, *STANDARD_IRREGULARITIES)


def rulings(table: Table) -> list[Ruling]:
    """Every irregularity that can be declared at the table now."""
    if table.virtual or (state := table.playing) is None:
        return []
    by_kind: dict[tuple[Irregularity, About], Ruling] = {}
    for ruling in _rulings(state):
        by_kind.setdefault((ruling.irregularity, ruling.about), ruling)
    return list(by_kind.values())


def _rulings(state: Round) -> Iterator[Ruling]:
    moment = moment_of(state)
    # The hands of terminals are dealt by the program, in which nothing can be misplaced.
    virtual_hands = state.house.deck is Deck.PER_TERMINAL
    no_play = not any(hand.stake_cents(WagerKind.PLAY) for hand in state.hands.values())
    for rule in rules_of(state.house):
        if moment not in rule.moments or (no_play and rule.irregularity in _OF_PLAY):
            continue
        ruling = _ruling(state, rule)
        if ruling.effect is Effect.REPLACE_CARD and not _card_due(state):
            continue
        for about in rule.about:
            if not (about in _OF_ONE_HAND and virtual_hands):
                yield Ruling(
                    rule.irregularity, about, ruling.effect, ruling.supervisor, ruling.clause
                )


def _ruling(state: Round, rule: IrregularityRule) -> Ruling:
    again = rule.voids_again and any(
        declared.irregularity is rule.irregularity for declared in state.irregularities
    )
    taken = sum(declared.effect in TAKES_CARD for declared in state.irregularities)
    often = rule.effect in TAKES_CARD and taken >= TRIES_ALONE_MAX
    return Ruling(
        rule.irregularity,
        rule.about[0],
        Effect.VOID_ROUND if again else rule.effect,
        supervisor=rule.supervisor or again or often,
        clause=rule.clause or state.clause("void"),
    )


def _card_due(state: Round) -> bool:
    """Whether the next step is a card from the deck that the dealer holds."""
    step = state.current_step
    if not isinstance(step, Deal):
        return False
    return state.house.deck is Deck.SHARED or step.place.lies is not Lies.HAND


def declare_irregularity(
    table: Table, command: DeclareIrregularity, by: Person, _: Outside
) -> Events:
    """Declare an irregularity; refused if it is not possible now, or needs a supervisor."""
    _check_form(command)
    if table.virtual:
        raise Refusal(TableCode.CARDS_ARE_VIRTUAL, "The cards of this table are dealt virtually.")
    state = in_progress(table)
    if command.round not in (None, state.opened.number):
        raise Refusal(
            RefusalCode.TOO_LATE,
            f"That was for another round; this is round {state.opened.number}.",
        )
    ruling = _ruling_for(table, command)
    if len(state.irregularities) >= IRREGULARITIES_MAX and ruling.effect is not Effect.VOID_ROUND:
        raise Refusal(
            TableCode.NOT_IRREGULAR_NOW,
            f"{IRREGULARITIES_MAX} irregularities have been declared: the round can only be void.",
        )
    if ruling.supervisor and by.role is Role.DEALER:
        raise needs_supervisor("Only a supervisor may declare this.")
    _check_subject(state, command, ruling)
    return _declared(state, command, ruling)


def _check_form(command: DeclareIrregularity) -> None:
    if not isinstance(command.irregularity, Irregularity) or not isinstance(command.about, About):
        raise malformed("Give the kind of irregularity, and the cards or chips concerned.")
    if command.spot is not None:
        check_spot(command.spot)
    if command.card is not None and not isinstance(command.card, Card):
        raise malformed("The irregularity names something that is not a card.")
    cents = command.cents
    if cents is not None and (type(cents) is not int or not 0 < cents <= AMOUNT_MAX_CENTS):
        raise malformed("The chips of an irregularity must be a whole number of cents above 0.")
    if command.note != "":
        check_reason(command.note)


def _ruling_for(table: Table, command: DeclareIrregularity) -> Ruling:
    for ruling in rulings(table):
        if (ruling.irregularity, ruling.about) == (command.irregularity, command.about):
            return ruling
    raise Refusal(TableCode.NOT_IRREGULAR_NOW, "That irregularity cannot be declared now.")


def _check_subject(state: Round, command: DeclareIrregularity, ruling: Ruling) -> None:
    """The hand, the card and the chips are there exactly where they are needed."""
    if (command.spot is not None) != (ruling.about in _OF_ONE_HAND):
        raise malformed("Name the hand for an irregularity of a hand, and only then.")
    if command.spot is not None:
        _check_spot(state, command.irregularity, command.spot)
    if command.cents is not None and ruling.about is not About.CHIPS:
        raise malformed("Only an irregularity of chips may name an amount.")
    if command.card is None and ruling.effect in TAKES_CARD:
        raise malformed("Name the card that is taken out of play.")
    if command.card is not None and ruling.effect not in TAKES_CARD:
        raise malformed("No card is taken out of play by this: name none.")
    if command.card is not None:
        # A card that has been dealt already cannot come off the deck.
        check_undealt(state, command.card, Place(Lies.DEALER, None, 1))


def _check_spot(state: Round, irregularity: Irregularity, spot: Spot) -> None:
    house = state.house
    if irregularity is Irregularity.WAGER_LATE:
        # Late chips may lie on a spot that has no hand in the round.
        if not (spot.seat <= house.seats and spot.hand <= house.hands_per_seat):
            raise Refusal(RefusalCode.NO_SUCH_SPOT, f"There is no hand {spot} at this table.")
        return
    if spot not in state.hands:
        raise Refusal(RefusalCode.NO_SUCH_SPOT, f"There is no hand {spot} in this round.")
    if spot in state.dead_hands:
        raise Refusal(TableCode.NOT_IRREGULAR_NOW, f"Hand {spot} is out of play already.")
    if irregularity in _OF_PLAY and not state.hands[spot].stake_cents(WagerKind.PLAY):
        raise Refusal(TableCode.NOT_IRREGULAR_NOW, f"Hand {spot} has no Play wager.")


def _declared(state: Round, command: DeclareIrregularity, ruling: Ruling) -> Events:
    effect = ruling.effect
    if effect is Effect.VOID_HAND and _only_hand(state, command.spot):
        effect = Effect.VOID_ROUND
    declared = IrregularityDeclared(
        irregularity=command.irregularity,
        about=command.about,
        effect=effect,
        clause=ruling.clause,
        spot=command.spot,
        card=command.card,
        cents=command.cents,
        note=command.note.strip(),
    )
    if effect is not Effect.VOID_ROUND:
        return (declared,)
    failed = command.irregularity is Irregularity.SHUFFLER_MALFUNCTION
    code = VoidCode.MALFUNCTION if failed else VoidCode.MISDEAL
    voided = void_with(apply(state, declared), VoidRound(_SENTENCES[command.irregularity]), code)
    return (declared, *voided)


def _only_hand(state: Round, spot: Spot | None) -> bool:
    """Whether no other hand is left in the round, which is then void as a whole."""
    return not (state.hands.keys() - state.void_hands - {spot})
