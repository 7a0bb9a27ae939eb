"""Commits that were lost on their way to the store, which may carry them out later all the same.

A server that has received such a commit waits for a lock or for its disk meanwhile, and holds the
rows of its streams; one that has not received it yet holds nothing. A store ends its own lost
commits before it does anything else. Those of tables are left here nevertheless: a table must not
rely on that, because its next process cannot.
"""

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Final

from openfelt.storage.door import Commit, StoreError

if TYPE_CHECKING:
    from tests.simulation.faulty_store import FaultyStore
    from tests.simulation.machine import Machine

LATE_MAX_MS: Final = 4000


@dataclass(frozen=True)
class LateCommit:
    """A commit that was lost, and the time at which it is carried out."""

    store: "FaultyStore"
    commit: Commit
    due_ms: int

    @property
    def is_leased(self) -> bool:
        """Whether it names the lease of a table."""
        return any(append.fence is not None for append in self.commit.appends)

    def writes(self, streams: set[str]) -> bool:
        """Whether it holds a row of one of these streams."""
        return any(append.stream in streams for append in self.commit.appends)


class LateCommits:
    """The lost commits of a simulation."""

    def __init__(self, machine: "Machine") -> None:
        self._machine = machine
        self._random = Random(1)  # of its own, so that seeds stay what they were otherwise
        self._late: list[LateCommit] = []

    def lose(self, store: "FaultyStore", commit: Commit) -> bool:
        """Lose a commit, perhaps."""
        if self._random.random() < 0.3:
            return False
        due_ms = self._machine.clock.true_ms + self._random.randint(0, LATE_MAX_MS)
        self._late.append(LateCommit(store, commit, due_ms))
        return True

    def before_call(self, store: "FaultyStore") -> None:
        """Carry out what is due, and let a store end what it has lost itself."""
        for late in tuple(self._late):
            if not late.is_leased and late.store is store:
                self._settle(late)
            elif late.due_ms <= self._machine.clock.true_ms:
                self._carry_out(late)

    def before_write(self, streams: set[str]) -> None:
        """Let a writer wait for the rows of these streams."""
        for late in tuple(self._late):
            if late.writes(streams):
                if not late.is_leased:
                    self._settle(late)
                elif self._random.random() < 0.5:
                    self._carry_out(late)

    def forget(self) -> None:
        """Lose power: what is under way is gone."""
        self._late.clear()

    def _settle(self, late: LateCommit) -> None:
        """Carry a commit out now or never."""
        if self._random.random() < 0.5:
            self._carry_out(late)
        else:
            self._late.remove(late)

    def _carry_out(self, late: LateCommit) -> None:
        machine = self._machine
        self._late.remove(late)
        machine.touched.update(dict.fromkeys(append.stream for append in late.commit.appends))
        try:
            machine.look.commit(late.commit)
        except StoreError as error:
            machine.tally.add(f"lost commit came too late, {type(error).__name__}")
        else:
            machine.tally.add("lost commit carried out later")
