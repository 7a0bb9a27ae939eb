"""Every code with which a table refuses a command, besides those of its round."""

from enum import StrEnum


class TableCode(StrEnum):
    """Why a table refuses."""

    NOT_ALLOWED = "not_allowed"
    NO_SUCH_SEAT = "no_such_seat"
    SEAT_TAKEN = "seat_taken"
    SEAT_FREE = "seat_free"
    NOT_YOUR_SEAT = "not_your_seat"
    ALREADY_SEATED = "already_seated"
    PRIVATE_TABLE = "private_table"
    IN_PLAY = "in_play"
    NOTHING_TO_COLLECT = "nothing_to_collect"
    WALLET_SHORT = "wallet_short"
    BETS_NOT_OPEN = "bets_not_open"
    ROUND_IN_PROGRESS = "round_in_progress"
    NO_ROUND = "no_round"
    TABLE_CLOSED = "table_closed"
    TABLE_OPEN = "table_open"
    NOT_YOUR_BANK = "not_your_bank"
    BANK_WAGER_SMALL = "bank_wager_small"
    NO_BANKER = "no_banker"
    CLOCK_PASSED = "clock_passed"
    NOT_EXPIRED = "not_expired"
    CARDS_ARE_VIRTUAL = "cards_are_virtual"
    NO_LINK = "no_link"
    LINK_PAUSED = "link_paused"
    BAD_TABLE = "bad_table"
