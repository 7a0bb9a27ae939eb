"""Wrong payouts found after confirmation: recent rounds, and adjustments of them (R.38).

A confirmed round never changes. What a dealer paid wrongly is put right by a transfer between
the bank of that round and the player's wallet.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from openfelt.rules.house import Cover, Deck
from openfelt.rules.round import Phase, Round

ROUNDS_ADJUSTABLE: Final = 20
"""How many of the last confirmed rounds of a table can be adjusted."""
PROPOSED_MAX: Final = 20
"""How many adjustments of a table may wait for their approval."""


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """Who played a confirmed round, as long as it can be adjusted."""

    number: int
    players: Mapping[int, str]
    """By seat, the player whose hands were settled."""
    banker: str | None = None
    """The player who banked it, None for the house."""
    cover_left_cents: int | None = None
    """The rest of the bank wager after the round and its adjustments, None for the house."""
    win_left_cents: int | None = None
    """How much more the bank may win until it has won as much as its bank wager, after the round
    and its adjustments; None where nothing limits it, and in records of earlier versions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjustment:
    """An adjustment that waits for its approval."""

    round: int
    seat: int
    player: str
    banker: str | None
    cents: int
    """The amount that the player receives; negative if the player pays back."""
    reason: str
    by: str
    """Who proposed it, such as ``dealer:dan``."""

    @property
    def payer(self) -> str | None:
        """The player who pays, None for the house."""
        return self.player if self.cents < 0 else self.banker


def with_played(
    played: tuple[PlayedRound, ...], state: Round, names: Mapping[int, str]
) -> tuple[PlayedRound, ...]:
    """The rounds that can be adjusted, after one more is over. ``names`` has players by seat.

    Only where a dealer pays can a payout be wrong: terminals with their own decks pay themselves.
    """
    if state.phase is not Phase.SETTLED or state.house.deck is not Deck.SHARED:
        return played
    banker = state.opened.banker
    one_more = PlayedRound(
        state.opened.number,
        {seat: names[seat] for seat in sorted({spot.seat for spot in state.hands})},
        names[banker.seat] if banker else None,
        state.settlement.cover_left_cents if banker and state.settlement else None,
        _win_left_cents(state),
    )
    return (*played, one_more)[-ROUNDS_ADJUSTABLE:]


def _win_left_cents(state: Round) -> int | None:
    """How much more a player/dealer may win (R.18); a bank limited in its payouts only wins all."""
    banker, settlement = state.opened.banker, state.settlement
    if banker is None or settlement is None or state.house.bank.cover is Cover.PAYOUTS:
        return None
    return banker.cover_cents - settlement.bank_net_cents


def with_adjusted(
    played: tuple[PlayedRound, ...], adjustment: Adjustment, *, made: bool
) -> tuple[PlayedRound, ...]:
    """The rounds that can be adjusted, after an adjustment was made or rejected.

    What a bank pays uses up its bank wager, and what it gets back frees it again (R.38).
    """
    return tuple(
        _adjusted(past, adjustment.cents) if made and past.number == adjustment.round else past
        for past in played
    )


def _adjusted(past: PlayedRound, paid_cents: int) -> PlayedRound:
    left_cents, win_left_cents = past.cover_left_cents, past.win_left_cents
    return replace(
        past,
        cover_left_cents=None if left_cents is None else left_cents - paid_cents,
        win_left_cents=None if win_left_cents is None else win_left_cents + paid_cents,
    )
