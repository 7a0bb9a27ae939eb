"""A room: the viewers of one table, and the messages that each of them is sent.

A viewer gets one message for one change. Its public part is computed and encoded once, and spliced
into every viewer's message; its private part is computed for each viewer. At a stadium most changes
are one more bet or decision: its player is notified immediately, and the others get the counts at
intervals. A viewer who cannot keep up is disconnected, so that the others never wait for the
slowest connection.

The meaning of a version for a viewer is documented in ``openfelt.protocol.messages.Change``.
"""

import asyncio
import logging
from collections import defaultdict, deque
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Final

import msgspec
from msgspec import UNSET, Raw, UnsetType

from openfelt.protocol.close_codes import CloseCode
from openfelt.protocol.merge_patch import Plain, merge_patch, view_patch
from openfelt.protocol.messages import PROTOCOL, Change, ScanRefused, Welcome, encode, encoder
from openfelt.protocol.table_views import BankView, PreviewView, PrivateView
from openfelt.runtime.remote.table_access import TableAccess
from openfelt.runtime.tables import watchers
from openfelt.runtime.tables.floor import Floor
from openfelt.server.accounts.public_names import PublicNames
from openfelt.server.accounts.viewer import Viewer
from openfelt.server.limits.message_pace import MessagePace
from openfelt.server.monitoring.metrics import Metrics
from openfelt.server.tables.absentees import Absentees
from openfelt.server.tables.audience import concerned
from openfelt.server.tables.bank_views import bank_view
from openfelt.server.tables.settlement_previews import settlement_ahead, settlement_preview
from openfelt.server.tables.subscriptions import Subscription
from openfelt.server.tables.views import is_staff, private_view, public_view
from openfelt.table.chips import wallet_of
from openfelt.table.commands import Person, Role
from openfelt.table.croupier.permits import Permits
from openfelt.table.permissions import CONTROL

CHANGES_KEPT: Final = 200
"""How many public changes are kept for viewers who reconnect."""
CLOCK_STEP_MS: Final = 200
"""A clock that runs longer by more than this is shown again."""
PACE_SECONDS: Final = 0.00025
"""At a stadium, how long public changes are collected, for each viewer in the room."""
VIEWERS_AT_ONCE: Final = 64
"""How many viewers are sent a public change in one turn of the event loop."""

logger = logging.getLogger(__name__)


def _raw(value: Plain | PrivateView) -> Raw:
    return Raw(encoder.encode(value))


class Room:
    """The viewers of one table."""

    def __init__(
        self,
        floor: Floor,
        access: TableAccess,
        metrics: Metrics,
        pace: MessagePace,
        absentees: Absentees,
        *,
        names: PublicNames | None = None,
        shared: bool = False,
    ) -> None:
        """``shared`` with rooms of other processes, whose versions mean other public changes."""
        self._floor = floor
        self._shared = shared
        self._absentees = absentees
        self._names = names
        self.metrics = metrics
        self.pace = pace
        self.access = access
        self.subscriptions: set[Subscription] = set()
        self._subscriptions_of: defaultdict[str | None, set[Subscription]] = defaultdict(set)
        """The same subscriptions by player; those of visitors and staff under None."""
        self._table = access.table
        """The table as of the last change."""
        self._permits: Permits | None = None
        """The permissions of people at this table, computed when the first viewer needs them."""
        self._publishing: asyncio.TimerHandle | None = None
        self._unsent: dict[Subscription, Callable[[Subscription], None]] = {}
        """The viewers who have yet to get the last public change, and what sends it."""
        self._portion: asyncio.Handle | None = None
        """Sends it to the next of them in the next turn of the event loop."""
        self._entering = 0
        self._public: Plain = self._public_now()
        """The public view as it was last sent."""
        self.version = self._published = access.version
        """The version of the last change, and the version that the public view was sent as of."""
        self._given_back_ms = 0
        """By how much the running clock was longer when the time left was last sent."""
        self._changes: deque[tuple[int, Raw]] = deque()
        """The last public patches with their versions, for viewers who reconnect."""
        self._forgotten = self.version
        """Public patches up to this version are not kept, or were sent by an earlier room."""
        self._told: str | None = None
        """The id of the last refused scan that was reported to the dealer; a retry is not news."""
        self._unwatch = access.watch(self._changed)

    def close(self) -> None:
        """Stop watching the table, and disconnect every viewer."""
        self._unwatch()
        if self._publishing is not None:
            self._publishing.cancel()
        self._unsent.clear()
        why = CloseCode.MOVED if self.access.lost else CloseCode.LET_GO
        for subscription in self.subscriptions:
            subscription.let_go(why)

    # Coming and going ------------------------------------------------------------------

    async def enter(self, viewer: Viewer | None, *, seen: int | None) -> Subscription:
        """Subscribe a viewer, with the whole table or the missed changes already queued."""
        self._entering += 1
        try:
            wallet_cents = await self._wallet_cents(viewer)
        finally:
            self._entering -= 1
        subscription = Subscription(viewer, self._private(viewer, wallet_cents))
        missed = self._missed(seen)
        if missed is None:
            subscription.send(encode(self._welcome(subscription)))
        else:
            self._resume(subscription, missed)
        self.subscriptions.add(subscription)
        self._subscriptions_of[subscription.player].add(subscription)
        if viewer is not None:
            self._absentees.arrive(self._table.id, viewer.name)
        return subscription

    @property
    def empty(self) -> bool:
        """Whether the room has no viewers, and none are entering."""
        return not self.subscriptions and not self._entering

    def leave(self, subscription: Subscription) -> None:
        """Remove a viewer who has disconnected."""
        if subscription not in self.subscriptions:
            return
        if subscription.viewer is not None:
            self._absentees.depart(self._table.id, subscription.viewer.name)
        self.subscriptions.discard(subscription)
        self._unsent.pop(subscription, None)
        others = self._subscriptions_of[subscription.player]
        others.discard(subscription)
        if not others:
            del self._subscriptions_of[subscription.player]

    def _welcome(self, subscription: Subscription) -> Welcome:
        return Welcome(
            protocol=PROTOCOL,
            version=self.version,
            public=self._public,  # type: ignore[arg-type]
            private=subscription.private,
            clock_left_ms=self.access.time_left_ms,
        )

    def _missed(self, seen: int | None) -> list[tuple[int, Raw]] | None:
        """The public patches that a viewer may lack, None if some of them are not kept.

        Those of version ``seen`` itself are among them: at a stadium a player sees a change of
        their own seat before the room does. A version does not say in which process's room it was
        seen, and each room has its own patches, so where rooms are shared nothing is resumed.
        """
        if seen is None or self._shared or not self._forgotten < seen <= self.version:
            return None
        return [(version, patch) for version, patch in self._changes if version >= seen]

    def _resume(self, subscription: Subscription, missed: list[tuple[int, Raw]]) -> None:
        """Send what was missed; the last message has the whole private view and the clock."""
        for version, patch in missed[:-1]:
            subscription.send(encode(Change(version=version, public=patch)))
        last = Change(
            version=self.version,
            public=missed[-1][1] if missed else UNSET,
            private=_raw(subscription.private),
            whole=True,
            clock_left_ms=self.access.time_left_ms,
        )
        subscription.send(encode(last))

    # Changes ---------------------------------------------------------------------------

    def _changed(self, change: watchers.Change) -> None:
        """Send a change to the viewers, after it was written and before it is answered."""
        self._finish_publishing()
        before, self._table, self._permits = self._table, self.access.table, None
        players = concerned(before, change.events, self._table)
        self.version = change.version
        if players is None:
            self._publish(to_each=True)
            return
        if self._publishing is None:
            wait = PACE_SECONDS * len(self.subscriptions)
            self._publishing = asyncio.get_running_loop().call_later(wait, self._publish)
        for subscription in self._concerned(players):
            self._send_private(subscription)

    def _concerned(self, players: Iterable[str]) -> list[Subscription]:
        """The subscriptions of these players, and those of visitors and staff."""
        return [
            subscription
            for player in (*players, None)
            for subscription in self._subscriptions_of.get(player, ())
        ]

    def refresh(self) -> None:
        """Send what has changed without an event: a meter that other tables feed, a stop, and a
        clock that runs longer because this process was late."""
        self._permits = None
        longer_ms = self.access.given_back_ms - self._given_back_ms
        self._publish(clock=longer_ms > CLOCK_STEP_MS)

    def refresh_meter(self) -> None:
        """Send a meter that other tables have moved."""
        meter_cents = self._floor.worker_services.links.meter_cents(self._table.link)
        if self._public.get("meter_cents") != meter_cents:
            self._publish()

    def _publish(self, *, to_each: bool = False, clock: bool = False) -> None:
        """Send every viewer the public change, with ``to_each`` together with the private one.

        With ``clock``, the time that is left is sent even if nothing else has changed.
        """
        self._finish_publishing()
        if self._publishing is not None:
            self._publishing.cancel()
            self._publishing = None
        public = self._public_now()
        patch = merge_patch(self._public, public)
        if not patch and self._published == self.version and not (to_each or clock):
            return
        self._given_back_ms = self.access.given_back_ms
        raw = _raw(patch) if patch else UNSET
        if raw is not UNSET:
            self._keep(raw)
        self._public, self._published = public, self.version
        left_ms = self.access.time_left_ms
        shared = encode(Change(version=self.version, public=raw, clock_left_ms=left_ms))

        def send(subscription: Subscription) -> None:
            own = self._private_patch(subscription) if to_each else UNSET
            subscription.send(shared if own is UNSET else self._encoded(own, raw, left_ms))

        viewers = sorted(self.subscriptions, key=lambda viewer: not viewer.asking)
        asking = sum(1 for viewer in viewers if viewer.asking)
        self._unsent = dict.fromkeys(viewers, send)
        self._publish_to(asking + VIEWERS_AT_ONCE)

    def _publish_to(self, viewers: int) -> None:
        """Send the last public change to some viewers; the others follow turn by turn.

        Those who wait for an answer come first: they need not wait for a whole hall's messages.
        """
        for subscription in tuple(islice(self._unsent, viewers)):
            self._publish_to_one(subscription)
        if self._unsent and self._portion is None:
            self._portion = asyncio.get_running_loop().call_soon(self._publish_portion)

    def _publish_portion(self) -> None:
        self._portion = None
        self._publish_to(VIEWERS_AT_ONCE)

    def _publish_to_one(self, subscription: Subscription) -> None:
        """Send a viewer the last public change, if that viewer still lacks it."""
        send = self._unsent.pop(subscription, None)
        if send is not None:
            send(subscription)

    def answer(self, subscription: Subscription, message: str) -> None:
        """Send a viewer an answer. A refusal, or the answer to a repeated command, may be about a
        change that has not had its turn, which is sent first."""
        self._publish_to_one(subscription)
        subscription.send(message)

    def _finish_publishing(self) -> None:
        """Send the last public change to all viewers who still lack it, before anything else."""
        self._publish_to(len(self._unsent))

    def _keep(self, patch: Raw) -> None:
        """Keep a public patch for viewers who reconnect."""
        if len(self._changes) == CHANGES_KEPT:
            self._forgotten, _ = self._changes.popleft()
        self._changes.append((self.version, patch))

    def _send_private(self, subscription: Subscription, wallet_cents: int | None = None) -> None:
        """Send one viewer the private change, if there is one."""
        own = self._private_patch(subscription, wallet_cents)
        if own is not UNSET:
            subscription.send(self._encoded(own, UNSET, self.access.time_left_ms))

    def _encoded(self, own: Raw | UnsetType, public: Raw | UnsetType, left_ms: int | None) -> str:
        change = Change(version=self.version, public=public, private=own, clock_left_ms=left_ms)
        return encode(change)

    def _private_patch(
        self, subscription: Subscription, wallet_cents: int | None = None
    ) -> Raw | UnsetType:
        """The changes in a viewer's private view since it was last sent."""
        if subscription.viewer is None or subscription.gone.is_set():
            return UNSET
        if wallet_cents is None:
            wallet_cents = subscription.private.wallet_cents
        try:
            now = self._private(subscription.viewer, wallet_cents)
        except Exception:
            # The others get theirs all the same; this viewer starts again from a welcome.
            logger.exception("table %s: a private view has failed", self._table.id)
            subscription.let_go()
            return UNSET
        patch = view_patch(subscription.private, now)
        subscription.private = now
        return _raw(patch) if patch else UNSET

    async def refresh_wallet(self, subscription: Subscription) -> None:
        """Send a viewer the current wallet, after money has moved to or from it."""
        wallet_cents = await self._wallet_cents(subscription.viewer)
        self._finish_publishing()
        self._send_private(subscription, wallet_cents)

    def tell_dealer(self, refused: ScanRefused) -> None:
        """Report a card that was not accepted to the table's dealer and to supervisors, once."""
        if self._told == refused.id:
            return
        self._told = refused.id
        for subscription in tuple(self.subscriptions):
            person = subscription.viewer.person if subscription.viewer else None
            dealer = Person(Role.DEALER, self._table.dealer or "")
            if person is not None and (person == dealer or person.role in CONTROL):
                subscription.send(encode(refused))

    # Views -----------------------------------------------------------------------------

    def _public_now(self) -> Plain:
        table = self._table
        view = public_view(
            table,
            meter_cents=self._floor.worker_services.links.meter_cents(table.link),
            stopped=self.access.stopped,
            dealer=self._shown_dealer(table.dealer),
        )
        plain = msgspec.to_builtins(view)
        assert isinstance(plain, dict)
        return plain

    def _shown_dealer(self, dealer: str | None) -> str | None:
        """The dealer's name as players see it. Without accounts there is no other name."""
        if dealer is None or self._names is None:
            return dealer
        return self._names.shown(dealer)

    async def load_dealer(self, dealer: str | None = None) -> None:
        """Read the public name of a dealer, by default the one who is signed on."""
        name = dealer or self._table.dealer
        if name is not None and self._names is not None:
            await self._names.load(name)

    def _permits_of(self, viewer: Viewer) -> list[str]:
        permits = self._permits
        if permits is None:
            outside = self.access.outside(self._table)
            permits = self._permits = Permits(self._table, outside)
        kinds, house = permits.of(viewer.person), self._table.house
        remote = viewer.remote_at(house)
        return [kind for kind in kinds if viewer.may_give(kind, house)] if remote else kinds

    def _settling(self) -> tuple[PreviewView | None, BankView | None]:
        """For staff: the settlement as it would be now, and the state of a players' bank."""
        table, outside = self._table, self.access.outside(self._table)
        settled = table.round.settlement if table.round else None
        bank = bank_view(table, settled or settlement_ahead(table, outside))
        return settlement_preview(table, outside), bank

    async def _wallet_cents(self, viewer: Viewer | None) -> int:
        if viewer is None or viewer.person.role is not Role.PLAYER:
            return 0
        wallet = wallet_of(viewer.person.name)
        return await asyncio.to_thread(self._floor.worker_services.store.balance, wallet)

    def _private(self, viewer: Viewer | None, wallet_cents: int) -> PrivateView:
        table, person = self._table, viewer.person if viewer else None
        may = self._permits_of(viewer) if viewer else []
        preview, bank = self._settling() if is_staff(person) else (None, None)
        return private_view(
            table, person, wallet_cents=wallet_cents, may=may, preview=preview, bank=bank
        )
