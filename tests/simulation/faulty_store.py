"""The store as one simulated process sees it: real, but with every failure that a store has."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from openfelt.ledger import Account
from openfelt.storage.door import (
    AnswerKey,
    Checkpoint,
    CommandKey,
    Commit,
    Conflict,
    Head,
    Lease,
    NotEnough,
    Repeated,
    RuleSet,
    Snapshot,
    StoredAnswer,
    StoredEvent,
    StoredTransfer,
    Unavailable,
    Unknown,
)
from openfelt.storage.sqlite import SqliteStore
from tests.simulation.failure import require
from tests.simulation.faults import WRITES, Crash, PowerLoss

if TYPE_CHECKING:
    from tests.simulation.machine import Machine

Value = TypeVar("Value")


class FaultyStore:
    """One process's connection to the store."""

    def __init__(self, inner: SqliteStore, machine: "Machine", owner: str) -> None:
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
        if faults.strikes("meddling"):
            machine.meddle(commit, self._owner)
        machine.touched.update(dict.fromkeys(append.stream for append in commit.appends))
        if not self.dead and faults.strikes("unknown"):
            self._leave_unknown(commit)
        if not self.dead and faults.strikes("power_loss"):
            self._lose_power(commit)
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
        written = self._machine.faults.random.random() < 0.5
        if written:
            self._committed(commit)
        self._machine.tally.add(f"outcome unknown, {'written' if written else 'not written'}")
        raise Unknown("The simulated store was lost while it committed.")

    def _lose_power(self, commit: Commit) -> None:
        before = self._machine.disk.image()
        self._committed(commit)
        self._machine.lose_power(commit, before)
        raise PowerLoss

    def add_checkpoint(self, checkpoint: Checkpoint) -> None:
        """Write a checkpoint."""
        self._call("add_checkpoint", lambda: self.inner.add_checkpoint(checkpoint))

    # Leases

    def take_lease(self, stream: str, owner: str, *, ttl_ms: int) -> Lease | None:
        """Lease a stream."""
        take = self.inner.take_lease
        return self._call("take_lease", lambda: take(stream, owner, ttl_ms=ttl_ms))

    def renew_lease(self, lease: Lease, *, ttl_ms: int) -> Lease | None:
        """Hold a lease longer."""
        return self._call("renew_lease", lambda: self.inner.renew_lease(lease, ttl_ms=ttl_ms))

    def release_lease(self, lease: Lease) -> None:
        """Give a lease up."""
        self._call("release_lease", lambda: self.inner.release_lease(lease))

    # Reading

    def head(self, stream: str) -> Head:
        """Where a stream ends."""
        return self._call("head", lambda: self.inner.head(stream))

    def heads(self, prefix: str = "") -> dict[str, Head]:
        """Where many streams end."""
        return self._call("heads", lambda: self.inner.heads(prefix))

    def streams(self, prefix: str = "") -> tuple[str, ...]:
        """The names of streams."""
        return self._call("streams", lambda: self.inner.streams(prefix))

    def events(
        self, stream: str, *, after: int = 0, up_to: int | None = None
    ) -> Iterator[StoredEvent]:
        """The events of a stream."""
        found = self.inner.events(stream, after=after, up_to=up_to)
        return iter(self._call("events", lambda: list(found)))

    def snapshot(self, stream: str) -> Snapshot | None:
        """The newest snapshot of a stream."""
        return self._call("snapshot", lambda: self.inner.snapshot(stream))

    def answers(self, stream: str, keys: Sequence[CommandKey]) -> dict[CommandKey, StoredAnswer]:
        """Answers that commands have got."""
        return self._call("answers", lambda: self.inner.answers(stream, keys))

    def old_answers(self, stream: str) -> Iterator[tuple[CommandKey, StoredAnswer]]:
        """The answers from before events named their commands."""
        found = self.inner.old_answers(stream)
        return iter(self._call("old_answers", lambda: list(found)))

    def secrets(self, stream: str, prefix: str = "") -> dict[str, str]:
        """A stream's secrets."""
        return self._call("secrets", lambda: self.inner.secrets(stream, prefix))

    def secret_names(self, stream: str, prefix: str = "") -> tuple[str, ...]:
        """The names of a stream's secrets."""
        return self._call("secret_names", lambda: self.inner.secret_names(stream, prefix))

    def sealing_keys(self) -> tuple[str, ...]:
        """The keys of sealed secrets."""
        return self._call("sealing_keys", self.inner.sealing_keys)

    def prepare_seal(self) -> None:
        """Make the first key."""
        self._call("prepare_seal", self.inner.prepare_seal)

    def missing_keys(self) -> tuple[str, ...]:
        """The keys that are not there."""
        return self._call("missing_keys", self.inner.missing_keys)

    def reseal(self, prefix: str, *, unsealed_only: bool = False) -> int:
        """Seal secrets again."""
        resealed = lambda: self.inner.reseal(prefix, unsealed_only=unsealed_only)  # noqa: E731
        return self._call("reseal", resealed)

    def scrub(self, *, thoroughly: bool = False) -> None:
        """Overwrite what is gone."""
        self._call("scrub", lambda: self.inner.scrub(thoroughly=thoroughly))

    def forget_old_refusals(self, after: AnswerKey) -> AnswerKey | None:
        """Remove old refusals."""
        return self._call("forget_old_refusals", lambda: self.inner.forget_old_refusals(after))

    def rule_set(self, fingerprint: str) -> RuleSet | None:
        """A house by its fingerprint."""
        return self._call("rule_set", lambda: self.inner.rule_set(fingerprint))

    def balance(self, account: Account) -> int:
        """What an account holds."""
        return self._call("balance", lambda: self.inner.balance(account))

    def balances(self, prefix: str = "") -> dict[Account, int]:
        """What many accounts hold."""
        return self._call("balances", lambda: self.inner.balances(prefix))

    def transfers(
        self, *, account: Account | None = None, stream: str | None = None, after: int = 0
    ) -> Iterator[StoredTransfer]:
        """Transfers."""
        found = self.inner.transfers(account=account, stream=stream, after=after)
        return iter(self._call("transfers", lambda: list(found)))

    def checkpoints(self) -> Iterator[Checkpoint]:
        """All checkpoints."""
        return self.inner.checkpoints()

    def close(self) -> None:
        """A process that dies closes nothing, so this does nothing."""

    # Faults

    def _call(self, name: str, do: Callable[[], Value]) -> Value:
        faults = self._machine.faults
        if self.dead or faults.crash_before(name):
            raise Crash
        self._check_available(name)
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
