"""The player's last games, read from the end of a table's record."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final

from openfelt.rules import (
    Banker,
    Beneficiary,
    Line,
    Phase,
    Round,
    Settlement,
    Spot,
    Wager,
    WagerKind,
)
from openfelt.rules.lines import Result
from openfelt.rules.round_events import RoundOpened, RoundSettled, RoundVoided
from openfelt.runtime.rounds.record import RoundReader

GAMES_COUNTED: Final = 5
"""The results panel covers the last five games (S.screen.results.games)."""
GAMES_SHOWN: Final = 12
"""How many games the history page lists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedGame:
    """One finished game of the player, for the results panel and the history."""

    number: int
    staked_cents: int
    returned_cents: int
    words: str
    """How it went, in one line."""
    wins: Mapping[str, int]
    """By wager, how many hands won it."""
    stand_offs: Mapping[str, int]
    wagers: Mapping[Spot, tuple[Wager, ...]]
    """The player's wagers before the deal; nothing if the player banked."""
    void: bool = False


def last_games(reader: RoundReader, table: str, *, seat: int) -> list[PlayedGame]:
    """The last games of a seat's player, oldest first: as many as the history page lists."""
    games = (played_game(ended.opened, ended.end, seat=seat) for ended in reader.ended(table))
    newest_first = islice((game for game in games if game is not None), GAMES_SHOWN)
    return list(newest_first)[::-1]


def played_game(
    opened: RoundOpened, ended: RoundSettled | RoundVoided, *, seat: int
) -> PlayedGame | None:
    """A finished round as one player's game; None if the seat neither wagered nor banked."""
    settlement, banker = ended.settlement, opened.banker
    lines = settlement.of_seat(seat)
    banked = banker is not None and banker.seat == seat
    if not lines and not banked:
        return None
    own = [line for line in lines if line.beneficiary is Beneficiary.PLAYER]
    staked_cents, returned_cents = totals(settlement, banker, seat=seat)
    return PlayedGame(
        number=opened.number,
        staked_cents=staked_cents,
        returned_cents=returned_cents,
        words=_words(ended, banked=banked),
        wins=_count(own, Result.WIN),
        stand_offs=_count(own, Result.PUSH),
        wagers=_wagers(lines),
        void=isinstance(ended, RoundVoided),
    )


def game_of_round(state: Round, *, seat: int) -> PlayedGame | None:
    """The game of a round that has just ended."""
    assert state.settlement is not None
    if state.phase is Phase.VOIDED:
        ended = RoundVoided(state.void_reason or "", state.settlement)
        return played_game(state.opened, ended, seat=seat)
    return played_game(state.opened, RoundSettled(state.settlement), seat=seat)


def totals(settlement: Settlement, banker: Banker | None, *, seat: int) -> tuple[int, int]:
    """A seat's stake in a round, or its bank wager, and the amount that came back."""
    net_cents = settlement.net_for(seat, banker_seat=banker.seat if banker else None)
    if banker is not None and banker.seat == seat:
        return banker.cover_cents, banker.cover_cents + net_cents
    staked_cents = sum(line.stake_cents for line in settlement.of_seat(seat))
    return staked_cents, staked_cents + net_cents


def _count(lines: Iterable[Line], result: Result) -> dict[str, int]:
    counts: dict[str, int] = {}
    for line in lines:
        if line.result is result:
            counts[line.wager] = counts.get(line.wager, 0) + 1
    return counts


def _words(ended: RoundSettled | RoundVoided, *, banked: bool) -> str:
    if isinstance(ended, RoundVoided):
        return ended.reason
    if banked:
        return "you banked"
    return f"dealer {(ended.settlement.dealer_hand or 'not shown').lower()}"


def _wagers(lines: Iterable[Line]) -> dict[Spot, tuple[Wager, ...]]:
    """The wagers that lay there before the deal, so without Play, bonuses and Envy."""
    placed: dict[Spot, tuple[Wager, ...]] = {}
    for line in lines:
        if line.stake_cents and line.wager in set(WagerKind) - {WagerKind.PLAY}:
            wager = Wager(WagerKind(line.wager), line.stake_cents, line.beneficiary)
            placed[line.spot] = (*placed.get(line.spot, ()), wager)
    return placed
