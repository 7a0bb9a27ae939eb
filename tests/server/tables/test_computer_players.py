"""The computer players at a table that its players bank."""

import asyncio

import pytest

from openfelt.cards import parse_cards
from openfelt.catalog import load_house
from openfelt.ledger.wallet import Deposited, wallet_transfer
from openfelt.rules import Bet, Check, CloseBets, MakeDecision, SetWagers, clock_decision
from openfelt.rules.decisions import Decision
from openfelt.rules.fingerprints import dealt_by_either
from openfelt.rules.house import DealerMode
from openfelt.rules.wagers import Spot, Wager, WagerKind
from openfelt.runtime.streams import table_stream, wallet_stream
from openfelt.server.tables.computer_players import (
    NAMES,
    ComputerPlayers,
    bank_command,
    computer_seats,
    next_command,
)
from openfelt.table.commands import (
    SYSTEM,
    BuyIn,
    DeclineBank,
    EndTime,
    LeaveSeat,
    OpenBets,
    TakeBank,
    TakeSeat,
)
from openfelt.table.incidents import ClockFor
from tests.kit.floors import Shift
from tests.kit.server.open_house import OpenHouse, name_of
from tests.kit.tables import Pit

TABLE = "california-1"


async def guest_at(house: OpenHouse, seat: int = 1) -> str:
    name = await name_of(await house.guest())
    await house.sit(TABLE, name, seat, 90_000)
    return name


async def looked(house: OpenHouse, times: int = 4) -> None:
    players = ComputerPlayers(
        house.services.floor,
        TABLE,
        play_money_cents=house.services.settings.play_money_cents,
    )
    for _ in range(times):
        await players.look()


async def finish(house: OpenHouse, guest: str) -> None:
    """Let the round end: bets close, the guest plays as the clock would, the house by itself."""
    state = await house.state(TABLE)
    assert state.clock is not None
    await house.do(TABLE, EndTime(state.clock.number), SYSTEM)
    while (playing := (await house.state(TABLE)).playing) is not None:
        await looked(house, 1)
        playing = (await house.state(TABLE)).playing
        own = [spot for spot in playing.pending if spot.seat == 1] if playing else []
        for spot in own:
            assert playing is not None
            await house.ask(TABLE, MakeDecision(spot, clock_decision(playing, spot)), guest)


async def test_nobody_sits_down_while_nobody_else_does(house: OpenHouse) -> None:
    await looked(house)
    assert (await house.state(TABLE)).seats == {}


async def test_a_player_who_comes_alone_can_play_round_after_round(house: OpenHouse) -> None:
    guest = await guest_at(house)
    for number in range(1, 6):
        await looked(house)
        table = await house.state(TABLE)
        assert len(computer_seats(table)) == 2
        if table.playing is None:
            assert table.bank_offered_to == 1
            await house.do(TABLE, DeclineBank(1), guest)
            await looked(house)
        state = (await house.state(TABLE)).playing
        assert state is not None
        assert state.opened.banker is not None
        assert (await house.state(TABLE)).seats[state.opened.banker.seat].player in NAMES
        assert state.opened.banker.cover_cents <= 2 * house.services.settings.play_money_cents
        assert not state.hands
        ante = Wager(WagerKind.ANTE, 500)
        await house.do(TABLE, SetWagers(Spot(1, 1), (ante,)), guest)
        await finish(house, guest)
        assert (await house.state(TABLE)).rounds == number
    lines = (await (await house.client()).get("/api/v1/tables")).json()
    assert [one["computer_players"] for one in lines if one["table"] == TABLE] == [2]


async def test_a_player_who_banks_has_others_to_bank_for(house: OpenHouse) -> None:
    guest = await guest_at(house)
    await house.do(TABLE, TakeBank(1, 50_000), guest)
    await looked(house)
    state = (await house.state(TABLE)).playing
    assert state is not None
    assert {spot.seat for spot in state.hands} == {6, 7}
    await finish(house, guest)
    assert (await house.state(TABLE)).playing is None


async def end_clock(house: OpenHouse) -> None:
    clock = (await house.state(TABLE)).clock
    assert clock is not None
    await house.do(TABLE, EndTime(clock.number), SYSTEM)


async def test_a_player_who_does_not_answer_is_not_waited_for(house: OpenHouse) -> None:
    await guest_at(house)
    await looked(house)
    table = await house.state(TABLE)
    assert (table.bank_offered_to, table.playing) == (1, None)
    assert table.clock is not None
    assert table.clock.gives_time_for is ClockFor.BANK
    await end_clock(house)
    await looked(house)
    state = (await house.state(TABLE)).playing
    assert state is not None
    assert state.opened.banker is not None
    assert state.opened.banker.seat in (6, 7)
    assert (await house.state(TABLE)).clock is None


async def test_left_among_themselves_they_come_to_rest(house: OpenHouse) -> None:
    guest = await guest_at(house)
    await looked(house)
    await house.do(TABLE, LeaveSeat(1), guest)
    for _ in range(2):
        await end_clock(house)
        await looked(house)
    table = await house.state(TABLE)
    assert (len(computer_seats(table)), table.bank_offered_to, table.clock) == (2, None, None)
    written = house.services.store.head(table_stream(TABLE))
    await looked(house)
    assert house.services.store.head(table_stream(TABLE)) == written


async def test_money_is_brought_when_it_is_needed_and_not_again(house: OpenHouse) -> None:
    await guest_at(house)
    await looked(house, 10)
    # The floor itself looks too, and may be between the deposit and the buy-in.
    for _ in range(500):
        balances = [house.services.floor.cashier.balance(name) for name in NAMES]
        if balances == [0, 0]:
            break
        await asyncio.sleep(0.01)
    assert balances == [0, 0]
    deposits = [len(list(house.services.store.events(wallet_stream(name)))) for name in NAMES]
    assert deposits == [1, 1]


@pytest.mark.clause("C.19.house_never_banks")
async def test_their_money_is_play_money_as_every_player_gets(house: OpenHouse) -> None:
    guest = await guest_at(house)
    await looked(house, 10)
    store, codec = house.services.store, house.services.floor.worker_services.codec
    for name in (guest, *NAMES):
        (deposit,) = store.events(wallet_stream(name))
        event = codec.decode(deposit)
        assert event == Deposited(name, 100_000, "play money")
        transfer = wallet_transfer(event)
        assert (str(transfer.debit), str(transfer.credit)) == ("cash", f"wallet:{name}")


def test_they_pass_where_their_credit_is_less_than_a_bank_wager() -> None:
    pit = Pit("california").sit(NAMES[0], 1, 32).sit(NAMES[1], 2, 33)
    assert bank_command(pit.table, 1) == DeclineBank(1)
    assert bank_command(pit.table, 2) == TakeBank(2, 3_000)


@pytest.mark.clause("C.19.house_never_banks")
async def test_a_stored_player_with_the_houses_money_never_banks(house: OpenHouse) -> None:
    old = "house-player-1"
    house.services.floor.cashier.deposit(old, 600_000, id="old", note="play money of the house")
    await house.do(TABLE, TakeSeat(7), old)
    await house.do(TABLE, BuyIn(7, 600_000), old)
    answer = await house.ask(TABLE, TakeBank(7, 500_000), old)
    assert answer.refused == "house_money"
    await guest_at(house)
    await looked(house)
    table = await house.state(TABLE)
    assert table.bank_offered_to == 1
    assert computer_seats(table) == [5, 6, 7]


@pytest.mark.parametrize(
    ("hole", "flop", "decided"),
    [
        ("As 2d", "", Bet(4)),
        ("7s 7d", "", Bet(4)),
        ("Ts 9d", "", Check()),
        ("Ks Qd", "Kd 7h 2c", Bet(2)),
        ("Ks Qd", "9d 7h 2c", Check()),
    ],
)
def test_how_they_play(shift: Shift, hole: str, flop: str, decided: Decision) -> None:
    house = dealt_by_either(load_house("washington"))
    desk = shift.open_table(house, mode=DealerMode.LIVE).sit("ann", 1, 500)
    desk.do(OpenBets(), "dan").bet("ann", "1.1", "ante 5").do(CloseBets(), "dan")
    used = {*parse_cards(hole), *parse_cards(flop or "")}
    others = [card for card in parse_cards("3s 4h 5c 6d 8s") if card not in used]
    desk.deal(hole).deal(" ".join(map(str, others[:2])))
    if flop:
        desk.choose("ann", "1.1", "check").deal(flop)
    state = desk.round
    while state.street is None:
        desk.turn()
        state = desk.round
    assert next_command(desk.table, state, 1) == MakeDecision(Spot(1, 1), decided)
