"""Checks of a whole house: parts that are valid alone but do not fit together."""

from fractions import Fraction
from typing import Final

from openfelt.catalog.clauses import outcomes_of
from openfelt.catalog.field_values import Reader
from openfelt.money import AMOUNT_MAX_CENTS, format_cents
from openfelt.rules.dealing import hands_max
from openfelt.rules.house import BankKind, Deck, GameName, House, Procedure, SettlementOrder
from openfelt.rules.paytable import HandPaytable, PairsPaytable, Paytable, ProgressiveReads
from openfelt.rules.wager_rules import ante_max_cents, wager_max_cents
from openfelt.rules.wagers import WagerKind

_READS = {
    GameName.ULTIMATE_HOLDEM: {ProgressiveReads.HOLE_AND_FLOP, ProgressiveReads.FINAL_SEVEN},
    GameName.ULTIMATE_DRAW: {ProgressiveReads.DEALT_FIVE},
}
"""The cards that a progressive may read, by game (R.21)."""
_WAGERS_LEAST = {GameName.ULTIMATE_HOLDEM: 3, GameName.ULTIMATE_DRAW: 1}
"""Ante, Blind and Play in hold'em; an Ante in draw."""
AGGREGATE_ODDS: Final = 50
"""To one: a payout aggregate limits only tables that reach these odds, and never below them."""


def check_whole(read: Reader, house: House) -> None:
    """Reject a house whose parts do not fit together."""
    if house.procedure not in house.procedures:
        read.refuse("table.procedures", f"must contain {house.procedure}")
    if not house.chips_cents:
        read.refuse("table.chips_cents", "needs at least one chip")
    _check_decks(read, house)
    _check_folds(read, house)
    _check_clauses(read, house)
    _check_bank(read, house)
    _check_amounts(read, house)
    _check_payouts(read, house)
    _check_limits(read, house)
    _check_progressive(read, house)


def _check_decks(read: Reader, house: House) -> None:
    """One deck has enough cards for all hands of the table or terminal (R.11, R.28)."""
    most = hands_max(house)
    if house.hands_per_seat > most:
        read.refuse("table.hands_per_seat", f"one deck serves {most} hands")
    hands = house.seats * house.hands_per_seat
    if house.deck is Deck.SHARED and hands > most:
        read.refuse("table.seats", f"one shared deck serves {most} hands, not {hands}")
    by_terminals = house.deck is Deck.PER_TERMINAL and house.game is GameName.ULTIMATE_HOLDEM
    for procedure in house.procedures:
        if (procedure is Procedure.TERMINALS) != by_terminals:
            read.refuse(
                "table.procedures",
                "a deck per terminal is dealt by terminals, and only such decks are (S.4)",
            )


def _check_folds(read: Reader, house: House) -> None:
    """A folded hand can stay face down only where hands fold, and lie face down until then."""
    if not house.folds_face_down:
        return
    if house.game is not GameName.ULTIMATE_HOLDEM:
        read.refuse("table.folds_face_down", f"{house.game.words} has no fold")
    if house.player_cards_face_up:
        read.refuse("table.folds_face_down", "the players' cards are dealt face up")


def _check_clauses(read: Reader, house: House) -> None:
    """Every outcome has a clause that its settlement can cite."""
    for procedure in house.procedures:
        for outcome in outcomes_of(house):
            if not {outcome, f"{procedure}:{outcome}"} & house.clauses.keys():
                read.refuse(
                    "document",
                    f"document {house.document} has no clause for {outcome} "
                    f"in {house.game} dealt by {procedure}",
                )


def _check_bank(read: Reader, house: House) -> None:
    by_players = house.bank.kind is BankKind.PLAYER_DEALER
    if by_players != (house.settlement_order is SettlementOrder.FROM_BANKERS_LEFT):
        read.refuse(
            "table.settlement_order",
            "must be from_bankers_left if the players bank, and only then",
        )
    if by_players and house.seats < 2:
        read.refuse("table.seats", "a player-banked table has at least two seats")
    ante = house.wager(WagerKind.ANTE)
    bands = house.bank.collection
    if bands and ante and bands[-1].ante_up_to_cents < ante.max_cents:
        read.refuse("bank.collection", "the last band must reach the largest Ante")


def _check_amounts(read: Reader, house: House) -> None:
    """Only 3 to 2 and half an Ante are ever rounded (R.15), never even money."""
    unit = house.rounding_unit_cents
    steps = {f"wagers.{rule.kind}": rule.multiple_of_cents for rule in house.wagers}
    if house.dealer_wagers:
        steps["dealer_wagers"] = house.dealer_wagers.multiple_of_cents
    for key, step in steps.items():
        if step % unit:
            read.refuse(
                f"{key}.multiple_of_cents", f"must be a multiple of the rounding unit, {unit}"
            )


def _check_payouts(read: Reader, house: House) -> None:
    """No wager can win, and no Play wager can be, more than any table moves at once."""
    highest = {rule.kind: _highest_odds(rule.paytable) for rule in house.wagers}
    multiples = (
        (*house.play.before_flop, *house.play.on_flop, *house.play.on_river) if house.play else ()
    )
    if WagerKind.ANTE in highest:
        bonus = _highest_odds(house.ante_bonus)
        highest[WagerKind.ANTE] = max(highest[WagerKind.ANTE], bonus, *map(Fraction, multiples))
    largest = {f"wagers.{rule.kind}": (rule.max_cents, highest[rule.kind]) for rule in house.wagers}
    if house.dealer_wagers:
        odds = max(highest.values(), default=Fraction(1))
        largest["dealer_wagers"] = (house.dealer_wagers.max_cents, odds)
    for key, (max_cents, odds) in largest.items():
        if max_cents * odds > AMOUNT_MAX_CENTS:
            read.refuse(
                f"{key}.max_cents",
                f"a wager of {format_cents(max_cents)} could win more than any table pays, "
                f"{format_cents(AMOUNT_MAX_CENTS)}",
            )


def _highest_odds(paytable: Paytable | None) -> Fraction:
    """The most that a wager of one wins, without shares of a meter, whose ceiling limits them."""
    if paytable is None:
        return Fraction(1)
    if isinstance(paytable, HandPaytable | PairsPaytable):
        return max(Fraction(1), *(row.odds.ratio for row in paytable.rows))
    fixed = [max(row.for_one or 0, row.envy_for_one) for row in paytable.rows]
    return Fraction(max(1, *fixed))


def _check_limits(read: Reader, house: House) -> None:
    """The legal limits leave room for the game."""
    ante = house.wager(WagerKind.ANTE)
    for number, limits in enumerate(house.limits):
        if ante and ante_max_cents(house, limits) < ante.min_cents:
            read.refuse(f"limits[{number}]", "leaves no room for the smallest Ante")
        circles = 1 if house.wager(WagerKind.BLIND) is None else 2
        whole_cents = limits.table_aggregate_max_cents
        if ante and whole_cents is not None and whole_cents < circles * ante.min_cents:
            read.refuse(
                f"limits[{number}].table_aggregate_max_cents",
                "leaves no room for the smallest Ante",
            )
        _check_payout_aggregates(read, house, number)
        least = _WAGERS_LEAST[house.game]
        if limits.wagers_per_hand_max is not None and limits.wagers_per_hand_max < least:
            read.refuse(f"limits[{number}].wagers_per_hand_max", f"the game needs {least} wagers")


def _check_payout_aggregates(read: Reader, house: House, number: int) -> None:
    """The state limits only long odds, and never below what a large wager may expect (R.36)."""
    limits = house.limits[number]
    for aggregate in limits.payout_aggregates:
        key = f"limits[{number}].payout_aggregates.{aggregate.wager}"
        rule = house.wager(aggregate.wager)
        if house.bank.kind is BankKind.PLAYER_DEALER:
            read.refuse(key, "the cover of a player/dealer limits payouts already")
        if rule is None or not isinstance(rule.paytable, HandPaytable | PairsPaytable):
            read.refuse(key, "is not a wager of this house that the bank pays by a paytable")
        highest = max(Fraction(row.odds.pays, row.odds.per) for row in rule.paytable.rows)
        if highest < AGGREGATE_ODDS:
            read.refuse(
                key, f"the table pays less than {AGGREGATE_ODDS} to 1, so it is not limited"
            )
        least_cents = AGGREGATE_ODDS * wager_max_cents(house, limits, rule)
        if aggregate.max_cents < least_cents:
            read.refuse(
                key,
                f"must be at least {format_cents(least_cents)}: {AGGREGATE_ODDS} times the "
                "largest wager",
            )
        if aggregate.max_cents % house.rounding_unit_cents:
            read.refuse(
                key, f"must be a multiple of the rounding unit, {house.rounding_unit_cents}"
            )


def _check_progressive(read: Reader, house: House) -> None:
    rule = house.wager(WagerKind.PROGRESSIVE)
    if rule is None:
        return
    if rule.min_cents != rule.max_cents:
        read.refuse("wagers.progressive", "is a fixed amount: min_cents and max_cents are equal")
    reads = house.progressive_table().reads
    if reads not in _READS[house.game]:
        read.refuse(
            "wagers.progressive.paytable", f"reads {reads}, which {house.game} does not deal"
        )
