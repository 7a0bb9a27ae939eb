"""A draft: what a batch of commands would do to a table, before any of it is written.

A draft that is not written leaves no trace; once written it is the table's new state.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from typing import Final, NamedTuple

from openfelt.cards import FULL_DECK, Card
from openfelt.ledger import AccountKind, Transfer
from openfelt.rules.persistent_map import with_item
from openfelt.rules.quick_replace import copier, maker
from openfelt.rules.refusal import Refusal
from openfelt.rules.round import Phase
from openfelt.rules.round_events import RoundOpened, RoundSettled, RoundVoided
from openfelt.rules.settlement import void_settlement, wins_meter_share
from openfelt.rules.wagers import WagerKind
from openfelt.runtime.cage.protection.play_checks import ENTRIES, WAGERS, DraftedLimits, check_play
from openfelt.runtime.causes import SYSTEM_CAUSE
from openfelt.runtime.clock import day_of
from openfelt.runtime.links.drafted_link import DraftedLink
from openfelt.runtime.links.links import Links
from openfelt.runtime.shuffle.dealing_order import DealingOrder
from openfelt.runtime.shuffle.deck_secrets import deck_secret
from openfelt.runtime.shuffle.entropy_health import EntropyFailure
from openfelt.runtime.shuffle.shuffler import SecretDeck, Shuffler
from openfelt.runtime.tables.people import DraftedDealer, People
from openfelt.runtime.tables.worker_services import WorkerServices
from openfelt.storage.codec import CodecError
from openfelt.storage.door import Append, Cause, Damaged, NewSecret, Store
from openfelt.table.changes import LinkChangeAnnounced, LinkChanged, LinkKept
from openfelt.table.chips import transfers_of, wallet_of
from openfelt.table.commands import (
    BuyIn,
    ChangeDealer,
    ExpireRound,
    HandOver,
    Person,
    Role,
    TableCommand,
)
from openfelt.table.croupier.adjustment_commands import payer_of
from openfelt.table.croupier.committed_decks import (
    cards_needed,
    decks_due,
    decks_needed,
    scanned_cards,
)
from openfelt.table.croupier.croupier import direct, go_on
from openfelt.table.deck import TABLE_DECK
from openfelt.table.events import DealerChanged, DeckCommitted, TableEvent
from openfelt.table.links.link import Link
from openfelt.table.links.link_referee import (
    JoinTable,
    LeaveTable,
    count_round,
)
from openfelt.table.permissions import STAFF, Outside
from openfelt.table.seeds import Seeds
from openfelt.table.state import Table
from openfelt.table.transitions import after
from openfelt.table.void_reasons import VoidCode

SEALED_AT_ONCE_MAX: Final = 16
"""How many decks are shuffled and committed to in the transaction that ends a round. A stadium's
other decks follow in separate transactions, so that no player waits for them."""
_LIMITED: Final = (*WAGERS, *ENTRIES)
"""The commands that a player's limits are checked for."""
_SIGN_ON: Final = (ChangeDealer, HandOver)
_ENDS: Final = (RoundSettled, RoundVoided)
_PLAYER: Final = Role.PLAYER


class RoundDecks:
    """The secret decks of one round, and the order in which they are dealt. It is a value."""

    def __init__(self, decks: Mapping[str, SecretDeck] | None = None) -> None:
        self.decks = decks or {}
        self._order: tuple[Seeds | None, DealingOrder] | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RoundDecks) and self.decks == other.decks

    __hash__ = None  # type: ignore[assignment]

    def with_deck(self, deck: SecretDeck) -> "RoundDecks":
        """These decks and another one."""
        return RoundDecks(with_item(self.decks, deck.deck, deck))

    def order(self, table: Table) -> DealingOrder:
        """The cards in dealing order, given the seeds and the scanned cards."""
        state = table.playing
        seeds = table.seeds if state is not None else None
        scanned = scanned_cards(table)
        if self._order is None or self._order[0] is not seeds or self._order[1].scanned != scanned:
            house = table.house if state is None else state.house
            mixed = seeds.mixed(table.round_id) if seeds is not None and seeds.fixed else None
            self._order = seeds, DealingOrder(house, self.decks, mixed, scanned=scanned)
        return self._order[1]


class DraftedEvent(NamedTuple):
    """An event with the transfers that it causes, and its own cause."""

    event: TableEvent
    transfers: tuple[Transfer, ...]
    cause: Cause
    round: int = 0
    """The number of the last round that was opened by then."""


@dataclass(frozen=True, slots=True)
class _Mark:
    """The state of a draft before a command, to restore if the command is refused."""

    table: Table
    decks: RoundDecks
    links: dict[str, DraftedLink]
    dealers: dict[str, DraftedDealer]
    limits: dict[str, DraftedLimits]
    events: int
    secrets: int


_mark: Final = maker(_Mark)
_with_digest: Final = copier(Cause, "digest")


class Draft:
    """A table, its decks and its link as they will be once the draft has been written."""

    def __init__(
        self,
        table: Table,
        decks: RoundDecks,
        *,
        store: Store,
        shuffler: Shuffler | None,
        links: Links,
        day: date,
        people: People,
        round_days: int = 0,
        clock_left_ms: int | None = None,
    ) -> None:
        self.table = table
        self.decks = decks
        self.links: dict[str, DraftedLink] = {}
        self.dealers: dict[str, DraftedDealer] = {}
        self.limits: dict[str, DraftedLimits] = {}
        """The limits that wagers of the draft use, by player."""
        self.events: list[DraftedEvent] = []
        self.secrets: list[NewSecret] = []
        self.shuffler_failure: EntropyFailure | None = None
        """Why decks of the next round could not be shuffled. The round in progress needs none."""
        self._all_links = links
        self._store = store
        self._shuffler = shuffler
        self._day = day
        self._people = people
        self._waited = table.rounds, round_days
        self._clock_left = table.clocks, clock_left_ms
        self._cause = SYSTEM_CAUSE
        self._told: tuple[tuple[int, int], Outside] | None = None
        """The outside facts last given to the table, with the round and the clock then."""

    def other_appends(self) -> tuple[Append, ...]:
        """The draft's appends to records of links, feeds, dealers and players with limits."""
        links = (
            append
            for link, drafted in self.links.items()
            for append in self._all_links.appends(link, drafted)
        )
        dealers = (
            self._people.dealers.append(dealer, drafted)
            for dealer, drafted in self.dealers.items()
            if drafted.events
        )
        limits = (drafted.append(self._people.limits) for drafted in self.limits.values())
        return (*links, *dealers, *limits)

    def keep_others(self) -> None:
        """Remember the links, dealers and limits, once the draft has been written."""
        for link, drafted in self.links.items():
            self._all_links.keep(link, drafted.written)
        for dealer, changed in self.dealers.items():
            self._people.dealers.keep(dealer, changed.written)
        for limited in self.limits.values():
            limited.keep(self._people.limits)

    def take(
        self,
        command: TableCommand,
        by: Person,
        cause: Cause | None = None,
        approved_by: Person | None = None,
    ) -> None:
        """Carry out one command and all that follows from it; raises Refusal, changing nothing.

        Every event names the cause, and the last one the digest of the command.
        """
        mark = self._mark()
        cause = cause or Cause(actor=str(by))
        self._cause = _with_digest(cause, "")
        try:
            payer = by.name if isinstance(command, BuyIn) else payer_of(self.table, command)
            outside = self._outside(payer)
            if isinstance(command, _SIGN_ON) and isinstance(command.dealer, str):
                # Another process may have signed the dealer on or off meanwhile.
                self._people.dealers.check_readable(command.dealer)
            if by.role in STAFF:
                outside = self._people.told(outside, self.table.id)
            self._follow(command, by, outside, approved_by)
            if by.role is _PLAYER and isinstance(command, _LIMITED):
                self._check_limits(by.name, mark.table, wagers=isinstance(command, WAGERS))
            while isinstance(command, ExpireRound) and self._plays(command.round):
                # The clock has decided on one street; it decides on the next ones as well.
                self._follow(command, by, outside)
        except Exception:
            self._go_back(mark)
            raise
        if len(self.events) > mark.events:
            event, transfers, _, number = self.events[-1]
            self.events[-1] = DraftedEvent(event, transfers, cause, number)

    def _follow(
        self,
        command: TableCommand,
        by: Person,
        outside: Outside,
        approved_by: Person | None = None,
    ) -> None:
        events = direct(self.table, command, by=by, outside=outside, approved_by=approved_by)
        for event in events:
            self._add(event)
        self.settle_down()

    def _check_limits(self, player: str, before: Table, *, wagers: bool) -> None:
        """Check a player's command against the player's limits; raises Refusal."""
        drafted = check_play(
            self._people.limits,
            player,
            (before, self.table),
            (transfer for event in self.events for transfer in event.transfers),
            self._cause,
            wagers=wagers,
            before=self.limits.get(player),
        )
        if drafted is not None:
            self.limits = {**self.limits, player: drafted}

    def _plays(self, number: int) -> bool:
        state = self.table.playing
        return state is not None and state.opened.number == number

    def settle_down(self) -> None:
        """Carry out automatic steps, until the table waits for a player or the dealer."""
        while events := go_on(self.table, self.decks.order(self.table), self._outside(None)):
            for event in events:
                if isinstance(event, LinkChanged):
                    self._change_link_due(event)
                else:
                    self._add(event)

    def _change_link_due(self, event: LinkChanged) -> None:
        """Join the announced link, unless it no longer accepts tables."""
        links = self.links
        try:
            self._add(event)
        except Refusal as refusal:
            self.links = links
            self._add(LinkKept(event.link, refusal.sentence))

    def seal(self, decks: Iterable[str]) -> None:
        """Shuffle decks of the next round and commit to them, until the shuffler fails."""
        for deck in decks:
            if self._shuffler is None or self.shuffler_failure is not None:
                return
            try:
                self._shuffle(deck, FULL_DECK)
            except EntropyFailure as failure:
                self.shuffler_failure = failure

    def abandon(self, reason: str, code: VoidCode, cause: Cause) -> None:
        """Void the round in progress or, between rounds, the next one with its commitments."""
        self._cause = cause
        if self.table.playing is None:
            house = self.table.house
            self._add(
                RoundOpened(
                    number=self.table.rounds + 1,
                    house=house.id,
                    fingerprint=house.fingerprint,
                    procedure=house.procedure,
                    day=self._day,
                )
            )
        assert self.table.round is not None
        self._add(RoundVoided(reason, void_settlement(self.table.round), code.value))
        self.settle_down()

    def _add(self, event: TableEvent) -> None:
        transfers = transfers_of(self.table, event)
        if isinstance(event, LinkChanged):
            self._change_link(self.table.link, event.link)
        if isinstance(event, LinkChangeAnnounced) and event.link not in (None, self.table.link):
            # What could not be joined now is not announced either.
            self._drafted_link(event.link or "").after(JoinTable(self.table.id), self._cause)
        if isinstance(event, DealerChanged):
            self._change_dealer(self.table.dealer, event.dealer)
        self.table = after(self.table, event, transfers)
        self.events.append(DraftedEvent(event, transfers, self._cause, self.table.rounds))
        if isinstance(event, _ENDS):
            self.decks = RoundDecks()
        if decks := decks_due(self.table, event):
            self.seal(decks[:SEALED_AT_ONCE_MAX])
        for deck in decks_needed(self.table, event):
            self._shuffle_needed(deck)
        if isinstance(event, RoundSettled):
            self._count(event)

    def _shuffle_needed(self, deck: str) -> None:
        """Shuffle a deck without which the round cannot continue; raises EntropyFailure."""
        state = self.table.playing
        assert state is not None
        if self._shuffler is None:
            raise EntropyFailure("No deck can be shuffled.")
        order = self.decks.order(self.table)
        self._shuffle(deck, cards_needed(state, order.get(TABLE_DECK, ())))

    def _shuffle(self, name: str, cards: Sequence[Card]) -> None:
        """Shuffle a deck, keep it secret, and let the record commit to it."""
        assert self._shuffler is not None
        deck = self._shuffler.shuffle(self.table.deck_round_id, name, cards)
        self.decks = self.decks.with_deck(deck)
        self.secrets.append(deck_secret(self.table.deck_round, deck))
        self._add(DeckCommitted(name, deck.root))

    def _count(self, event: RoundSettled) -> None:
        """Feed the round's progressive wagers and awards to the link."""
        command = count_round(self.table.id, self.table.rounds, event.settlement)
        if command is not None:
            link = self.table.link
            assert link is not None
            self._keep_link(link, self._drafted_link(link).feeding(command, self._cause))

    def _change_link(self, left: str | None, joined: str | None) -> None:
        if left is not None:
            # All rounds of the table are counted while it belongs to the link.
            drafted = self._exact_link(left).folded()
            self._keep_link(left, drafted.after(LeaveTable(self.table.id), self._cause))
        if joined is not None:
            drafted = self._drafted_link(joined)
            self._keep_link(joined, drafted.after(JoinTable(self.table.id), self._cause))

    def _change_dealer(self, left: str | None, joined: str | None) -> None:
        """Sign one dealer off and another one on, in their own records; raises Refusal."""
        if left is not None and left != joined:
            # A dealer whose own record cannot be opened leaves the table all the same.
            with suppress(Damaged, CodecError):
                drafted = self._drafted_dealer(left).signed_off(self.table.id, self._cause)
                self.dealers = {**self.dealers, left: drafted}
        if joined is not None:
            drafted = self._drafted_dealer(joined).signed_on(self.table.id, self._cause)
            self.dealers = {**self.dealers, joined: drafted}

    def _drafted_dealer(self, dealer: str) -> DraftedDealer:
        drafted = self.dealers.get(dealer)
        return drafted or DraftedDealer.of(self._people.dealers.get(dealer))

    def _keep_link(self, link: str, drafted: DraftedLink) -> None:
        self.links = {**self.links, link: drafted}

    def _drafted_link(self, link: str) -> DraftedLink:
        return self.links.get(link) or DraftedLink.of(self._all_links.get(link))

    def _exact_link(self, link: str) -> DraftedLink:
        """The link with all rounds that any table has fed to it by now."""
        if link not in self.links:
            self._keep_link(link, DraftedLink.of(self._all_links.reload(link)))
        return self.links[link]

    def _link(self) -> Link | None:
        """The table's link as it will be after the draft.

        Its meter may lack what other tables have fed in the last second, except where the round
        wins a share of it.
        """
        link = self.table.link
        if link is None:
            return None
        exact = wins_share(self.table)
        return (self._exact_link(link) if exact else self._drafted_link(link)).shown

    def _outside(self, payer: str | None) -> Outside:
        if payer is not None or self.table.link is not None:
            return self._outside_now(payer)
        # A table without a link gets the same facts until a round opens or a clock starts.
        moment = self.table.rounds, self.table.clocks
        if self._told is None or self._told[0] != moment:
            self._told = moment, self._outside_now(None)
        return self._told[1]

    def _outside_now(self, payer: str | None) -> Outside:
        wallet_cents = self._wallet_cents(payer) if payer is not None else None
        # A round that the draft itself opens has not waited.
        number, days = self._waited
        # A clock that the draft itself starts still has all of its time.
        clock, left_ms = self._clock_left
        return outside_of(
            self.table,
            self._link(),
            day=self._day,
            round_days=days if number == self.table.rounds else 0,
            wallet_cents=wallet_cents,
            clock_left_ms=left_ms if clock == self.table.clocks else None,
        )

    def _wallet_cents(self, player: str) -> int:
        """The balance of a wallet, including what this draft moves."""
        wallet = wallet_of(player)
        moved = sum(
            transfer.cents * ((transfer.credit == wallet) - (transfer.debit == wallet))
            for drafted in self.events
            for transfer in drafted.transfers
            if AccountKind.WALLET in (transfer.credit.kind, transfer.debit.kind)
        )
        return self._store.balance(wallet) + moved

    def _mark(self) -> _Mark:
        return _mark(
            self.table,
            self.decks,
            self.links,
            self.dealers,
            self.limits,
            len(self.events),
            len(self.secrets),
        )

    def _go_back(self, mark: _Mark) -> None:
        self.table, self.decks = mark.table, mark.decks
        self.links, self.dealers, self.limits = mark.links, mark.dealers, mark.limits
        del self.events[mark.events :]
        del self.secrets[mark.secrets :]


def outside_of(
    table: Table,
    link: Link | None,
    *,
    day: date,
    round_days: int = 0,
    wallet_cents: int | None = None,
    clock_left_ms: int | None = None,
) -> Outside:
    """The outside facts for a table, given its link and the day."""
    return Outside(
        day=day,
        round_days=round_days,
        wallet_cents=wallet_cents,
        clock_left_ms=clock_left_ms,
        meter_cents=_meter_cents(table, link),
        seed_cents=link.next_seed_cents if link else None,
        link_takes_wagers=link is not None and link.takes_wagers,
    )


def wins_share(table: Table) -> bool:
    """Whether a hand of the round in progress wins a share of the meter, if it is settled now."""
    state = table.playing
    return state is not None and state.phase is Phase.READY and wins_meter_share(state)


def _meter_cents(table: Table, link: Link | None) -> int | None:
    """The meter by which the round would be settled now; None if it cannot be settled yet."""
    state = table.playing
    if link is None or state is None or state.phase is not Phase.READY:
        return None
    void = state.void_hands
    wagered_cents = sum(
        hand.stake_cents(WagerKind.PROGRESSIVE)
        for spot, hand in state.hands.items()
        if spot not in void
    )
    return link.meter_cents_with(wagered_cents)


def outside_now(shared: WorkerServices, table: Table, round_days: Callable[[int], int]) -> Outside:
    """The outside facts for a command to a table in this state.

    ``round_days`` says for how many days its round has been open at a time.
    """
    link = shared.links.shown(table.link) if table.link else None
    now_ms = shared.clock.wall_ms()
    outside = outside_of(table, link, day=day_of(now_ms), round_days=round_days(now_ms))
    return shared.people.told(outside, table.id)
