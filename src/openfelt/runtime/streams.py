"""Stream names: a kind of record, a slash, and the name of what it records.

Every stream name in the program is made and taken apart here.
"""

from enum import StrEnum
from typing import Final

from openfelt.storage.door import Store
from openfelt.storage.secrecy.secrets_door import LOST_KEY_KIND
from openfelt.storage.streams.time_corrections import CLOCK_KIND
from openfelt.table.permissions import NAME

PRIVATE_PREFIX: Final = "private."
"""The prefix of the names of private tables; the rest is the name of their player."""


class StreamKind(StrEnum):
    """The subject of a stream's events. The values are stored and never change."""

    TABLE = "table"
    LINK = "link"
    """A progressive link."""
    FEED = "feed"
    """The confirmed rounds of a table that its link has to count."""
    WALLET = "wallet"
    """A player's deposits and withdrawals."""
    ACCOUNT = "account"
    """A user's account on the server."""
    DEALER = "dealer"
    """Where a dealer is signed on."""
    PURGE = "purge"
    """The removal of a table's secret decks."""
    LOST_KEY = LOST_KEY_KIND
    """The loss of a key."""
    CLOCK = CLOCK_KIND
    """Corrections of wrong times."""
    DISPUTE = "dispute"
    """A round that is frozen, and what was noted about it."""
    BOOK = "book"
    """The days of the ledger that have been closed, and the archives that have been made."""
    VOUCHER = "voucher"
    """One voucher, by the keyed hash of its code."""
    VOUCHER_KEYS = "voucher_keys"
    """The keys from which the codes of vouchers come."""
    ALERT = "alert"
    """The alerts of the house: who saw and who closed them."""
    DRAWER = "drawer"
    """A cashier's drawer."""
    TRAY = "tray"
    """The chips in the tray of a live table, and the fills and credits of it."""
    SLIPS = "slips"
    """The numbers of the slips of fills and credits."""
    LIMITS = "limits"
    """The limits of a player, by the name of the wallet."""
    SHIPMENT = "shipment"
    """The segments of the log that were written to one copy."""

    @property
    def prefix(self) -> str:
        """The prefix of the names of all streams of this kind."""
        return f"{self.value}/"


# Every command asks for these two, and to look a member up takes longer than to add a name.
_TABLE: Final = StreamKind.TABLE.prefix
_LIMITS: Final = StreamKind.LIMITS.prefix


def table_stream(table: str) -> str:
    """The stream that holds a table's record.

    >>> table_stream("stadium-1")
    'table/stadium-1'
    """
    return _TABLE + table


def link_stream(link: str) -> str:
    """The stream that holds the record of a progressive link."""
    return StreamKind.LINK.prefix + link


def feed_stream(link: str, table: str) -> str:
    """The stream of the confirmed rounds of a table that its link has to count.

    >>> feed_stream("main", "stadium-1")
    'feed/main/stadium-1'
    """
    return f"{feeds_prefix(link)}{table}"


def feeds_prefix(link: str) -> str:
    """The prefix of the names of the feeds of all tables of a link."""
    return f"{StreamKind.FEED.prefix}{link}/"


def feed_of(stream: str) -> tuple[str, str]:
    """The link and the table of a feed.

    >>> feed_of("feed/main/stadium-1")
    ('main', 'stadium-1')
    """
    link, _, table = name_of(stream).partition("/")
    return link, table


def wallet_stream(player: str) -> str:
    """The stream that holds the deposits and withdrawals of a player's wallet."""
    return StreamKind.WALLET.prefix + player


def dealer_stream(dealer: str) -> str:
    """The stream that records where a dealer is signed on."""
    return StreamKind.DEALER.prefix + dealer


def purge_stream(table: str) -> str:
    """The stream that records which secret decks of a table have been removed."""
    return StreamKind.PURGE.prefix + table


def lost_key_stream(key: str) -> str:
    """The stream that records the loss of a key, by the id of the key."""
    return StreamKind.LOST_KEY.prefix + key


def dispute_stream(number: str) -> str:
    """The stream that records a dispute, by its number."""
    return StreamKind.DISPUTE.prefix + number


def book_stream(book: str) -> str:
    """The stream that records what has been closed of a book."""
    return StreamKind.BOOK.prefix + book


DAYS_STREAM: Final = book_stream("days")
"""The stream of the days that have been closed."""
ARCHIVES_STREAM: Final = book_stream("archives")
"""The stream of the archives that have been made."""
TAKINGS_STREAM: Final = book_stream("takings")
"""The stream of the takings of every day, table by table."""


VOUCHER_KEYS_STREAM: Final = StreamKind.VOUCHER_KEYS.prefix + "house"
"""The stream of the keys from which the codes of vouchers come."""


def voucher_stream(voucher: str) -> str:
    """The stream that records one voucher, by its id."""
    return StreamKind.VOUCHER.prefix + voucher


def drawer_stream(drawer: str) -> str:
    """The stream that records a cashier's drawer."""
    return StreamKind.DRAWER.prefix + drawer


def tray_stream(table: str) -> str:
    """The stream that records the tray of a table."""
    return StreamKind.TRAY.prefix + table


SLIPS_STREAM: Final = StreamKind.SLIPS.prefix + "house"
"""The stream of the slips of the house, whose versions are their numbers."""


def limits_stream(player: str) -> str:
    """The stream that records the limits of a player."""
    return _LIMITS + player


def shipment_stream(copy: str) -> str:
    """The stream that records what was shipped to a copy, by its id."""
    return StreamKind.SHIPMENT.prefix + copy


ALERTS_STREAM: Final = StreamKind.ALERT.prefix + "house"
"""The stream of the alerts of the house."""
DEVICES_STREAM: Final = "terminals"
"""The stream of the devices that are enrolled as terminals of the house."""
FLOOR_STREAM: Final = "floor"
"""The stream of the checkpoints of the floor's figures."""
BADGES_STREAM: Final = "badges"
"""The stream of the badge numbers and their accounts."""
READERS_STREAM: Final = "readers"
"""The stream of the card readers that have a token."""
HOUSE_FILES_STREAM: Final = "house_files"
"""The stream of an operator's own house files, as they were accepted."""
SOFTWARE_STREAM: Final = "software"
"""The stream of the checks of the program's own files."""
VERIFICATIONS_STREAM: Final = "verifications"
"""The stream of the audits that the server has made of its record."""
DUTY_PREFIX: Final = "duty/"
"""The prefix of the names of streams that have no events and are leased to the process that does
some work for the whole house."""
READINGS_STREAM: Final = "readings"
"""The stream of readings of restricted parts of the record."""


def duty_stream(duty: str) -> str:
    """The stream that is leased to the process which does some work for the whole house.

    >>> duty_stream("notary")
    'duty/notary'
    """
    return DUTY_PREFIX + duty


def account_stream(account: str) -> str:
    """The stream that holds the record of a user's account."""
    return StreamKind.ACCOUNT.prefix + account


def kind_of(stream: str) -> StreamKind | None:
    """The kind of a stream, None for a kind that this version does not know.

    >>> kind_of("link/main").value, kind_of("health")
    ('link', None)
    """
    kind, slash, _ = stream.partition("/")
    return StreamKind(kind) if slash and kind in set(StreamKind) else None


def name_of(stream: str) -> str:
    """The name of the table, link, wallet or account whose record a stream holds.

    >>> name_of("table/stadium-1")
    'stadium-1'
    """
    return stream.partition("/")[2]


def names_in(store: Store, kind: StreamKind) -> list[str]:
    """The names of all tables, links, wallets or accounts that the store has events of.

    A name that Openfelt would not have given is left out; the audit reports its stream.
    """
    names = (name_of(stream) for stream in store.streams(kind.prefix))
    return [name for name in names if NAME.fullmatch(name)]
