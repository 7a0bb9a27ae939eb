"""Observers of commits: told of everything that is written, once, and of nothing else."""

from dataclasses import replace

import pytest

from openfelt.ledger.wallet import Deposited
from openfelt.rules.round_events import RoundOpened, RoundVoided, WagersSet
from openfelt.runtime.cage.cashier import Cashier
from openfelt.runtime.commits import AnsweredCommand, CommitReport
from openfelt.runtime.streams import StreamKind
from openfelt.runtime.tables.floor import Floor
from openfelt.table.commands import BuyIn, TakeSeat
from openfelt.table.events import DeckCommitted
from tests.kit.floors import Desk, Shift, request
from tests.kit.tables import FLOOR


@pytest.fixture
def seen() -> list[CommitReport]:
    return []


@pytest.fixture
def desk(shift: Shift, seen: list[CommitReport]) -> Desk:
    shift.worker_services = replace(shift.worker_services, observer=seen.append)
    opened = shift.open_table("online")
    (sealed,) = seen
    assert [type(event) for event in sealed.events] == [DeckCommitted]
    seen.clear()
    return opened


def test_answers_come_with_their_ids_and_codes(desk: Desk, seen: list[CommitReport]) -> None:
    desk.ask(TakeSeat(1), "ann", id="first")
    desk.ask(BuyIn(1, 500), "ann", id="second")
    assert [committed.answers for committed in seen] == [
        (AnsweredCommand(actor="player:ann", command="first"),),
        (AnsweredCommand(actor="player:ann", command="second", refused="wallet_short"),),
    ]
    assert {(committed.kind, committed.name) for committed in seen} == {
        (StreamKind.TABLE, desk.table.id)
    }
    assert seen[1].events == ()


def test_requests_that_share_a_commit_are_told_together(
    desk: Desk, seen: list[CommitReport]
) -> None:
    desk.worker.handle(
        [request(TakeSeat(1), "ann", id="first"), request(TakeSeat(1), "bob", id="second")]
    )
    (committed,) = seen
    assert [answered.refused for answered in committed.answers] == [None, "seat_taken"]


def test_an_answer_that_is_given_again_is_not_written_again(
    desk: Desk, seen: list[CommitReport]
) -> None:
    for _ in range(2):
        desk.ask(TakeSeat(1), "ann", id="first")
    assert len(seen) == 1


def test_the_round_is_the_one_that_the_commit_opens_or_goes_on_with(
    desk: Desk, seen: list[CommitReport]
) -> None:
    desk.sit("ann", 1, 500)
    assert {committed.round for committed in seen} == {None}
    desk.bet("ann", "1.1", "ante 5")
    desk.void()
    opened, voided = seen[-2:]
    assert {opened.round, voided.round} == {f"{desk.table.id}/1"}
    assert {RoundOpened, WagersSet} <= {type(event) for event in opened.events}
    assert RoundVoided in {type(event) for event in voided.events}


def test_nothing_is_told_of_what_was_not_written(
    shift: Shift, desk: Desk, seen: list[CommitReport]
) -> None:
    shift.store.full = True
    assert not desk.ask(TakeSeat(1), "ann").accepted
    assert seen == []


def test_the_cashier_tells_of_payments(shift: Shift, seen: list[CommitReport]) -> None:
    cashier = Cashier(shift.store, shift.worker_services.codec, shift.clock, seen.append)
    for _ in range(2):
        cashier.deposit("ann", 500, id="first")
    cashier.withdraw("ann", 900, id="second")
    assert seen == [
        CommitReport(
            kind=StreamKind.WALLET,
            name="ann",
            events=(Deposited("ann", 500),),
            answers=(AnsweredCommand(actor="system:openfelt", command="first"),),
        ),
        CommitReport(
            kind=StreamKind.WALLET,
            name="ann",
            answers=(
                AnsweredCommand(actor="system:openfelt", command="second", refused="wallet_short"),
            ),
        ),
    ]


async def test_a_floor_tells_of_its_tables_and_its_cashier(
    shift: Shift, seen: list[CommitReport]
) -> None:
    shift.open_table("online")
    async with Floor(shift.store, owner="one", clock=shift.clock, observer=seen.append) as floor:
        floor.cashier.deposit("ann", 500, id="first")
        await floor.ask("table-1", request(TakeSeat(1), "ann"))
        await floor.ask("table-1", request(TakeSeat(2), FLOOR))
    assert [committed.kind for committed in seen] == [
        StreamKind.WALLET,
        StreamKind.TABLE,
        StreamKind.TABLE,
    ]
