"""The laboratory's referee: it settles a round a second time, from the documents alone.

The modules whose names begin with ``referee`` import nothing of Openfelt. They know cards as text,
the paytables as the laboratory has typed them, and hands as an evaluator from PyPI values them.
"""

from collections import Counter

from tests.laboratory import referee_draw, referee_holdem
from tests.laboratory.referee_aggregates import settle_by_aggregates
from tests.laboratory.referee_bank import in_action_order, settle_by_cover
from tests.laboratory.referee_hands import kind_of
from tests.laboratory.referee_link import Link, settle_link
from tests.laboratory.referee_sheet import Hand, House, Result, Sheet, Verdict


def settle(house: House, sheet: Sheet, link: Link | None = None) -> Verdict:
    """How every wager of a round ends. A link takes the wagers and pays the awards of the round.

    Raises:
        ValueError: The round is not one that the documents allow.
    """
    if sheet.void:
        # A void round leaves a bank wager as it was.
        cover_cents = sheet.cover_cents if sheet.banker_seat else None
        returned = [result for hand in sheet.hands for result in _ended(house, hand, "returned")]
        return Verdict(results=returned, cover_left_cents=cover_cents)
    _check_cards(house, sheet)
    game = referee_draw if house.game == "draw" else referee_holdem
    results: dict[Hand, list[Result]] = {}
    for hand in sheet.hands:
        if hand.ended:
            word = "returned" if hand.ended == "void" else "lose"
            results[hand] = _ended(house, _without_progressive(hand), word)
            continue
        game.check_decisions(hand)
        results[hand] = game.settle_hand(house, _without_progressive(hand), sheet)
    # Seats count from the dealer's left, so right to left is from the last one (W.11).
    order = sorted(sheet.hands, key=lambda hand: (hand.seat, hand.number), reverse=True)
    verdict = Verdict(results=[result for hand in order for result in results[hand]])
    verdict.results = settle_by_aggregates(house, verdict.results)
    if sheet.dealer:
        verdict.dealer_qualified = kind_of(game.dealer_value(sheet)) != "high card"
    if sheet.banker_seat:
        verdict.results, verdict.cover_left_cents = settle_by_cover(
            house, in_action_order(house, results, sheet.banker_seat), sheet.cover_cents
        )
    linked = [hand for hand in order if hand.ended != "void"]
    if link is not None and any(bet.wager == "progressive" for h in linked for bet in h.bets):
        awards, verdict.meter_cents = settle_link(house, link, sheet, linked)
        verdict.results += awards
    for hand in order:
        if hand.ended == "void":
            verdict.results += [one for one in _ended(house, hand, "returned") if one.by_link]
    return verdict


def _without_progressive(hand: Hand) -> Hand:
    return hand._replace(bets=tuple(bet for bet in hand.bets if bet.wager != "progressive"))


def _ended(house: House, hand: Hand, word: str) -> list[Result]:
    """Every wager goes back or is lost, a Play wager that was made included (ruling 13)."""
    bets = list(hand.bets)
    if house.game == "holdem":
        bets = list(referee_holdem.placed(_without_progressive(hand)))
        bets += [bet for bet in hand.bets if bet.wager == "progressive"]
    return [
        Result(
            seat=hand.seat,
            number=hand.number,
            wager=bet.wager,
            for_dealer=bet.for_dealer,
            stake_cents=bet.cents,
            result=word,
            returned_cents=bet.cents if word == "returned" else 0,
            paid_cents=0,
            by_link=bet.wager == "progressive",
        )
        for bet in bets
    ]


def _check_cards(house: House, sheet: Sheet) -> None:
    """Raise if a card was dealt twice from one deck, or to few (ruling 11)."""
    common = sheet.dealer + sheet.common
    dealt = {0: common}
    for hand in sheet.hands:
        deck = hand.seat if house.own_decks else 0
        dealt[deck] = dealt.get(deck, common) + hand.cards
        if len(hand.cards) != (5 if house.game == "draw" else 2):
            raise ValueError(f"hand {hand.seat}.{hand.number} has {len(hand.cards)} cards")
    for cards in dealt.values():
        if len(set(cards)) < len(cards):
            twice = [card for card, times in Counter(cards).items() if times > 1]
            raise ValueError(f"dealt twice: {' '.join(twice)}")
    if len(sheet.common) != 5:
        raise ValueError(f"{len(sheet.common)} common cards")
