"""The rules of a house in words, from its rule data."""

from collections.abc import Iterator

from openfelt.money import format_cents
from openfelt.rules import WagerKind
from openfelt.rules.house import BankKind, Deck, GameName, House, PlayRule, SeveralWinners
from openfelt.rules.paytable import ProgressivePaytable, ProgressiveReads
from openfelt.rules.ultimate_draw import UNQUALIFIED_PAYS

_DECKS = {
    Deck.SHARED: "One deck of 52 cards, without jokers, is shuffled for each round; all hands "
    "share it.",
    Deck.PER_TERMINAL: "One deck of 52 cards, without jokers, is shuffled for each round. The "
    "dealer's cards and the board come from it and are common to all terminals; each terminal "
    "draws its hands from its own copy of the remaining cards (R.11).",
}
_SIDE_BETS = {
    WagerKind.TRIPS: "Trips is paid by its table for the player's best five of seven cards, "
    "whatever the dealer has, and even after a fold.",
    WagerKind.BAD_BEAT: "Bad Beat is paid by its table for the losing hand, the player's or the "
    "dealer's; a tie loses it (R.6).",
    WagerKind.PLAY_THE_BOARD: "Play the Board is paid by its table for the five community cards.",
    WagerKind.ULTIMATE_PAIRS: "Ultimate Pairs is paid by its table for the player's two cards, and "
    "for the dealer's with them where the table says so.",
}
_PROGRESSIVE_CARDS = {
    ProgressiveReads.HOLE_AND_FLOP: "the player's two cards with the three of the flop",
    ProgressiveReads.FINAL_SEVEN: "the player's two cards with the whole board",
    ProgressiveReads.DEALT_FIVE: "the player's five cards before the draw",
}
_SEVERAL_WINNERS = {
    SeveralWinners.SPLIT: "divide it evenly",
    SeveralWinners.IN_ORDER: "take it one after another, in the order of settlement",
}


def rules_in_words(house: House) -> Iterator[str]:
    """How a round is played and settled, sentence by sentence."""
    yield f"{_DECKS[house.deck]} {_seats(house)}"
    if house.bank.kind is BankKind.PLAYER_DEALER:
        yield (
            "A player banks the round. The figures are for wagers that are fully covered, before "
            "collections."
        )
    yield from _holdem(house, house.play) if house.play is not None else _draw(house)
    for kind, words in _SIDE_BETS.items():
        if house.wager(kind) is not None:
            yield words
    yield from _progressive(house)
    unit = format_cents(house.rounding_unit_cents)
    yield f"Payouts are rounded to {unit} (R.15); the figures are for wagers that need no rounding."
    for departure in house.departures:
        yield f"The house departs from clause {departure.clause}: {departure.reason}"
    for aggregate in house.payout_aggregates:
        yield (
            f"All {aggregate.wager.words} wagers of a round together are paid at most "
            f"{format_cents(aggregate.max_cents)} (R.36); the figures count payouts in full."
        )


def _seats(house: House) -> str:
    hands = "one hand" if house.hands_per_seat == 1 else f"up to {house.hands_per_seat} hands"
    if house.seats == 1:
        return f"There is one seat, with {hands}."
    return f"There are {house.seats:,} seats, with {hands} each."


def _progressive(house: House) -> Iterator[str]:
    """What a progressive reads and pays, and what its meter gets."""
    rule = house.wager(WagerKind.PROGRESSIVE)
    if rule is None or not isinstance(rule.paytable, ProgressivePaytable):
        return
    fold = " A fold leaves it in action (R.3)." if house.play is not None else ""
    yield (
        f"The progressive reads {_PROGRESSIVE_CARDS[rule.paytable.reads]} (R.21). It is paid by "
        "its table, in fixed amounts and in shares of its meter, whatever the dealer has, and is "
        f"lost with any other hand.{fold}"
    )
    if any(row.envy_for_one for row in rule.paytable.rows):
        yield (
            "Envy: when a hand makes an award for which the table names an Envy, every other "
            "player's hand at the table with the progressive wager is paid that fixed amount; "
            "other hands of the winner are not (R.22)."
        )
    if (link := house.progressive) is not None:
        yield (
            f"{float(link.contribution * 100):g}% of each progressive wager goes to the meter. It "
            f"begins at its seed of {format_cents(link.seed_cents)}, and is topped up to it when "
            "an award leaves less (R.23). Several hands that win a share in one round "
            f"{_SEVERAL_WINNERS[link.several_winners]} (R.24)."
        )


def _play_wagers(play: PlayRule) -> str:
    """The Play wagers of each street that has any.

    >>> _play_wagers(PlayRule(before_flop=(3, 4), on_flop=(2,), on_river=(1,), reserve_play=False))
    '3x or 4x the Ante before the flop, 2x the Ante after the three cards of the flop, or 1x the \
Ante after the turn and the river'
    """
    streets = [
        (play.before_flop, "before the flop"),
        (play.on_flop, "after the three cards of the flop"),
        (play.on_river, "after the turn and the river"),
    ]
    wagers = [f"{_multiples(multiples)} {when}" for multiples, when in streets if multiples]
    return f"{', '.join(wagers[:-1])}, or {wagers[-1]}" if len(wagers) > 1 else wagers[0]


def _multiples(multiples: tuple[int, ...]) -> str:
    return " or ".join(f"{multiple}x" for multiple in sorted(multiples)) + " the Ante"


def _holdem(house: House, play: PlayRule) -> Iterator[str]:
    assert house.game is GameName.ULTIMATE_HOLDEM
    yield (
        "The player bets an Ante and an equal Blind. Player and dealer get two cards each, and "
        "share a board of five."
    )
    yield (
        f"The player makes one Play wager at most: {_play_wagers(play)}. A player who has made "
        "none by then folds, and loses Ante and Blind."
    )
    least = house.dealer_qualifies.or_better
    yield (
        "Player and dealer make the best five of their seven cards. The dealer qualifies with: "
        f"{least}. Otherwise the Ante pushes, and Play and Blind are settled all the same (R.4)."
    )
    yield (
        "The better hand wins. Ante and Play win even money. The Blind of a winning hand is paid "
        "by its table, and pushes with a hand that is not in it (R.5). Equal hands push all three. "
        "The worse hand loses all three, except the Ante if the dealer does not qualify."
    )


def _draw(house: House) -> Iterator[str]:
    yield (
        "Player and dealer get five cards each, and five draw cards lie face down for all hands. "
        "The player holds any cards and replaces the others with as many draw cards, from the "
        "first on."
    )
    yield (
        "The dealer then does the same by the house way: the dealer holds a pair or anything "
        "better, otherwise four to a flush, otherwise four in sequence, otherwise cards from the "
        "jack up, otherwise nothing (D.6)."
    )
    yield (
        f"The dealer qualifies with: {house.dealer_qualifies.or_better}. An unqualified dealer "
        f"pays every Ante {UNQUALIFIED_PAYS} (D.10). Otherwise the better hand wins the "
        "Ante at even money, the worse one loses it (D.11), and a tie pushes (R.25)."
    )
    if house.ante_bonus is not None:
        yield "The Ante Bonus is paid by its table, even when the Ante is lost (D.12)."
    bonus = house.wager(WagerKind.BONUS)
    if bonus is not None:
        yield (
            "The Bonus is paid by its table for the player's final hand, whatever the dealer has, "
            "and is lost with any other hand (D.13)."
        )
        if WagerKind.ANTE not in bonus.requires:
            yield "It may be bet without an Ante (R.29)."
