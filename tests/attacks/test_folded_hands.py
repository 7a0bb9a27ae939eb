"""A player, the bank or a visitor wants to know what another player folded.

In California a folded hand is shown only if its Trips wager wins (C.6, C.17). Rounds are played in
which one hand folds with Trips each time, and everything that others can read is searched for its
cards and for the hand that they made.
"""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import httpx
import msgspec
import pytest

from openfelt.cards import UNKNOWN_CARD, Category, evaluate
from openfelt.protocol.api_prefix import API
from openfelt.rules import (
    Bet,
    Check,
    Fold,
    MakeDecision,
    Round,
    SetWagers,
    Spot,
    Wager,
    WagerKind,
)
from openfelt.rules.decisions import Decision
from openfelt.rules.round_events import CardDealt
from openfelt.runtime.audit import audit
from openfelt.runtime.clock import DAY_MS
from openfelt.runtime.rounds.check import check_round_proof
from openfelt.runtime.rounds.purge import Purge
from openfelt.runtime.rounds.record import RoundReader
from openfelt.server.history import recent_rounds
from openfelt.server.tables.views import private_view, public_view
from openfelt.table.commands import DeclineBank, Person, Role, TakeBank
from openfelt.table.state import Table
from tests.kit.floors import StandingClock
from tests.kit.server.open_house import OpenHouse, name_of, open_house

TABLE: Final = "folded"
ROUNDS: Final = 12
FOLDER: Final = Spot(2, 1)
TRIPS: Final = Wager(WagerKind.TRIPS, 500)
ANTE: Final = Wager(WagerKind.ANTE, 500)


@dataclass
class Evening:
    """A table at which the second seat folds every time, and everything that was to be seen."""

    house: OpenHouse
    clock: StandingClock
    players: dict[int, tuple[str, httpx.AsyncClient]]
    """The name and the browser of each seat."""
    ended: dict[int, Round]
    """By its number, each round at its end."""
    seen: dict[int, dict[str, list[str]]]
    """By round and viewer, what was sent after every step; the viewer "" has not signed in."""

    @property
    def lost(self) -> list[int]:
        """The rounds in which Trips lost, by the cards alone."""
        return [number for number in self.ended if number not in self.won]

    @property
    def won(self) -> list[int]:
        """The rounds in which Trips won."""
        return [number for number, state in self.ended.items() if trips_win(state)]


def trips_win(state: Round) -> bool:
    cards = (*state.hands[FOLDER].cards, *state.common)
    return evaluate(cards).category >= Category.THREE_OF_A_KIND


@asynccontextmanager
async def evening(folder: Path) -> AsyncIterator[Evening]:
    clock = StandingClock()
    async with open_house(folder, clock=clock) as house:
        supervisor = await house.supervisor()
        form = {
            "table": TABLE,
            "house": "california",
            "dealer_mode": "virtual",
            "clock": {"wager_seconds": 30, "decision_seconds": 30},
        }
        assert (await supervisor.post(f"{API}/tables", json=form)).status_code < 300
        players = {}
        for seat in (1, 2, 3):
            guest = await house.guest()
            players[seat] = (await name_of(guest), guest)
            await house.sit(TABLE, players[seat][0], seat)
        told = Evening(house, clock, players, {}, {})
        for _ in range(ROUNDS):
            await play(told)
        assert len(told.lost) > 2
        assert told.won
        yield told


async def play(evening: Evening) -> None:
    """Play one round: seat 1 or 3 banks, seat 2 folds with Trips, and the third plays on."""
    house, names = evening.house, {seat: name for seat, (name, _) in evening.players.items()}
    if (await house.state(TABLE)).bank_offered_to == FOLDER.seat:
        await house.do(TABLE, DeclineBank(FOLDER.seat), names[FOLDER.seat])
    banker = (await house.state(TABLE)).bank_offered_to
    assert banker is not None
    await house.do(TABLE, TakeBank(banker, 20_000), names[banker])
    other = Spot(4 - banker, 1)
    for spot, wagers in ((FOLDER, (ANTE, TRIPS)), (other, (ANTE,))):
        await house.do(TABLE, SetWagers(spot, wagers), names[spot.seat])
    await house.deal(TABLE)
    seen: dict[str, list[str]] = {}
    while (playing := (await house.state(TABLE)).playing) is not None:
        keep(seen, await house.state(TABLE), names)
        spot = min(playing.pending)
        last: Decision = Fold() if spot == FOLDER else Bet(1)
        decision = last if playing.street == "on_river" else Check()
        await house.do(TABLE, MakeDecision(spot, decision), names[spot.seat])
    table = await house.state(TABLE)
    keep(seen, table, names)
    assert table.round is not None
    evening.ended[table.rounds] = table.round
    evening.seen[table.rounds] = seen


def keep(seen: dict[str, list[str]], table: Table, names: dict[int, str]) -> None:
    """Keep what each viewer but the player of the folded hand is sent now."""
    for viewer in ("", names[1], names[3]):
        seen.setdefault(viewer, []).append(sent(table, viewer or None))


def sent(table: Table, player: str | None) -> str:
    """What a viewer is sent of a table."""
    viewer = None if player is None else Person(Role.PLAYER, player)
    public = public_view(table, meter_cents=None, stopped=None)
    own = private_view(table, viewer, wallet_cents=0, may=[])
    return msgspec.json.encode({"public": public, "private": own}).decode()


def own_cards(state: Round) -> list[str]:
    return [str(card) for card in state.hands[FOLDER].cards]


def folded_name(state: Round) -> str:
    """The name of the folded hand, as a dealer would announce it."""
    return evaluate((*state.hands[FOLDER].cards, *state.common)).name


def names_elsewhere(state: Round) -> set[str]:
    """The names of what lies open: another hand may have the name of the folded one."""
    open_cards = [state.dealer, *(hand.cards for hand in state.hands.values() if hand.face_up)]
    return {evaluate((*cards, *state.common)).name for cards in open_cards}


# What others are sent ----------------------------------------------------------------------


async def test_no_other_viewer_is_sent_the_cards_of_a_fold_that_lost(tmp_path: Path) -> None:
    async with evening(tmp_path) as told:
        for number in told.lost:
            state = told.ended[number]
            assert not state.hands[FOLDER].face_up
            for viewer, frames in told.seen[number].items():
                assert len(frames) > 3
                for frame in frames:
                    assert not any(f'"{card}"' in frame for card in own_cards(state)), viewer
                if folded_name(state) not in names_elsewhere(state):
                    assert folded_name(state) not in frames[-1], viewer
                public = json.loads(frames[-1])["public"]
                seen = public["round"]["hands"][str(FOLDER)]
                assert (seen["cards"], seen["made"]) == ([None, None], None)
                trips = next(line for line in seen["lines"] if line["wager"] == "trips")
                assert trips["outcome"] == "trips.fold"
                assert trips["because"] == "The folded hand does not win this wager."
                assert not any(trips["why"].values())


async def test_a_fold_that_wins_is_shown_to_be_paid(tmp_path: Path) -> None:
    async with evening(tmp_path) as told:
        for number in told.won:
            state = told.ended[number]
            assert state.hands[FOLDER].face_up
            for frames in told.seen[number].values():
                assert all(f'"{card}"' in frames[-1] for card in own_cards(state))
                assert not any(f'"{card}"' in frames[0] for card in own_cards(state))


# What others look up -----------------------------------------------------------------------


async def test_no_replay_proof_or_page_of_others_has_a_fold_that_lost(tmp_path: Path) -> None:
    async with evening(tmp_path) as told:
        house = told.house
        staff = [await house.supervisor(), await house.client()]
        for number in told.lost:
            state, (own_name, own) = told.ended[number], told.players[FOLDER.seat]
            text = await pages(own, number)
            assert all(f'"{card}"' in text for card in own_cards(state)), own_name
            for seat in (1, 3):
                text = await pages(told.players[seat][1], number)
                assert '"steps"' in text
                assert '"commitments"' in text
                assert not any(f'"{card}"' in text for card in own_cards(state))
                if folded_name(state) not in names_elsewhere(state):
                    assert folded_name(state) not in text
            for viewer in staff:
                text = await pages(viewer, number)
                assert not any(f'"{card}"' in text for card in own_cards(state))
        events = house.services.store.events(f"table/{TABLE}")
        settlements = [event.body for event in events if event.name == "round_settled"]
        for number in told.lost:
            state = told.ended[number]
            if folded_name(state) not in names_elsewhere(state):
                assert folded_name(state) not in settlements[number - 1]


async def pages(viewer: httpx.AsyncClient, number: int) -> str:
    """Every page about a round that a viewer may open."""
    paths = [f"{API}/tables/{TABLE}/rounds/{number}{page}" for page in ("", "/proof", "/coach")]
    answers = [await viewer.get(path) for path in paths]
    return "".join(answer.text for answer in answers if answer.status_code == 200)


# What the record keeps ---------------------------------------------------------------------


async def test_the_audit_settles_folds_from_their_cards_and_after_a_purge_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Rounds are kept in memory for some minutes, which a day of the test's clock does not take.
    monkeypatch.setattr(recent_rounds, "SECONDS_MAX", 0)
    async with evening(tmp_path) as told:
        store, codec = told.house.services.store, told.house.services.floor.worker_services.codec
        assert audit(store).findings == ()
        told.clock.pass_ms(DAY_MS + 1)
        reader = RoundReader(store)
        assert Purge(store, codec, reader, told.clock).step(TABLE, keep_days=1) == ROUNDS
        report = audit(store)
        assert report.findings == ()
        assert report.counts.rounds_settled == ROUNDS
        for number, state in told.ended.items():
            recorded = reader.read(TABLE, number)
            for seat in (1, 2, 3):
                check_round_proof(reader.proof(recorded, seat=seat), recorded.opened.house)
            dealt = [
                event.card
                for event, _ in recorded.events
                if isinstance(event, CardDealt) and event.place.spot == FOLDER
            ]
            assert (UNKNOWN_CARD in dealt) is (number in told.lost)
            text = await pages(told.players[FOLDER.seat][1], number)
            assert "trips.fold" in text or number in told.won
            assert state.settlement is not None
