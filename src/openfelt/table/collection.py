"""The flat collection of a table whose players bank (R.20), fixed before the deal."""

from openfelt.rules import House, Round, WagerKind
from openfelt.rules.house import CollectionBand


def band_for(house: House, ante_cents: int) -> CollectionBand | None:
    """The band of an Ante; None if the house collects nothing."""
    bands = house.bank.collection
    return next((band for band in bands if ante_cents <= band.ante_up_to_cents), None)


def player_due_cents(house: House, ante_cents: int) -> int:
    """The fee of a hand with this Ante before the deal.

    >>> from openfelt.catalog import load_house
    >>> player_due_cents(load_house("california"), 1000)
    100
    """
    band = band_for(house, ante_cents) if ante_cents else None
    return band.player_cents if band else 0


def banker_due_max_cents(house: House) -> int:
    """The most that a player/dealer may have to pay, for any Antes."""
    return max((band.banker_cents for band in house.bank.collection), default=0)


def bank_wager_min_cents(house: House) -> int:
    """The smallest bank wager (R.30).

    Where a collection is taken, it covers the smallest Ante with its Blind and its largest Play
    wager at even money, unless the house says otherwise.

    >>> from openfelt.catalog import load_house
    >>> bank_wager_min_cents(load_house("california"))
    3000
    """
    if house.bank.wager_min_cents is not None:
        return house.bank.wager_min_cents
    ante = house.wager(WagerKind.ANTE)
    if not house.bank.collection or ante is None:
        return 1
    play = house.play
    multiples = (*play.before_flop, *play.on_flop, *play.on_river) if play else ()
    blinds = house.wager(WagerKind.BLIND) is not None
    return ante.min_cents * (1 + blinds + max(multiples, default=0))


def dues(state: Round) -> dict[int, int]:
    """The fee of each seat before the deal; the largest Ante sets the player/dealer's band."""
    if not state.house.bank.collection:
        return {}
    due: dict[int, int] = {}
    antes = []
    for spot, hand in state.hands.items():
        ante_cents = hand.stake_cents(WagerKind.ANTE)
        antes.append(ante_cents)
        due[spot.seat] = due.get(spot.seat, 0) + player_due_cents(state.house, ante_cents)
    banker = state.opened.banker
    band = band_for(state.house, max(antes, default=0))
    if banker is not None and band is not None:
        due[banker.seat] = band.banker_cents
    return {seat: cents for seat, cents in due.items() if cents}


def void_hand_dues(state: Round) -> dict[int, int]:
    """The part of its collection that each seat gets back, because a hand of it was void (R.37)."""
    due: dict[int, int] = {}
    for spot in state.void_hands if state.house.bank.collection else ():
        ante_cents = state.hands[spot].stake_cents(WagerKind.ANTE)
        due[spot.seat] = due.get(spot.seat, 0) + player_due_cents(state.house, ante_cents)
    return {seat: cents for seat, cents in due.items() if cents}
