"""Ultimate Draw Poker: holds, the dealer's house way, common draw cards, and settlement."""

from dataclasses import replace
from typing import Final

from openfelt.cards import Card, Category, Hand, Rank, evaluate
from openfelt.cards.hand import hand_strength
from openfelt.rules.lines import Line, Outcome, Result, Why, comparison_of, hand_why, table_outcome
from openfelt.rules.paytable import EVEN_MONEY, HALF, HandPaytable
from openfelt.rules.player_hand import PlayerHand
from openfelt.rules.quick_replace import maker
from openfelt.rules.round import Round, settled_line
from openfelt.rules.wagers import Spot, Wager, WagerKind

Cards = tuple[Card, ...]

# Looking a member up in an enumeration takes as long as a call.
_ANTE: Final = WagerKind.ANTE
_BONUS: Final = WagerKind.BONUS
_WIN: Final = Result.WIN
_LOSE: Final = Result.LOSE
_PUSH: Final = Result.PUSH
_PAIR: Final = Category.PAIR
_STRAIGHT: Final = Category.STRAIGHT
_JACK: Final = Rank.JACK


def house_way(cards: Cards) -> Cards:
    """The cards that the dealer holds of five (D.6, R.26).

    >>> from openfelt.cards import parse_cards, format_cards
    >>> format_cards(house_way(parse_cards("Ks Kd 9s 5s 2s")))
    'Ks Kd'
    >>> format_cards(house_way(parse_cards("Ks Qd 9s 5h 2s")))
    'Ks Qd'
    """
    category = hand_strength(cards) >> 20
    if category >= _STRAIGHT:
        return cards
    if category >= _PAIR:
        return _matched(cards)
    return _four_flush(cards) or _four_in_sequence(cards) or _jack_or_higher(cards)


def _matched(cards: Cards) -> Cards:
    """The cards that make the pair, the two pair or the three of a kind (D.6a)."""
    ranks = [card.rank for card in cards]
    return tuple([card for card in cards if ranks.count(card.rank) > 1])


def _four_flush(cards: Cards) -> Cards:
    """Four cards of one suit (D.6b)."""
    suits = [card.suit for card in cards]
    for suit in suits[:2]:
        # Four of five cards leave out one, so one of the first two has their suit.
        if suits.count(suit) == 4:
            return tuple([card for card in cards if card.suit is suit])
    return ()


def _four_in_sequence(cards: Cards) -> Cards:
    """Four cards in sequence, the highest such four; the ace counts low and high (D.6c)."""
    ranks = 0
    for card in cards:
        ranks |= 1 << card.rank
    for run in _RUNS:
        if ranks & run == run:
            return tuple([card for card in cards if run >> card.rank & 1])
    return ()


_RUNS: Final = tuple(
    sum(1 << (Rank.ACE if rank == 1 else rank) for rank in range(low, low + 4))
    for low in range(Rank.JACK, 0, -1)
)
"""Every four ranks in sequence, the highest first, each with the bits of its ranks."""


def _jack_or_higher(cards: Cards) -> Cards:
    """Every jack, queen, king and ace; empty if there is none (D.6d, D.6e)."""
    return tuple([card for card in cards if card.rank >= _JACK])


def final_cards(held: Cards, draw_cards: Cards) -> Cards:
    """Held cards with common draw cards 1 to k in place of the k discards (D.7, R.27).

    >>> from openfelt.cards import parse_cards, format_cards
    >>> format_cards(final_cards(parse_cards("Ks Kd"), parse_cards("2c 3c 4c 5c 6c")))
    'Ks Kd 2c 3c 4c'
    """
    return (*held, *draw_cards[: 5 - len(held)])


def player_hand(state: Round, hand: PlayerHand) -> Hand:
    """The player's five cards after the draw."""
    held = hand.held
    assert held is not None
    return evaluate(final_cards(held, state.common))


def dealer_hand(state: Round) -> Hand:
    """The dealer's five cards after the house way and the draw (D.8)."""
    return evaluate(final_cards(house_way(state.dealer), state.common))


# Settlement ------------------------------------------------------------------


_outcome: Final = maker(Outcome)


UNQUALIFIED_PAYS: Final = HALF
"""What an unqualified dealer pays on every Ante (D.10)."""


def settle_ante(player: Hand, dealer: Hand, *, dealer_qualified: bool) -> Outcome:
    """Ante: half of it from an unqualified dealer, otherwise even money, lost or
    tied (D.10, R.25)."""
    if not dealer_qualified:
        return _outcome(
            _WIN,
            "ante.not_qualified",
            f"The dealer's {dealer.name.lower()} does not qualify: half the Ante is paid.",
            UNQUALIFIED_PAYS,
            Why(dealer_hand=dealer.name, pays=str(UNQUALIFIED_PAYS)),
        )
    verdict, words, why = comparison_of(player, dealer)
    if verdict == "tie":
        return _outcome(_PUSH, "ante.tie", f"{words}.", None, why)
    if verdict == "win":
        return _outcome(_WIN, "ante.win", f"{words}.", EVEN_MONEY, why)
    return _outcome(_LOSE, "ante.lose", f"{words}.", None, why)


def settle_ante_bonus(player: Hand, table: HandPaytable) -> Outcome | None:
    """Ante Bonus: a flush or better is paid with the Ante, win or lose (D.12)."""
    odds = table.odds_for(player)
    if odds is None:
        return None
    words = f"{player.name} earns {odds.pays} times the Ante, win or lose."
    return _outcome(_WIN, "ante_bonus.win", words, odds, hand_why(player.name, str(odds)))


def settle_bonus(player: Hand, table: HandPaytable) -> Outcome:
    """Bonus: two pair or better wins, regardless of the dealer's hand (D.13)."""
    return table_outcome("bonus", player, table)


def settle_hand(state: Round, hand: PlayerHand, dealer: Hand) -> tuple[Line, ...]:
    """Settle every wager of a hand except the progressive, which is settled for the round."""
    house = state.house
    player = player_hand(state, hand)
    lines = []
    for wager in hand.wagers:
        if wager.kind is _ANTE:
            qualified = house.dealer_qualifies.met_by(dealer)
            outcome = settle_ante(player, dealer, dealer_qualified=qualified)
            lines.append(settled_line(state, hand.spot, wager, outcome))
            lines.extend(_ante_bonus_lines(state, hand.spot, wager, player))
        elif wager.kind is _BONUS:
            outcome = settle_bonus(player, house.hand_table(_BONUS))
            lines.append(settled_line(state, hand.spot, wager, outcome))
    return tuple(lines)


def _ante_bonus_lines(state: Round, spot: Spot, ante: Wager, player: Hand) -> list[Line]:
    """The Ante Bonus has no stake of its own; it is a multiple of the Ante."""
    table = state.house.ante_bonus
    outcome = settle_ante_bonus(player, table) if table else None
    if outcome is None:
        return []
    paid = settled_line(state, spot, ante, outcome)
    return [replace(paid, wager="ante_bonus", stake_cents=0, returned_cents=0)]
