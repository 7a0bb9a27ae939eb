"""The machine under the simulated processes: its clock, its disk, its faults, and its power."""

from fractions import Fraction
from pathlib import Path
from random import Random

from openfelt.ledger import AccountKind
from openfelt.rules.refusal import Refusal
from openfelt.runtime.cage.cashier import Cashier
from openfelt.runtime.links.links import Links
from openfelt.runtime.streams import StreamKind, kind_of, link_stream, name_of, wallet_stream
from openfelt.storage.door import Commit, Conflict
from openfelt.storage.event_forms import EventCodec
from openfelt.storage.rulebook import Rulebook
from openfelt.storage.sql.commit_plan import commands_of
from openfelt.table.links.link_referee import ChangeRates
from tests.simulation.disk import AnyStore, Disk, Image, StoreMaker
from tests.simulation.failure import require
from tests.simulation.faults import Faults
from tests.simulation.late_commits import LateCommits
from tests.simulation.postgres_disk import PostgresDisk
from tests.simulation.sim_clock import SimulatedClock
from tests.simulation.tally import Tally


class Machine:
    """What all processes of a simulation share."""

    def __init__(
        self,
        folder: Path,
        random: Random,
        tally: Tally,
        make_store: StoreMaker,
        *,
        server: str | None = None,
    ) -> None:
        """``server`` is the address of an empty database on a server, in place of a file."""
        self.random = random
        self.tally = tally
        self.clock = SimulatedClock()
        self.disk = Disk(folder, self.clock, make_store)
        if server is not None:
            self.disk = PostgresDisk(server, self.clock)
        self.faults = Faults(random, tally)
        self.late = LateCommits(self)
        self.full_until_ms = 0
        self.power_losses = 0
        self.hot = False
        """Whether jackpots are won again and again."""
        self.touched: dict[str, None] = {}
        """The streams that a process has tried to write to in this step."""
        self.paid_out_cents = 0
        """What meddlers have withdrawn."""
        self._meddled = 0
        self.look: AnyStore
        """A sound connection, through which the auditor looks."""
        self.codec: EventCodec
        self._open()

    def _open(self) -> None:
        self.look = self.disk.open_to_look()
        self.codec = EventCodec(Rulebook(self.look).codec)

    def close(self) -> None:
        """Let go of every file."""
        self.disk.close_all()

    # What the faulty stores ask for

    def stale_fences(self, commit: Commit) -> list[str]:
        """The streams of a commit whose lease has passed to another process."""
        return [
            append.stream
            for append in commit.appends
            if (append.fence or 0) != self.look.head(append.stream).fence
        ]

    def conflicted(self, commit: Commit, error: Conflict) -> None:
        """Count jackpots for which two tables reached at once."""
        for append in commit.appends:
            if append.stream == error.stream and _wins(append.events):
                theirs = self.look.events(error.stream, after=error.expected)
                if _wins(theirs):
                    self.tally.add("jackpot hit by two tables at once")

    def lose_power(self, commit: Commit, before: Image) -> None:
        """Lose power while a commit is written: it must be there whole, or not at all."""
        tear = self.disk.torn(before, self.random)
        self.tally.add(f"power lost, {tear.kind}")
        self.power_losses += 1
        self.late.forget()
        self.disk.lose_power(tear.left)
        self.clock.start_machine()
        self.full_until_ms = 0
        self._open()
        there = self._parts_there(commit)
        sentence = f"After a power loss ({tear.kind}) these parts of a commit are there: {there}."
        require(all(there.values()) or not any(there.values()), "torn commit", sentence)
        require(all(there.values()) or not tear.whole, "lost commit", sentence)
        self.tally.add(f"last commit {'whole' if all(there.values()) else 'gone'} after power loss")

    def _parts_there(self, commit: Commit) -> dict[str, bool]:
        there = {}
        for append in commit.appends:
            if append.events:
                version = self.look.head(append.stream).version
                there[f"events of {append.stream}"] = version > append.expected_version
            keys = commands_of(append)
            if keys:
                found = self.look.answers(append.stream, keys)
                there[f"answers of {append.stream}"] = bool(found)
                require(len(found) in (0, len(keys)), "torn commit", "Some answers are missing.")
            names = [secret.name for secret in append.secrets]
            if names:
                secrets = self.look.secrets(append.stream)
                there[f"secrets of {append.stream}"] = all(name in secrets for name in names)
        return there

    @staticmethod
    def writes_link(commit: Commit) -> bool:
        """Whether a commit adds to the record of a link that is there, which few commits do."""
        return any(
            kind_of(append.stream) is StreamKind.LINK and append.expected_version
            for append in commit.appends
        )

    def meddle(self, commit: Commit, owner: str) -> None:
        """Let another process write to the same link or wallet just before a commit."""
        for append in commit.appends:
            if kind_of(append.stream) is StreamKind.LINK and append.expected_version:
                self._meddle_with_link(name_of(append.stream))
            if kind_of(append.stream) is StreamKind.TABLE:
                for event in append.events:
                    for transfer in event.transfers:
                        if transfer.debit.kind is AccountKind.WALLET:
                            self._meddle_with_wallet(transfer.debit.owner)
                            return

    def _meddle_with_link(self, link: str) -> None:
        links = Links(self.look, self.codec, self.clock)
        if self.random.random() < 0.5 and links.fold(link):
            self.touched[link_stream(link)] = None
            self.tally.add("link folded by another process before a commit")
            return
        rates = ChangeRates(
            contribution=Fraction(self.random.randint(1, 60), 100),
            seed_cents=self.random.randint(0, 50_000),
        )
        try:
            links.command(link, rates)
        except Refusal:
            return
        self.touched[link_stream(link)] = None
        self.tally.add("link changed by another process before a commit")

    def _meddle_with_wallet(self, player: str) -> None:
        cashier = Cashier(self.look, self.codec, self.clock)
        held_cents = cashier.balance(player)
        if held_cents:
            cents = self.random.randint(1, held_cents)
            self._meddled += 1
            self.touched[wallet_stream(player)] = None
            answer = cashier.withdraw(player, cents, id=f"meddled-{self._meddled}")
            require(answer.accepted, "cashier", "A withdrawal that the wallet covers was refused.")
            self.paid_out_cents += cents
            self.tally.add("wallet withdrawn from before a commit")


def _wins(events: object) -> bool:
    """Whether a share of the meter is won among stored or new events of a link."""
    assert hasattr(events, "__iter__")
    return any(
        event.name == "link_round_counted" and '"from_meter_cents":0' not in event.body
        for event in events
    )
