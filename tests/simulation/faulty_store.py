"""The store as one simulated process sees it: real, but with every failure that a store has."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from openfelt.ledger import Account
from openfelt.storage.backup.archived_history import Archive
from openfelt.storage.balances.balance_door import LAST_NUMBER, StoredTransfer
from openfelt.storage.balances.transfer_terms import TransferRange, TransferSearch
from openfelt.storage.cluster.cluster_door import (
    UNREPORTED,
    BusReport,
    HeldLease,
    Member,
    NewMember,
)
from openfelt.storage.door import (
    AnswerKey,
    Authentication,
    Checkpoint,
    CommandKey,
    Commit,
    Conflict,
    Damage,
    Head,
    Lease,
    NotEnough,
    Repeated,
    RuleSet,
    Snapshot,
    StoredAnswer,
    StoredEvent,
    Unavailable,
    Unknown,
)
from openfelt.storage.inspection.interface import Integrity, LeaseRow, Stray, StreamRows
from tests.simulation.disk import AnyStore
from tests.simulation.failure import require
from tests.simulation.faults import WRITES, Crash, PowerLoss

if TYPE_CHECKING:
    from tests.simulation.machine import Machine

Value = TypeVar("Value")


class FaultyStore:
    """One process's connection to the store."""

    def __init__(self, inner: AnyStore, machine: "Machine", owner: str) -> None:
        self.inner = inner
        self.dead = False
        """The process has died; nothing of it reaches the store any more."""
        self._machine = machine
        self._owner = owner
        self._gone_until_ms = 0

    # Writing

    def commit(self, commit: Commit) -> Mapping[str, Head]:
        """Write a commit, unless something happens before, meanwhile or after."""
        machine, faults = self._machine, self._machine.faults
        if faults.strikes("meddling_with_link" if machine.writes_link(commit) else "meddling"):
            machine.meddle(commit, self._owner)
        machine.touched.update(dict.fromkeys(append.stream for append in commit.appends))
        if not self.dead and faults.strikes("unknown"):
            self._leave_unknown(commit)
        if not self.dead and faults.strikes("power_loss"):
            self._lose_power(commit)
        machine.late.before_write({append.stream for append in commit.appends})
        stale = machine.stale_fences(commit)
        heads = self._call("commit", lambda: self._committed(commit))
        require(not stale, "fencing", f"{self._owner} wrote under a lease that is over: {stale}.")
        return heads

    def _committed(self, commit: Commit) -> Mapping[str, Head]:
        tally = self._machine.tally
        try:
            return self.inner.commit(commit)
        except Repeated:
            tally.add("commit refused, answered already")
            raise
        except Conflict as error:
            tally.add(f"conflict on a {error.stream.partition('/')[0]}")
            self._machine.conflicted(commit, error)
            raise
        except NotEnough:
            tally.add("wallet emptied meanwhile")
            raise

    def _leave_unknown(self, commit: Commit) -> None:
        """The store is lost while it commits: all of it is written, or nothing."""
        outcome = "not written"
        if self._machine.faults.random.random() < 0.5:
            self._committed(commit)
            outcome = "written"
        elif self._machine.late.lose(self, commit):
            outcome = "still under way"
        self._machine.tally.add(f"outcome unknown, {outcome}")
        raise Unknown("The simulated store was lost while it committed.")

    def _lose_power(self, commit: Commit) -> None:
        before = self._machine.disk.image()
        self._committed(commit)
        self._machine.lose_power(commit, before)
        raise PowerLoss

    def wait_for_writers(self, stream: str) -> None:
        """Wait for commits to a stream."""
        self._machine.late.before_write({stream})
        self._call("wait_for_writers", lambda: self.inner.wait_for_writers(stream))

    def add_checkpoint(self, checkpoint: Checkpoint) -> None:
        """Write a checkpoint."""
        self._call("add_checkpoint", lambda: self.inner.add_checkpoint(checkpoint))

    # Leases

    def take_lease(self, stream: str, owner: str, *, ttl_ms: int) -> Lease | None:
        """Lease a stream."""
        take = self.inner.take_lease
        self._machine.late.before_write({stream})
        return self._call("take_lease", lambda: take(stream, owner, ttl_ms=ttl_ms))

    def renew_lease(self, lease: Lease, *, ttl_ms: int) -> Lease | None:
        """Hold a lease longer."""
        return self._call("renew_lease", lambda: self.inner.renew_lease(lease, ttl_ms=ttl_ms))

    def renew_leases(self, leases: Sequence[Lease], *, ttl_ms: int) -> tuple[Lease, ...]:
        """Hold leases longer."""
        return self._call("renew_lease", lambda: self.inner.renew_leases(leases, ttl_ms=ttl_ms))

    def release_lease(self, lease: Lease, *, wanted: bool = False) -> None:
        """Give a lease up."""
        self._call("release_lease", lambda: self.inner.release_lease(lease, wanted=wanted))

    # Members

    def join(self, member: NewMember, *, ttl_ms: int, alone: bool = False) -> Member | None:
        """Become a member."""
        return self._call("join", lambda: self.inner.join(member, ttl_ms=ttl_ms, alone=alone))

    def renew_member(
        self, member: NewMember, *, ttl_ms: int, bus: BusReport = UNREPORTED, lag_ms: int = 0
    ) -> bool:
        """Live on."""
        return self._call(
            "renew_member",
            lambda: self.inner.renew_member(member, ttl_ms=ttl_ms, bus=bus, lag_ms=lag_ms),
        )

    def leave(self, member: NewMember) -> None:
        """Stop being a member."""
        self._call("leave", lambda: self.inner.leave(member))

    def drain_member(self, name: str, *, drained: bool) -> bool:
        """Ask a member for its tables."""
        return self._call("drain", lambda: self.inner.drain_member(name, drained=drained))

    def members(self) -> tuple[Member, ...]:
        """All members."""
        return self._call("members", self.inner.members)

    def held_leases(self, prefix: str) -> tuple[HeldLease, ...]:
        """The leases that were not given back."""
        return self._call("held_leases", lambda: self.inner.held_leases(prefix))

    def want_owner(self, stream: str) -> None:
        """Let a process take a stream."""
        self._call("want_owner", lambda: self.inner.want_owner(stream))

    def copy_id(self, at_ms: int) -> str:
        """The id of the database."""
        return self._call("copy_id", lambda: self.inner.copy_id(at_ms))

    def put_note(self, kind: str, name: str, body: str, *, ttl_ms: int) -> None:
        """Keep a text for a short time."""
        self._call("put_note", lambda: self.inner.put_note(kind, name, body, ttl_ms=ttl_ms))

    def note(self, kind: str, name: str) -> str | None:
        """A text that is kept."""
        return self._call("note", lambda: self.inner.note(kind, name))

    def take_note(self, kind: str, name: str) -> str | None:
        """Remove a text."""
        return self._call("take_note", lambda: self.inner.take_note(kind, name))

    def swap_note(self, kind: str, name: str, *, before: str, after: str) -> bool:
        """Replace a text."""
        return self._call(
            "swap_note", lambda: self.inner.swap_note(kind, name, before=before, after=after)
        )

    def purge_notes(self) -> None:
        """Remove old texts."""
        self._call("purge_notes", self.inner.purge_notes)

    # Reading

    def head(self, stream: str) -> Head:
        """Where a stream ends."""
        return self._call("head", lambda: self.inner.head(stream))

    def heads(self, prefix: str = "", *, damage: Damage | None = None) -> dict[str, Head]:
        """Where many streams end."""
        return self._call("heads", lambda: self.inner.heads(prefix, damage=damage))

    def streams(self, prefix: str = "") -> tuple[str, ...]:
        """The names of streams."""
        return self._call("streams", lambda: self.inner.streams(prefix))

    def events(
        self,
        stream: str,
        *,
        after: int = 0,
        up_to: int | None = None,
        damage: Damage | None = None,
    ) -> Iterator[StoredEvent]:
        """The events of a stream."""
        found = self.inner.events(stream, after=after, up_to=up_to, damage=damage)
        return iter(self._call("events", lambda: list(found)))

    def record(
        self, stream: str, *, after: int = 0, head: Head | None = None
    ) -> Iterator[StoredEvent]:
        """The events of a stream, for a reader who acts on them."""
        found = self.inner.record(stream, after=after, head=head)
        return iter(self._call("events", lambda: list(found)))

    def check_head(self, stream: str, head: Head) -> None:
        """Check that a head is authentic."""
        self._call("check_head", lambda: self.inner.check_head(stream, head))

    def authentication(self) -> Authentication | None:
        """From when on appends are authentic."""
        return self._call("authentication", self.inner.authentication)

    def authenticate(self, at_ms: int) -> Authentication:
        """Begin to authenticate appends."""
        return self._call("authenticate", lambda: self.inner.authenticate(at_ms))

    def stored_snapshot(self, stream: str) -> tuple[Snapshot, bool] | None:
        """The snapshot of a stream, and whether it is authentic."""
        return self._call("snapshot", lambda: self.inner.stored_snapshot(stream))

    def integrity(self) -> Integrity:
        """The database's own check."""
        return self._call("integrity", self.inner.integrity)

    def strays(self) -> tuple[Stray, ...]:
        """Rows that belong to no stream."""
        return self._call("strays", self.inner.strays)

    def stream_rows(self) -> dict[str, StreamRows]:
        """What there is of every stream besides its events."""
        return self._call("stream_rows", self.inner.stream_rows)

    def check_numbers(self) -> None:
        """Log a transfer with an impossible number."""
        self._call("check_numbers", self.inner.check_numbers)

    def lease_rows(self) -> tuple[LeaseRow, ...]:
        """The rows of leases."""
        return self._call("lease_rows", self.inner.lease_rows)

    def rule_set_names(self) -> tuple[str, ...]:
        """The fingerprints of rule sets."""
        return self._call("rule_set_names", self.inner.rule_set_names)

    def append_key_ids(self) -> tuple[str, ...]:
        """The keys of heads."""
        return self._call("append_key_ids", self.inner.append_key_ids)

    def renew_codes(self, lost: Collection[str] = (), *, at_ms: int = 0) -> int:
        """Authenticate all heads again."""
        return self._call("renew_codes", lambda: self.inner.renew_codes(lost, at_ms=at_ms))

    def key_ids(self) -> tuple[str, ...]:
        """The keys that are here."""
        return self._call("key_ids", self.inner.key_ids)

    def keys_used(self) -> tuple[str, ...]:
        """The keys that were ever used."""
        return self._call("keys_used", self.inner.keys_used)

    def was_authenticated(self) -> bool:
        """Whether the record beside the keys knows this place."""
        return self._call("was_authenticated", self.inner.was_authenticated)

    def begin_epoch(self, at_ms: int, reason: str) -> None:
        """Bind all codes to a new epoch."""
        self._call("begin_epoch", lambda: self.inner.begin_epoch(at_ms, reason))

    def old_answers_digest(self) -> tuple[int, str]:
        """A hash of the old answers."""
        return self._call("old_answers_digest", self.inner.old_answers_digest)

    def snapshot(self, stream: str) -> Snapshot | None:
        """The newest snapshot of a stream."""
        return self._call("snapshot", lambda: self.inner.snapshot(stream))

    def answers(self, stream: str, keys: Sequence[CommandKey]) -> dict[CommandKey, StoredAnswer]:
        """Answers that commands have got."""
        return self._call("answers", lambda: self.inner.answers(stream, keys))

    def old_answers(
        self, stream: str, *, damage: Damage | None = None
    ) -> Iterator[tuple[CommandKey, StoredAnswer]]:
        """The answers from before events named their commands."""
        found = self.inner.old_answers(stream, damage=damage)
        return iter(self._call("old_answers", lambda: list(found)))

    def secrets(
        self, stream: str, prefix: str = "", *, encrypted_only: bool = False
    ) -> dict[str, str]:
        """A stream's secrets."""
        read = self.inner.secrets
        return self._call("secrets", lambda: read(stream, prefix, encrypted_only=encrypted_only))

    def secret(self, stream: str, name: str) -> str | None:
        """One secret of a stream."""
        return self._call("secret", lambda: self.inner.secret(stream, name))

    def secret_names(self, stream: str, prefix: str = "") -> tuple[str, ...]:
        """The names of a stream's secrets."""
        return self._call("secret_names", lambda: self.inner.secret_names(stream, prefix))

    def encryption_keys(self) -> tuple[str, ...]:
        """The keys of encrypted secrets."""
        return self._call("encryption_keys", self.inner.encryption_keys)

    def prepare_keys(self) -> None:
        """Make the first key."""
        self._call("prepare_keys", self.inner.prepare_keys)

    def missing_keys(self) -> tuple[str, ...]:
        """The keys that are not there."""
        return self._call("missing_keys", self.inner.missing_keys)

    def keys_of_events(self) -> tuple[str, ...]:
        """The keys of events of an earlier version."""
        return self._call("keys_of_events", self.inner.keys_of_events)

    def secrets_under(self, key: str, prefix: str = "") -> dict[str, tuple[str, ...]]:
        """The names of the secrets that a key has encrypted."""
        return self._call("secrets_under", lambda: self.inner.secrets_under(key, prefix))

    def lost_keys(self) -> tuple[str, ...]:
        """The keys that were declared lost."""
        return self._call("lost_keys", self.inner.lost_keys)

    def reencrypt(self, prefix: str, *, plain: bool = False) -> int:
        """Encrypt secrets again."""
        return self._call("reencrypt", lambda: self.inner.reencrypt(prefix, plain=plain))

    def scrub(self, *, thoroughly: bool = False) -> None:
        """Overwrite what is gone."""
        self._call("scrub", lambda: self.inner.scrub(thoroughly=thoroughly))

    def forget_old_refusals(self, after: AnswerKey) -> AnswerKey | None:
        """Remove old refusals."""
        return self._call("forget_old_refusals", lambda: self.inner.forget_old_refusals(after))

    def drop_zero_balances(self) -> int:
        """Remove accounts that hold nothing."""
        return self._call("drop_zero_balances", self.inner.drop_zero_balances)

    def sizes(self) -> dict[str, int]:
        """The bytes of each table."""
        return self._call("sizes", self.inner.sizes)

    def rule_set(self, fingerprint: str) -> RuleSet | None:
        """A house by its fingerprint."""
        return self._call("rule_set", lambda: self.inner.rule_set(fingerprint))

    def balance(self, account: Account) -> int:
        """What an account holds."""
        return self._call("balance", lambda: self.inner.balance(account))

    def balances(self, prefix: str = "", *, damage: Damage | None = None) -> dict[Account, int]:
        """What many accounts hold."""
        return self._call("balances", lambda: self.inner.balances(prefix, damage=damage))

    def held(self, prefix: str) -> tuple[int, int]:
        """What accounts hold together."""
        return self._call("held", lambda: self.inner.held(prefix))

    def book(self) -> tuple[int, dict[Account, int]]:
        """The last transfer and all balances."""
        return self._call("book", self.inner.book)

    def archive(self, *, with_state: bool = True, before: int = LAST_NUMBER) -> Archive | None:
        """The newest archive."""
        return self._call(
            "archive", lambda: self.inner.archive(with_state=with_state, before=before)
        )

    def check_cut(self) -> None:
        """Check the mark of an archive."""
        self._call("check_cut", self.inner.check_cut)

    def cut_at(self) -> int | None:
        """Where an archive was cut off."""
        return self._call("cut_at", self.inner.cut_at)

    def is_whole(self) -> bool:
        """Whether history is read together with its archives."""
        return self.inner.is_whole()

    def add_archive(self, archive: Archive) -> None:
        """Record an archive."""
        self._call("add_archive", lambda: self.inner.add_archive(archive))

    def drop_events(self, stream: str, before: int) -> int:
        """Remove archived events."""
        return self._call("drop_events", lambda: self.inner.drop_events(stream, before))

    def drop_transfers(self, up_to: int) -> int:
        """Remove archived transfers."""
        return self._call("drop_transfers", lambda: self.inner.drop_transfers(up_to))

    def event_forms(self, *, damage: Damage | None = None) -> dict[str, int]:
        """The forms of events that have been written."""
        return self._call("event_forms", lambda: self.inner.event_forms(damage=damage))

    def transfers_between(self, start_ms: int, end_ms: int) -> Iterator[StoredTransfer]:
        """The transfers of a time."""
        found = self.inner.transfers_between(start_ms, end_ms)
        return iter(self._call("transfers_between", lambda: list(found)))

    def latest_transfers(
        self, account: Account, *, before: int = LAST_NUMBER
    ) -> Iterator[StoredTransfer]:
        """The transfers of an account, the newest first."""
        found = self.inner.latest_transfers(account, before=before)
        return iter(self._call("latest_transfers", lambda: list(found)))

    def sum_transfers(self, part: TransferRange, search: TransferSearch) -> tuple[int, int]:
        """How many transfers are found, and their sum."""
        return self._call("sum_transfers", lambda: self.inner.sum_transfers(part, search))

    def list_transfers(
        self, part: TransferRange, search: TransferSearch, *, before: int = LAST_NUMBER
    ) -> Iterator[StoredTransfer]:
        """The transfers that are found, the newest first."""
        found = self.inner.list_transfers(part, search, before=before)
        return iter(self._call("list_transfers", lambda: list(found)))

    def transfers(
        self,
        *,
        account: Account | None = None,
        stream: str | None = None,
        after: int = 0,
        damage: Damage | None = None,
    ) -> Iterator[StoredTransfer]:
        """Transfers."""
        found = self.inner.transfers(account=account, stream=stream, after=after, damage=damage)
        return iter(self._call("transfers", lambda: list(found)))

    def checkpoints(self, *, after: int = -1, damage: Damage | None = None) -> Iterator[Checkpoint]:
        """Checkpoints."""
        return self.inner.checkpoints(after=after, damage=damage)

    def close(self) -> None:
        """A process that dies closes nothing, so this does nothing."""

    # Faults

    def _call(self, name: str, do: Callable[[], Value]) -> Value:
        faults = self._machine.faults
        if self.dead or faults.crash_before(name):
            raise Crash
        self._check_available(name)
        self._machine.late.before_call(self)
        found = do()
        if faults.crash_after(name):
            raise Crash
        return found

    def _check_available(self, name: str) -> None:
        machine, faults = self._machine, self._machine.faults
        now_ms = machine.clock.true_ms
        if faults.strikes("store_gone"):
            machine.tally.add("store gone for a while")
            self._gone_until_ms = now_ms + faults.random.randint(100, 4000)
        if name in WRITES and faults.strikes("disk_full"):
            machine.tally.add("disk full for a while")
            machine.full_until_ms = now_ms + faults.random.randint(100, 4000)
        if not faults.quiet and now_ms < self._gone_until_ms:
            machine.tally.add("call refused, store gone")
            raise Unavailable("The simulated store is gone.")
        if not faults.quiet and name in WRITES and now_ms < machine.full_until_ms:
            machine.tally.add("write refused, disk full")
            raise Unavailable("The simulated disk is full.")
