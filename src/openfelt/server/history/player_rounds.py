"""A player's own rounds at a table, found by the transfers of the player's credit there.

Every wager comes from that credit, so its transfers name all rounds of the player and of no
other. They are read from the newest end, as far back as a page needs. What has been read is kept
in memory; later calls only add what is new or older.
"""

import threading
from collections import Counter, OrderedDict
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from openfelt.ledger import Account, Reason
from openfelt.runtime.cage.holdings import tables_of
from openfelt.runtime.streams import table_stream
from openfelt.storage.balances.balance_door import LAST_NUMBER, StoredTransfer
from openfelt.storage.door import Store
from openfelt.storage.event_forms import ROUND_VOIDED
from openfelt.table.chips import wallet_of
from openfelt.table.state import credit_of

ROUNDS_KEPT: Final = 2000
"""How many rounds back a player's history at one table reaches."""
ROUNDS_AT_ONCE: Final = 20
"""How many rounds more are read at least where a page needs older ones."""
ADJUSTED_AMONG: Final = 500
"""How many of the last transfers of a wallet are searched for adjustments."""
INDEXES_MAX: Final = 500
"""How many players' histories are kept in memory."""
VISIT_PAUSE_MS: Final = 60 * 60 * 1000
"""A pause of this length between two rounds begins a new visit, though nothing was collected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRound:
    """A round of a player, as the transfers of the player's credit have it."""

    number: int
    at_ms: int
    """When the last transfer of the round was made."""
    wager_version: int
    """The event of the player's last stake, which names the seat."""
    return_version: int | None = None
    """The event that returned a stake, which ended the round."""
    staked_cents: int = 0
    credit_change_cents: int = 0
    """The change of the player's credit in the round, the collection included.

    What the wagers brought without it is ``openfelt.rules.round.Round.net_cents``.
    """
    banked: bool = False
    void: bool = False
    after_collect: bool = False
    """Whether the player collected the credit after the round before."""

    @property
    def played(self) -> bool:
        """Whether anything was at stake in the end."""
        return self.staked_cents > 0 or self.banked


@dataclass(frozen=True, slots=True)
class TableVisit:
    """A player's last visit to a table: the rounds since the credit was last collected there."""

    rounds: tuple[PlayerRound, ...]
    """The oldest first."""

    @property
    def credit_change_cents(self) -> int:
        """The change of the player's credit in these rounds, the collection included."""
        return sum(own.credit_change_cents for own in self.rounds)


class _Index:
    """One player's rounds at one table that have been read so far."""

    def __init__(self) -> None:
        self.rounds: OrderedDict[int, PlayerRound] = OrderedDict()
        self.voids: dict[int, bool] = {}
        """Whether events that returned stakes voided their rounds, by version."""
        self.after: int | None = None
        """The number of the newest transfer that has been read; None before the first search."""
        self.before = LAST_NUMBER
        """The number of the oldest one."""
        self.whole = False
        """Whether there is nothing older, or nothing older that is kept."""
        self.collected = False
        """Whether the player has collected since the newest round."""
        self.lock = threading.Lock()

    @property
    def oldest(self) -> int:
        """The number of the oldest round that has been read, 0 for none."""
        return next(iter(self.rounds), 0)


class PlayerRounds:
    """Finds players' own rounds. All calls block."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._indexes: OrderedDict[tuple[str, str], _Index] = OrderedDict()
        self._lock = threading.Lock()

    def rounds(
        self, table: str, player: str, *, below: int | None, limit: int
    ) -> list[PlayerRound]:
        """The rounds of a player below a number, newest first, including one in progress."""
        index = self._index(table, player)
        with index.lock:
            self._read(index, table, player)
            chosen = _chosen(index, below)
            while len(chosen) < limit and not index.whole:
                self._read_back(index, table, player)
                chosen = _chosen(index, below)
            return [self._with_void(index, table, number) for number in chosen[:limit]]

    def round(self, table: str, player: str, number: int) -> PlayerRound | None:
        """One of the player's rounds, None if the player was not in it."""
        index = self._index(table, player)
        with index.lock:
            self._read(index, table, player)
            while number < index.oldest and not index.whole:
                self._read_back(index, table, player)
            own = index.rounds.get(number)
            if own is None or not own.played:
                return None
            return self._with_void(index, table, number)

    def visit(self, table: str, player: str, *, below: int) -> TableVisit:
        """The last visit of a player to a table, with its finished rounds below a number."""
        return TableVisit(tuple(reversed(self._visited(table, player, below))))

    def _visited(self, table: str, player: str, below: int) -> list[PlayerRound]:
        """The rounds of the last visit, newest first."""
        index = self._index(table, player)
        with index.lock:
            self._read(index, table, player)
            chosen = _last_visit(index, below)
            while chosen is None:
                self._read_back(index, table, player)
                chosen = _last_visit(index, below)
            return chosen

    def adjusted_cents(self, table: str, player: str) -> dict[int, int]:
        """By round, what adjustments of payouts have moved in the player's wallet (R.38)."""
        wallet, adjusted = wallet_of(player), Counter[int]()
        for stored in islice(self._store.latest_transfers(wallet), ADJUSTED_AMONG):
            moved = stored.transfer
            name, _, number = (moved.round or "").rpartition("/")
            if moved.reason is Reason.CORRECTION and name == table:
                sign = 1 if moved.credit == wallet else -1
                adjusted[int(number)] += sign * moved.cents
        return dict(adjusted)

    def tables(self, player: str) -> list[str]:
        """The tables at which a player has bought in, the latest first."""
        return tables_of(self._store, player)

    def _read(self, index: _Index, table: str, player: str) -> None:
        """Read what is new, or the newest rounds where nothing has been read."""
        if index.after is None:
            self._read_back(index, table, player)
            return
        account = credit_of(table, player)
        for stored in self._store.transfers(account=account, after=index.after):
            index.after = stored.number
            index.collected = _count(index.rounds, stored, account, collected=index.collected)
        while len(index.rounds) > ROUNDS_KEPT:
            _, oldest = index.rounds.popitem(last=False)
            index.voids.pop(oldest.return_version or 0, None)
            index.whole = True

    def _read_back(self, index: _Index, table: str, player: str) -> None:
        """Read some rounds older than those that have been read."""
        account = credit_of(table, player)
        page: list[StoredTransfer] = []
        numbers: set[str] = set()
        whole = True
        for stored in self._store.latest_transfers(account, before=index.before):
            of_round = stored.transfer.round
            if of_round is not None and of_round not in numbers:
                if len(numbers) == min(ROUNDS_AT_ONCE, ROUNDS_KEPT - len(index.rounds)):
                    # A round is read as a whole, so this is where an older one ends.
                    whole = len(numbers) + len(index.rounds) >= ROUNDS_KEPT
                    break
                numbers.add(of_round)
            page.append(stored)
        older: OrderedDict[int, PlayerRound] = OrderedDict()
        collected = False
        for stored in reversed(page):
            collected = _count(older, stored, account, collected=collected)
        if index.after is None:
            index.after = page[0].number if page else 0
            index.collected = collected
        if page:
            index.before = page[-1].number
        index.whole = whole
        index.rounds = OrderedDict((*older.items(), *index.rounds.items()))

    def _with_void(self, index: _Index, table: str, number: int) -> PlayerRound:
        """A round that says whether it was void, by the event that returned its stakes."""
        own = index.rounds[number]
        version = own.return_version
        if version is None or own.credit_change_cents != 0:
            # A void round gives everything back, so most rounds need not be read.
            return own
        if version not in index.voids:
            events = self._store.events(table_stream(table), after=version - 1, up_to=version)
            index.voids[version] = any(stored.name == ROUND_VOIDED for stored in events)
        return replace(own, void=index.voids[version])

    def _index(self, table: str, player: str) -> _Index:
        with self._lock:
            index = self._indexes.pop((table, player), None) or _Index()
            self._indexes[table, player] = index
            while len(self._indexes) > INDEXES_MAX:
                self._indexes.popitem(last=False)
            return index


def _chosen(index: _Index, below: int | None) -> list[int]:
    """The numbers of the rounds that were played, below one, newest first."""
    return [
        number
        for number, own in reversed(index.rounds.items())
        if own.played and (below is None or number < below)
    ]


def _last_visit(index: _Index, below: int) -> list[PlayerRound] | None:
    """The rounds of the last visit, newest first; None if older rounds must be read for it."""
    visit: list[PlayerRound] = []
    for number in _chosen(index, below):
        own = index.rounds[number]
        if visit and visit[-1].at_ms - own.at_ms >= VISIT_PAUSE_MS:
            return visit
        visit.append(own)
        if own.after_collect:
            return visit
    return visit if index.whole else None


def _count(
    rounds: "OrderedDict[int, PlayerRound]",
    stored: StoredTransfer,
    own: Account,
    *,
    collected: bool,
) -> bool:
    """Count one transfer to or from a player's credit.

    ``collected`` says whether the player has collected since the newest round; the result says
    the same after this transfer.
    """
    transfer = stored.transfer
    if transfer.round is None:
        return collected or transfer.reason is Reason.COLLECT
    number = int(transfer.round.rpartition("/")[2])
    before = rounds.get(number)
    if before is None:
        before = PlayerRound(
            number=number, at_ms=0, wager_version=stored.version, after_collect=collected
        )
        collected = False
    cents = transfer.cents if transfer.credit == own else -transfer.cents
    counted = replace(
        before, at_ms=stored.at_ms, credit_change_cents=before.credit_change_cents + cents
    )
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
        case Reason.RETURN | Reason.BANK_RETURN:
            counted = replace(counted, return_version=stored.version)
    rounds[number] = counted
    return collected
