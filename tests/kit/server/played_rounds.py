"""Rounds that players have played, as the record has them, and what the rules showed of them."""

from openfelt.cards import Card
from openfelt.catalog import load_catalog
from openfelt.rules import House, Round, view
from openfelt.rules.fingerprints import dealt_by_either
from openfelt.rules.house import DealerMode
from openfelt.rules.round import apply
from openfelt.runtime.rounds.record import RoundReader
from openfelt.runtime.rounds.recorded_round import RecordedRound
from openfelt.server.history.player_rounds import PlayerRounds
from tests.kit.floors import Desk, Shift, steps_of_a_round

HOUSES = {name: dealt_by_either(house) for name, house in load_catalog().houses.items()}
PLAYERS = ("ann", "bob", "cyd")


def played(shift: Shift, house: House, *, virtual: bool = True, seed: int = 1) -> Desk:
    """A table at which up to three players have played one round."""
    mode = DealerMode.VIRTUAL if virtual else DealerMode.LIVE
    desk = shift.open_table(house, mode=mode)
    for seat, player in enumerate(PLAYERS[: house.seats], start=1):
        desk.sit(player, seat, 2000)
    for command, by in steps_of_a_round(desk, seed=seed):
        desk.do(command, by)
    return desk


def recorded_for(desk: Desk, player: str) -> tuple[RecordedRound, int]:
    """The first round of a table as a player's own, and the player's seat."""
    store, table = desk.shift.store, desk.table.id
    own, reader = PlayerRounds(store).round(table, player, 1), RoundReader(store)
    assert own is not None
    recorded = reader.read(table, 1, version=own.wager_version)
    assert recorded.ended is not None
    return recorded, reader.seat_of_wager(table, own.wager_version)


def states(recorded: RecordedRound) -> list[Round]:
    """The round after each event."""
    states, state = [], recorded.opened
    for event, _ in recorded.events:
        state = apply(state, event)
        states.append(state)
    return states


def visible(state: Round, seat: int) -> set[str]:
    """The cards that the rules show to a seat, or not at all at a stadium."""
    own_only = not state.house.shows_all_hands
    seen = view(state, seat=seat, own_hands_only=own_only)
    groups = (seen.common, seen.dealer, *(hand.cards for hand in seen.hands))
    return {str(card) for group in groups for card in group if isinstance(card, Card)}
