"""The trays of live tables: opened and closed by a count of two people, filled by three.

A command is decided by the tray's record and written at its end, so that two commands on one tray
never move the same chips. A slip takes its number in the same commit: the slips of the house have
their own stream, and the number of a slip is its version there, so that numbers have no gaps.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from openfelt.ledger.counts import Count, counted_cents
from openfelt.ledger.table_play import TablePlay, play_of
from openfelt.ledger.trays import (
    ChipsGiven,
    ChipsReceived,
    ChipsRefused,
    ChipsRequested,
    RecordMark,
    SlipKind,
    SlipMade,
    Tray,
    TrayClosed,
    TrayCountDropped,
    TrayCounted,
    TrayEvent,
    TrayMoment,
    TrayOpened,
    TrayShift,
    between_shifts,
    tray_after,
    tray_transfers,
)
from openfelt.rules.action_checks import malformed
from openfelt.runtime.cage import tray_rules
from openfelt.runtime.cage.blind_tries import BlindTries
from openfelt.runtime.cage.cage_commands import CageCommands, check_count, check_text
from openfelt.runtime.cage.containers import Container, ContainerRecords
from openfelt.runtime.cage.tray_rules import Signer
from openfelt.runtime.streams import SLIPS_STREAM, StreamKind, table_stream, tray_stream
from openfelt.storage.door import Append, Cause, Store, StoredEvent
from openfelt.table.permissions import check_name

TRAYS: Final = Container(StreamKind.TRAY, Tray, lambda table: Tray(id=table), tray_after)

Slip = Callable[[int], int]
"""Takes the next slip for a request, by its number, and gives the number of the slip."""


@dataclass(frozen=True, slots=True)
class _Count:
    table: str
    by: Signer
    moment: TrayMoment
    count: Count
    reason: str


@dataclass(frozen=True, slots=True)
class _Act:
    """A person's action on a count or a request, by its number."""

    table: str
    by: Signer
    act: str
    number: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class _Request:
    table: str
    by: Signer
    kind: SlipKind
    count: Count
    note: str


class Trays:
    """All trays of a house. Threads may share it, and all calls block."""

    def __init__(self, commands: CageCommands) -> None:
        self._commands = commands
        self._records = ContainerRecords(TRAYS, commands.store, commands.codec)
        self._tries = BlindTries(commands.clock)

    # Reading ---------------------------------------------------------------------------

    def get(self, table: str) -> Tray:
        """A tray as it is now; closed if it was never opened. A closed one has no shift."""
        return self._records.read(table)[0]

    def all(self) -> list[Tray]:
        """Every tray that was ever counted, by the name of its table."""
        return [self.get(name) for name in self.names()]

    def names(self) -> list[str]:
        """The tables whose trays were ever counted."""
        return self._records.names()

    def record(self, table: str, *, after: int = 0) -> list[tuple[StoredEvent, TrayEvent]]:
        """The events of a tray after a version, in order."""
        codec, store = self._commands.codec, self._commands.store
        return [
            (stored, codec.decode(stored))
            for stored in store.record(tray_stream(table), after=after)
        ]

    def shifts(self, table: str) -> list[TrayShift]:
        """The shifts of a tray, the last one last, which may be open."""
        tray, shifts = Tray(id=table), []
        for stored, event in self.record(table):
            tray = tray_after(tray, event, stored.at_ms)
            if isinstance(event, TrayClosed) and tray.shift is not None:
                shifts.append(tray.shift)
        return [*shifts, tray.shift] if tray.open and tray.shift is not None else shifts

    def slips(self) -> list[tuple[StoredEvent, SlipMade]]:
        """All slips of the house, in the order of their numbers."""
        codec = self._commands.codec
        return [
            (stored, codec.decode(stored)) for stored in self._commands.store.record(SLIPS_STREAM)
        ]

    def play_since(self, table: str, mark: RecordMark | None) -> tuple[TablePlay, RecordMark]:
        """The play at a table since a point of its record, and the point up to which it is counted.

        Without a point nothing is added up.
        """
        return play_since(self._commands.store, table, mark)

    # Counts ----------------------------------------------------------------------------

    def count(
        self,
        table: str,
        moment: TrayMoment,
        count: Count,
        *,
        by: Signer,
        id: str,  # noqa: A002
        reason: str = "",
    ) -> Tray:
        """Count a tray and sign first; the same person may count again. Raises Refusal."""
        check_name(table, "table")
        check_count(count)
        check_text(reason)

        def decide(state: Tray, _: Slip) -> TrayEvent:
            tray_rules.check_moment(state, moment)
            tray_rules.check_counter(state, by)
            play, mark = self.play_since(table, state.mark)
            difference_cents = tray_rules.difference_of(state, count, play)
            if not reason.strip():
                with self._tries.counted(table, by, tray_rules.reason_needed()):
                    tray_rules.check_difference(difference_cents, by)
            number = state.counts + 1
            return TrayCounted(
                table, number, moment, count, by.name, by.is_supervisor, mark, reason
            )

        return self._carry_out(table, id, _Count(table, by, moment, count, reason), decide)

    def sign(
        self,
        table: str,
        number: int,
        *,
        by: Signer,
        id: str,  # noqa: A002
    ) -> Tray:
        """Sign a count as the second person, which opens or closes the tray; raises Refusal.

        The count is refused if chips have moved since.
        """

        def decide(state: Tray, _: Slip) -> TrayEvent:
            counted = tray_rules.waiting_count(state, number)
            tray_rules.check_second(counted, by)
            tray_rules.check_moment(state, counted.moment)
            since, mark = self.play_since(table, counted.mark)
            tray_rules.check_unmoved(state, since)
            play, mark = self._play_up_to(table, state.mark, mark)
            difference_cents = tray_rules.difference_of(state, counted.count, play)
            opening = counted.moment is TrayMoment.OPENING
            return (TrayOpened if opening else TrayClosed)(
                table=table,
                number=number,
                count=counted.count,
                dealer=by.name if counted.supervisor else counted.by,
                supervisor=counted.by if counted.supervisor else by.name,
                difference_cents=difference_cents,
                play=play,
                mark=mark,
                reason=counted.reason if difference_cents else "",
            )

        return self._carry_out(table, id, _Act(table, by, "sign", number), decide)

    def drop_count(
        self,
        table: str,
        number: int,
        *,
        by: Signer,
        id: str,  # noqa: A002
        reason: str,
    ) -> Tray:
        """Reject a count, or withdraw one's own, so that it is counted again; raises Refusal."""
        _check_given(reason)

        def decide(state: Tray, _: Slip) -> TrayEvent:
            tray_rules.waiting_count(state, number)
            return TrayCountDropped(number, by.name, reason)

        return self._carry_out(table, id, _Act(table, by, "drop", number, reason), decide)

    # Fills and credits -----------------------------------------------------------------

    def request(
        self,
        table: str,
        kind: SlipKind,
        count: Count,
        *,
        by: Signer,
        id: str,  # noqa: A002
        note: str = "",
    ) -> Tray:
        """Ask for a fill or a credit; nothing moves by this. Raises Refusal."""
        check_count(count)
        check_text(note)
        if not counted_cents(count):
            raise malformed("Enter the chips by denomination.")

        def decide(state: Tray, _: Slip) -> TrayEvent:
            if not state.open:
                raise tray_rules.tray_closed()
            tray_rules.check_requester(by)
            if kind is SlipKind.CREDIT:
                supervisor_does = tray_rules.wrong_signer(
                    "Only a supervisor may request this credit."
                )
                with self._tries.counted(table, by, supervisor_does):
                    self._check_credit(state, kind, count, by)
            number = state.requests + 1
            return ChipsRequested(number, kind, count, by.name, by.is_supervisor, note)

        return self._carry_out(table, id, _Request(table, by, kind, count, note), decide)

    def give(self, table: str, number: int, *, by: Signer, id: str) -> Tray:  # noqa: A002
        """Approve a request and give the chips: the chip bank a fill, the table a credit."""

        def decide(state: Tray, slip: Slip) -> TrayEvent:
            move = tray_rules.move_of(state, number)
            tray_rules.check_giver(move, by)
            self._check_credit(state, move.request.kind, move.request.count, by)
            made = slip(number) if move.request.kind is SlipKind.FILL else None
            return ChipsGiven(number, by.name, made)

        return self._carry_out(table, id, _Act(table, by, "give", number), decide)

    def receive(self, table: str, number: int, *, by: Signer, id: str) -> Tray:  # noqa: A002
        """Receive chips that were counted: the table a fill, the chip bank a credit."""

        def decide(state: Tray, slip: Slip) -> TrayEvent:
            move = tray_rules.move_of(state, number)
            tray_rules.check_receiver(move, by)
            made = slip(number) if move.request.kind is SlipKind.CREDIT else None
            return ChipsReceived(number, by.name, made)

        return self._carry_out(table, id, _Act(table, by, "receive", number), decide)

    def refuse(
        self,
        table: str,
        number: int,
        *,
        by: Signer,
        id: str,  # noqa: A002
        reason: str,
    ) -> Tray:
        """Reject or withdraw a request; chips on their way go back. Raises Refusal."""
        _check_given(reason)

        def decide(state: Tray, _: Slip) -> TrayEvent:
            tray_rules.check_refuser(tray_rules.move_of(state, number), by)
            return ChipsRefused(number, by.name, reason)

        return self._carry_out(table, id, _Act(table, by, "refuse", number, reason), decide)

    # Writing ---------------------------------------------------------------------------

    def _carry_out(
        self, table: str, command: str, asked: object, decide: Callable[[Tray, Slip], TrayEvent]
    ) -> Tray:
        stream, codec, store = tray_stream(table), self._commands.codec, self._commands.store

        def decided(cause: Cause) -> tuple[Append, ...]:
            state, version = self._records.read(table)
            slips: list[Append] = []

            def slip(request: int) -> int:
                last = store.head(SLIPS_STREAM).version
                event = SlipMade(last + 1, table, request, version + 1)
                slips.append(
                    Append(
                        stream=SLIPS_STREAM,
                        expected_version=last,
                        # The command is answered by the event of the tray.
                        events=(codec.encode(event, cause=replace(cause, digest="")),),
                    )
                )
                return last + 1

            event = decide(state, slip)
            transfers = tray_transfers(state, event)
            append = Append(
                stream=stream,
                expected_version=version,
                events=(codec.encode(event, transfers, cause=cause),),
                snapshot=codec.codec.to_json(Tray, between_shifts(tray_after(state, event, 0)))
                if isinstance(event, TrayClosed)
                else None,
            )
            return (append, *slips)

        self._commands.carry_out(stream, command, asked, decided)
        return self.get(table)

    def _check_credit(self, state: Tray, kind: SlipKind, count: Count, by: Signer) -> None:
        if kind is SlipKind.CREDIT:
            play, _ = self.play_since(state.id, state.mark)
            tray_rules.check_chips(state, count, play, by)

    def _play_up_to(
        self, table: str, since: RecordMark | None, up_to: RecordMark
    ) -> tuple[TablePlay, RecordMark]:
        """The play between two points, and the second point."""
        return play_since(self._commands.store, table, since, up_to=up_to)


def play_since(
    store: Store, table: str, mark: RecordMark | None, *, up_to: RecordMark | None = None
) -> tuple[TablePlay, RecordMark]:
    """The play since a point of a table's record, and the point up to which it is counted.

    Without a first point nothing is added up; without a second one it is the end of the record.
    """
    stream = table_stream(table)
    version = up_to.version if up_to is not None else store.head(stream).version
    after = mark.transfer if mark is not None else 0
    transfers, last = [], after
    for stored in store.transfers(stream=stream, after=after):
        if stored.version > version:
            break
        transfers.append(stored.transfer)
        last = stored.number
    play = TablePlay() if mark is None else play_of(transfers)
    return play, RecordMark(version, last)


def _check_given(reason: str) -> None:
    check_text(reason)
    if not reason.strip():
        raise malformed("Give a reason.")
