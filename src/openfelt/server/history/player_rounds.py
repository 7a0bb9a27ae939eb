"""A player's own rounds: found by the money that moved, so that nobody else's are looked at.

Every wager comes from the player's credit at the table, so the transfers of that one account
name all rounds that the player was in. What is found is kept and only added to later.
"""

import threading
from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import Final

from openfelt.ledger import Account, AccountKind, Reason
from openfelt.runtime.tables.worker import Tools
from openfelt.storage.door import StoredTransfer

ROUNDS_KEPT: Final = 2000
"""How many rounds back a player's history at one table reaches."""
INDEXES_MAX: Final = 500
"""How many players' histories are kept in memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRound:
    """A round that a player was in, as the player's account tells it."""

    number: int
    at_ms: int
    """When money of it last moved."""
    wager_version: int
    """The event by which the player last staked something, which names the seat."""
    staked_cents: int = 0
    net_cents: int = 0
    banked: bool = False
    void: bool = False

    @property
    def played(self) -> bool:
        """Whether anything was at stake in the end."""
        return self.staked_cents > 0 or self.banked


class _Index:
    """One player's rounds at one table, as far as they have been read."""

    def __init__(self) -> None:
        self.rounds: OrderedDict[int, PlayerRound] = OrderedDict()
        self.after = 0
        self.lock = threading.Lock()


class PlayerRounds:
    """Finds players' own rounds. All calls block."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools
        self._indexes: OrderedDict[tuple[str, str], _Index] = OrderedDict()
        self._lock = threading.Lock()

    def rounds(
        self, table: str, player: str, *, below: int | None, limit: int
    ) -> list[PlayerRound]:
        """The rounds of a player below a number, newest first; those in progress among them."""
        found = self._read(table, player)
        chosen = [one for one in reversed(found) if below is None or one.number < below]
        return chosen[:limit]

    def round(self, table: str, player: str, number: int) -> PlayerRound | None:
        """One of the player's rounds, None where the player was not in it."""
        return next((one for one in self._read(table, player) if one.number == number), None)

    def _read(self, table: str, player: str) -> list[PlayerRound]:
        index = self._index(table, player)
        account = Account(AccountKind.CREDIT, f"{table}/{player}")
        with index.lock:
            for stored in self._tools.store.transfers(account=account, after=index.after):
                index.after = stored.number
                _count(index.rounds, stored, account)
                while len(index.rounds) > ROUNDS_KEPT:
                    index.rounds.popitem(last=False)
            return [one for one in index.rounds.values() if one.played]

    def _index(self, table: str, player: str) -> _Index:
        with self._lock:
            index = self._indexes.pop((table, player), None) or _Index()
            self._indexes[table, player] = index
            while len(self._indexes) > INDEXES_MAX:
                self._indexes.popitem(last=False)
            return index


def _count(rounds: "OrderedDict[int, PlayerRound]", stored: StoredTransfer, own: Account) -> None:
    """Count one transfer to or from a player's credit."""
    transfer = stored.transfer
    if transfer.round is None:
        return
    number = int(transfer.round.rpartition("/")[2])
    before = rounds.get(number) or PlayerRound(number=number, at_ms=0, wager_version=stored.version)
    cents = transfer.cents if transfer.credit == own else -transfer.cents
    counted = replace(before, at_ms=stored.at_ms, net_cents=before.net_cents + cents)
    match transfer.reason:
        case Reason.WAGER:
            counted = replace(
                counted,
                staked_cents=counted.staked_cents + transfer.cents,
                wager_version=stored.version,
            )
        case Reason.WAGER_WITHDRAWN:
            counted = replace(counted, staked_cents=counted.staked_cents - transfer.cents)
        case Reason.BANK_WAGER:
            counted = replace(counted, banked=True, wager_version=stored.version)
        case Reason.RETURN if transfer.note.endswith(" void"):
            counted = replace(counted, void=True)
    rounds[number] = counted
