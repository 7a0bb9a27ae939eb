"""Ultimate Draw Poker settled by document D and the rulings 25 to 29."""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

from tests.laboratory.referee_hands import Cards, kind_of, rank_of, value_of
from tests.laboratory.referee_paytables import TABLES, payout, rounded_down
from tests.laboratory.referee_sheet import Bet, Hand, House, Result, Sheet


@lru_cache(maxsize=1024)
def house_way(cards: Cards) -> frozenset[str]:
    """The cards that the dealer holds (D.6, ruling 26)."""
    ranks = [rank_of(card) for card in cards]
    kind = kind_of(value_of(cards))
    if kind in ("pair", "two pair", "three of a kind"):
        return frozenset(card for card in cards if ranks.count(rank_of(card)) > 1)
    if kind != "high card":
        return frozenset(cards)
    suits = [card[1] for card in cards]
    for suit in set(suits):
        if suits.count(suit) == 4:
            return frozenset(card for card in cards if card[1] == suit)
    for lowest in range(11, 0, -1):
        wanted = {rank if rank > 1 else 14 for rank in range(lowest, lowest + 4)}
        if wanted <= set(ranks):
            return frozenset(card for card in cards if rank_of(card) in wanted)
    return frozenset(card for card in cards if rank_of(card) >= 11)


def drawn(cards: Cards, held: frozenset[str], common: Cards) -> Cards:
    """The final five cards: those held, and common cards from number 1 on (D.7)."""
    if not held <= set(cards):
        raise ValueError(f"{sorted(held)} are not among {cards}")
    return (*held, *common[: len(cards) - len(held)])


def check_decisions(hand: Hand) -> None:
    """Raise unless the hand held once, and the clock the house way (ruling 27)."""
    if [decision.word for decision in hand.decisions] != ["hold"]:
        raise ValueError(f"hand {hand.seat}.{hand.number} has not held once: {hand.decisions}")
    (decision,) = hand.decisions
    if decision.by_clock and frozenset(decision.held) != house_way(hand.cards):
        raise ValueError(f"the clock did not hold {hand.cards} the house way: {decision.held}")


def dealer_value(sheet: Sheet) -> int:
    """The strength of the dealer's hand, played the house way (D.8)."""
    return value_of(drawn(sheet.dealer, house_way(sheet.dealer), sheet.common))


def settle_hand(house: House, hand: Hand, sheet: Sheet) -> list[Result]:
    """Every wager of one hand, and its Ante Bonus."""
    return list(_results(house, hand, sheet))


def _results(house: House, hand: Hand, sheet: Sheet) -> Iterator[Result]:
    held = frozenset(hand.decisions[0].held)
    player = value_of(drawn(hand.cards, held, sheet.common))
    bets = sorted(hand.bets, key=lambda bet: (bet.for_dealer, bet.wager))
    for bet in bets:
        if bet.wager == "ante":
            yield _result(hand, bet, *_ante(house, bet, player, dealer_value(sheet)))
            bonus = TABLES["ante_bonus"][house.ante_bonus].get(kind_of(player))
            if bonus:  # D.12: also where the hand loses.
                paid_cents = payout(bet.cents, bonus, house.rounding_unit_cents)
                extra = Bet("ante_bonus", 0, bet.for_dealer)
                yield _result(hand, extra, "win", paid_cents)
        elif bet.wager == "bonus":
            pays = TABLES["bonus"][house.bonus].get(kind_of(player))
            if pays:
                yield _result(hand, bet, "win", payout(bet.cents, pays, house.rounding_unit_cents))
            else:
                yield _result(hand, bet, "lose", 0)
        else:
            raise ValueError(f"draw has no wager {bet.wager}")


def _ante(house: House, bet: Bet, player: int, dealer: int) -> tuple[str, int]:
    if kind_of(dealer) == "high card":
        return "win", rounded_down(Fraction(bet.cents, 2), house.rounding_unit_cents)  # D.10
    if player == dealer:
        return "push", 0
    return ("win", bet.cents) if player < dealer else ("lose", 0)


def _result(hand: Hand, bet: Bet, result: str, paid_cents: int) -> Result:
    return Result(
        seat=hand.seat,
        number=hand.number,
        wager=bet.wager,
        for_dealer=bet.for_dealer,
        stake_cents=bet.cents,
        result=result,
        returned_cents=0 if result == "lose" else bet.cents,
        paid_cents=paid_cents,
    )
