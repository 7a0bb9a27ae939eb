"""The effect of play at a table on its chips, added up from the transfers of its record.

Players buy chips from the dealer's tray with money of their wallets and bring them back there; the
house's bank takes lost wagers into the tray and pays won ones from it. Wagers between players, and
collections, which go to the drop box, pass the tray by.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from openfelt.ledger.accounts import AccountKind
from openfelt.ledger.transfers import Reason, Transfer


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePlay:
    """The play at a table in some period, in cents, according to its record."""

    bought_in_cents: int = 0
    """The drop: what players have bought chips for."""
    collected_cents: int = 0
    """The amount that players have cashed in."""
    win_cents: int = 0
    """The win of the house's bank, less payouts, including tips."""
    tips_cents: int = 0
    """The winnings of wagers for the dealer."""
    contributed_cents: int = 0
    """Progressive wagers, which belong to the link and lie in the tray as chips."""
    awarded_cents: int = 0
    """Awards and Envy, which the link pays in chips of the tray."""
    collections_cents: int = 0
    """Collections, which go to the drop box."""
    corrections_cents: int = 0
    """The house's income from adjustments, less payouts; it goes to and from wallets (R.38)."""

    @property
    def tray_cents(self) -> int:
        """How many more chips lie in the tray after this play; negative if there are fewer.

        >>> TablePlay(bought_in_cents=10_000, win_cents=2_500).tray_cents
        -7500
        """
        came = self.collected_cents + self.win_cents + self.contributed_cents
        return came - self.bought_in_cents - self.awarded_cents


def play_of(transfers: Iterable[Transfer], before: TablePlay | None = None) -> TablePlay:
    """Add up the transfers of a table's record, after what was added up before."""
    play = before or TablePlay()
    for transfer in transfers:
        play = play_after(play, transfer)
    return play


def play_after(play: TablePlay, transfer: Transfer) -> TablePlay:
    """The play, with one more transfer of the table's record."""
    cents, by_house = transfer.cents, transfer.debit.kind is AccountKind.HOUSE
    to_house = transfer.credit.kind is AccountKind.HOUSE
    match transfer.reason:
        case Reason.BUY_IN:
            return replace(play, bought_in_cents=play.bought_in_cents + cents)
        case Reason.COLLECT:
            return replace(play, collected_cents=play.collected_cents + cents)
        case Reason.LOSS if to_house:
            return replace(play, win_cents=play.win_cents + cents)
        case Reason.PAYOUT if by_house:
            return replace(play, win_cents=play.win_cents - cents)
        case Reason.TIP:
            lost_cents = cents if by_house else 0
            return replace(
                play, tips_cents=play.tips_cents + cents, win_cents=play.win_cents - lost_cents
            )
        case Reason.CONTRIBUTION:
            return replace(play, contributed_cents=play.contributed_cents + cents)
        case Reason.AWARD | Reason.ENVY:
            return replace(play, awarded_cents=play.awarded_cents + cents)
        case Reason.COLLECTION:
            return replace(play, collections_cents=play.collections_cents + cents)
        case Reason.COLLECTION_RETURNED:
            return replace(play, collections_cents=play.collections_cents - cents)
        case Reason.CORRECTION if to_house or by_house:
            got_cents = cents if to_house else -cents
            return replace(play, corrections_cents=play.corrections_cents + got_cents)
        case _:
            return play
