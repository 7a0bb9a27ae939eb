"""Who did what: every accepted command has exactly one effect, and every effect its command.

An answer that a terminal has got is a promise. So the answer must be in the store, and the
record must show what the command did, once. At closing time, when every command has been
answered, nothing may be in the record that no command accounts for.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final

from openfelt.ledger.wallet import Deposited, WalletEvent
from openfelt.rules import round_actions
from openfelt.rules import round_events as rounds
from openfelt.rules.decisions import DecidedBy
from openfelt.runtime.requests import Answer, Request
from openfelt.runtime.streams import table_stream, wallet_stream
from openfelt.runtime.tables.worker import TableWorker
from openfelt.storage.door import CommandKey
from openfelt.table import changes, commands, events, incidents
from openfelt.table.commands import SYSTEM
from openfelt.table.deck import TABLE_DECK, deck_of
from tests.simulation.failure import require
from tests.simulation.messages import Message

if TYPE_CHECKING:
    from tests.simulation.simulation import Simulation

Match = Callable[[Any, Any, str], bool]
"""Whether an event is what a command of this person does."""

EFFECTS: Final[dict[type, tuple[tuple[type, ...], Match]]] = {
    commands.TakeSeat: (
        (events.SeatTaken,),
        lambda c, e, who: (c.seat, who) == (e.seat, e.player),
    ),
    commands.LeaveSeat: ((events.SeatLeft,), lambda c, e, _: c.seat == e.seat),
    commands.BuyIn: ((events.BoughtIn,), lambda c, e, _: (c.seat, c.cents) == (e.seat, e.cents)),
    commands.Collect: ((events.Collected,), lambda c, e, _: c.seat == e.seat),
    round_actions.SetWagers: ((rounds.WagersSet,), lambda c, e, _: c.spot == e.spot),
    commands.SeededWagers: ((rounds.WagersSet,), lambda c, e, _: c.wagers.spot == e.spot),
    commands.RevealSeed: (
        (events.SeedRevealed,),
        lambda c, e, _: (c.seat, c.seed) == (e.seat, e.seed),
    ),
    round_actions.MakeDecision: (
        (rounds.DecisionMade,),
        lambda c, e, _: c.spot == e.spot and e.by is not DecidedBy.CLOCK,
    ),
    round_actions.DealCard: ((rounds.CardDealt,), lambda c, e, _: c.card == e.card),
    round_actions.TurnCards: ((rounds.CardsTurned,), lambda *_: True),
    round_actions.CorrectCard: (
        (rounds.CardCorrected,),
        lambda c, e, _: (c.place, c.card) == (e.place, e.card),
    ),
    round_actions.SwapCards: (
        (rounds.CardCorrected,),
        lambda c, e, _: e.place in (c.place, c.other),
    ),
    round_actions.CloseBets: ((rounds.BetsClosed,), lambda *_: True),
    round_actions.Confirm: ((rounds.RoundSettled,), lambda *_: True),
    round_actions.VoidRound: ((rounds.RoundVoided,), lambda *_: True),
    commands.DeclareIrregularity: (
        (rounds.IrregularityDeclared,),
        lambda c, e, _: (c.irregularity, c.spot, c.card) == (e.irregularity, e.spot, e.card),
    ),
    commands.OpenBets: ((rounds.RoundOpened,), lambda *_: True),
    commands.TakeBank: (
        (rounds.RoundOpened,),
        lambda c, e, _: (c.seat, c.cover_cents) == (e.banker.seat, e.banker.cover_cents),
    ),
    commands.DeclineBank: ((events.BankDeclined,), lambda c, e, _: c.seat == e.seat),
    commands.ProposeAdjustment: (
        (events.AdjustmentProposed,),
        lambda c, e, _: (c.round, c.cents) == (e.adjustment.round, e.adjustment.cents),
    ),
    commands.ApproveAdjustment: ((events.AdjustmentMade,), lambda c, e, _: c.number == e.number),
    commands.RejectAdjustment: ((events.AdjustmentRejected,), lambda c, e, _: c.number == e.number),
    commands.CountStub: ((events.StubCounted,), lambda c, e, _: c.count in (None, e.count)),
    commands.CountFelt: (
        (incidents.FeltCounted,),
        lambda c, e, _: c.cents in (None, e.counted_cents),
    ),
    commands.CallFloor: ((incidents.FloorCalled,), lambda *_: True),
    commands.ResumePlay: ((incidents.PlayResumed,), lambda *_: True),
    commands.ReportMispayment: (
        (incidents.MispaymentReported,),
        lambda c, e, _: (c.round, c.cents) == (e.mispayment.round, e.mispayment.cents),
    ),
    commands.ResolveMispayment: (
        (incidents.MispaymentResolved,),
        lambda c, e, _: c.number == e.number,
    ),
    commands.ChangeRules: (
        (changes.RulesChanged,),
        lambda c, e, _: c.house.fingerprint == e.house.fingerprint,
    ),
    commands.ChangeLink: ((changes.LinkChanged,), lambda c, e, _: c.link == e.link),
    commands.ChangeClock: ((changes.ClockChanged,), lambda c, e, _: c.clock == e.clock),
    commands.ChangeDealer: ((events.DealerChanged,), lambda c, e, _: c.dealer == e.dealer),
    commands.HandOver: ((events.DealerChanged,), lambda c, e, _: c.dealer == e.dealer),
    commands.ReopenBets: ((events.BetsReopened,), lambda *_: True),
    commands.CloseTable: ((events.ClosingAnnounced, events.TableClosed), lambda *_: True),
    commands.PauseTable: ((events.PauseAnnounced, events.TablePaused), lambda *_: True),
    commands.ReopenTable: ((events.TableReopened,), lambda *_: True),
}

ONLY_BY_COMMAND: Final = (
    events.SeatTaken,
    events.SeatLeft,
    events.BoughtIn,
    changes.RulesChanged,
    changes.LinkChanged,
    events.DealerChanged,
    events.TableReopened,
    events.SeedRevealed,
    rounds.WagersSet,
    rounds.CardCorrected,
    rounds.IrregularityDeclared,
    events.AdjustmentProposed,
    events.AdjustmentMade,
    events.AdjustmentRejected,
    events.StubCounted,
    events.BetsReopened,
    incidents.FeltCounted,
    incidents.FloorCalled,
    incidents.MispaymentReported,
    incidents.MispaymentResolved,
)
"""What never happens by itself."""


class Claims:
    """The effects that accepted commands account for."""

    def __init__(self, simulation: "Simulation") -> None:
        self._simulation = simulation
        self._claimed: dict[tuple[str, int], str] = {}
        self._versions: dict[tuple[str, int], str] = {}
        self.paid_in_cents = 0
        """Accepted deposits less accepted withdrawals."""
        self.last_answers: list[Answer] | None = None

    # When an answer arrives ----------------------------------------------------------

    def answered(self, message: Message, answer: Answer) -> None:
        """A terminal has its answer: an accepted command is in the store, a refused one is not."""
        self._check_kept(message, answer)
        if not answer.accepted:
            self._simulation.tally.add("commands refused")
            return
        self._simulation.tally.add("commands accepted")
        if isinstance(message.command, WalletEvent):
            paid_in = isinstance(message.command, Deposited)
            self.paid_in_cents += message.command.cents if paid_in else -message.command.cents
        else:
            self._claim(message, answer)

    def _check_kept(self, message: Message, answer: Answer) -> None:
        stream, key = where_kept(message)
        kept = self._simulation.machine.look.answers(stream, [key]).get(key)
        there = None if kept is None else Answer.from_json(kept.body)
        require(
            there == (answer if answer.accepted else None),
            "no answered command lost",
            f"{message.id} was answered {answer}, and the store has {there}.",
        )

    def _claim(self, message: Message, answer: Answer) -> None:
        table, record = message.to, self._simulation.auditor.events[message.to]
        require(
            answer.version <= len(record),
            "no answered command lost",
            f"{message.id} was answered {answer}, and {table} ends at {len(record)}.",
        )
        other = self._versions.setdefault((table, answer.version), message.id)
        require(other == message.id, "one command, one version", f"{message.id} and {other}")
        kinds, match = EFFECTS[type(message.command)]
        for version in range(answer.version, 0, -1):
            event = record[version - 1]
            if isinstance(event, kinds) and match(message.command, event, message.by.name):
                other = self._claimed.setdefault((table, version), message.id)
                require(
                    other == message.id,
                    "one effect for each command",
                    f"{message.id} and {other} claim event {version} of {table}: {event}.",
                )
                return
        require(False, "no answered command lost", f"{message.id} has left no trace: {message}.")

    # When a worker is asked ----------------------------------------------------------

    def check_repeats(
        self,
        worker: TableWorker,
        requests: list[Request],
        ask: Callable[[], list[Answer] | None],
    ) -> None:
        """A command that has its answer gets it again, and nothing happens a second time."""
        look, stream = self._simulation.machine.look, table_stream(worker.table.id)
        known = look.answers(stream, [request.key for request in requests])
        version = look.head(stream).version
        self.last_answers = None
        answers = ask()
        if answers is not None and known:
            self._simulation.tally.add("command answered again", len(known))
            if len(known) == len({request.key for request in requests}):
                after = look.head(stream).version
                require(after == version, "applied twice", f"{requests} moved {stream} to {after}")
        self.last_answers = answers

    # At closing time -----------------------------------------------------------------

    def check_all_kept(self) -> None:
        """Every command that any terminal was told is accepted is in the store, and no other."""
        for terminal in self._simulation.terminals:
            for message, answer in terminal.answered.values():
                self._check_kept(message, answer)

    def check_all_claimed(self) -> None:
        """Nothing has happened at any table that no accepted command accounts for."""
        for table, record in self._simulation.auditor.events.items():
            for version, event in self._unclaimed(table, record):
                require(
                    not self._needs_command(table, record, version, event),
                    "no command applied twice",
                    f"No person has asked for event {version} of {table}: {event}.",
                )

    def _unclaimed(self, table: str, record: list[Any]) -> Iterator[tuple[int, Any]]:
        for version, event in enumerate(record, start=1):
            if (table, version) not in self._claimed:
                yield version, event

    def _needs_command(self, table: str, record: list[Any], version: int, event: Any) -> bool:
        live = not self._simulation.auditor.tables[table].virtual
        match event:
            case rounds.DecisionMade(by=by):
                return by is not DecidedBy.CLOCK
            case events.Collected(seat=seat):
                return not (version < len(record) and record[version] == events.SeatLeft(seat))
            case events.BankDeclined():
                return (table, version) not in self._simulation.auditor.declined_by_clock
            case rounds.RoundOpened():
                return live
            case rounds.CardDealt(place=place):
                rules = self._simulation.auditor.tables[table].house
                return live and deck_of(rules, place) == TABLE_DECK
            case _:
                return isinstance(event, ONLY_BY_COMMAND)


def where_kept(message: Message) -> tuple[str, CommandKey]:
    """The stream and the key under which the answer to a message is kept."""
    if isinstance(message.command, WalletEvent):
        return wallet_stream(message.command.player), (str(SYSTEM), message.id)
    return table_stream(message.to), (str(message.by), message.id)
