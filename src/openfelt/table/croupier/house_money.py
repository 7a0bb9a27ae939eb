"""Players with the house's money, who may bet and never bank (C.19)."""

from typing import Final

from openfelt.rules.refusal import Refusal
from openfelt.table.events import BankDeclined
from openfelt.table.permissions import Events
from openfelt.table.phases import TablePhase
from openfelt.table.refusal import TableCode
from openfelt.table.state import Table

HOUSE_PREFIX: Final = "house-"
"""The prefix of the names of players with the house's money; no account may begin with it."""


def plays_for_house(player: str) -> bool:
    """Whether a player's money is the house's.

    >>> plays_for_house("house-player-1"), plays_for_house("computer-player-1")
    (True, False)
    """
    return player.startswith(HOUSE_PREFIX)


def check_own_money(player: str) -> None:
    """Refuse the bank to a player with the house's money."""
    if plays_for_house(player):
        raise Refusal(TableCode.HOUSE_MONEY, "A player with the house's money may not bank.")


def house_declines(table: Table) -> Events:
    """Pass the bank on where it is offered to a player with the house's money."""
    if not table.player_banked or table.phase is not TablePhase.OPEN or table.playing is not None:
        return ()
    seat = table.bank_offered_to
    if seat is None or not plays_for_house(table.seats[seat].player):
        return ()
    return (BankDeclined(seat),)
