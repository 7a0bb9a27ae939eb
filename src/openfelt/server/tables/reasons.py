"""Why a wager ended as it did, as values: a screen writes the sentence in its own language.

They are read again from the round that the lines settle, so the record keeps no more than it
did, and no line names a hand that its own English sentence does not name.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

import msgspec

from openfelt.cards import Hand, evaluate
from openfelt.protocol.messages import WhyView
from openfelt.rules import ultimate_draw, ultimate_holdem
from openfelt.rules.house import GameName
from openfelt.rules.lines import Line, Result
from openfelt.rules.paytable import ProgressiveRow
from openfelt.rules.progressive import Share, entries, meter_shares, progressive_hand
from openfelt.rules.round import Round
from openfelt.rules.settlement import settlement_spots
from openfelt.rules.wagers import Spot


class Reasons:
    """Tells why the wagers of one round ended as they did."""

    def __init__(self, state: Round) -> None:
        self._state = state
        self._players: dict[Spot, _Named] = {}

    def of_hand(self, lines: Sequence[Line]) -> list[WhyView]:
        """The values behind each line of one hand; its lines come in their order."""
        if not lines:
            return []
        envied = self._envied(lines[0].spot.seat)
        return [
            _with_cover(line, next(envied) if line.wager == "envy" else self._why(line))
            for line in lines
        ]

    def _why(self, line: Line) -> WhyView:
        wager, _, ending = line.outcome.partition(".")
        match wager:
            case "ante" | "play" | "blind" if ending != "fold":
                return self._compared(line, ending)
            case "trips" | "bonus" | "ante_bonus":
                return WhyView(hand=self._player(line.spot).name, pays=_pays(line))
            case "bad_beat":
                return self._beaten(line, ending)
            case "ultimate_pairs" if ending == "win":
                return WhyView(award=self._pairs_label(line.spot), pays=_pays(line))
            case "play_the_board":
                return WhyView(hand=evaluate(self._state.common).name, pays=_pays(line))
            case "progressive":
                return self._progressive(line)
            case _:
                # A fold, two cards that no row names, a void round or an exhausted bank.
                return WhyView()

    # Hands -----------------------------------------------------------------------------

    def _player(self, spot: Spot) -> "_Named":
        """The player's final hand, read once for all of its wagers."""
        if spot not in self._players:
            state, hand = self._state, self._state.hands[spot]
            self._players[spot] = _named(
                ultimate_draw.player_hand(state, hand)
                if state.house.game is GameName.ULTIMATE_DRAW
                else evaluate((*hand.cards, *state.common))
            )
        return self._players[spot]

    @cached_property
    def _dealer(self) -> "_Named":
        if self._state.house.game is GameName.ULTIMATE_DRAW:
            return _named(ultimate_draw.dealer_hand(self._state))
        return _named(ultimate_holdem.dealer_hand(self._state))

    # Wagers ----------------------------------------------------------------------------

    def _compared(self, line: Line, ending: str) -> WhyView:
        """Ante, Play and Blind: the player's hand against the dealer's."""
        if ending == "not_qualified":
            return WhyView(dealer_hand=self._dealer.name, pays=_pays(line))
        hand = self._player(line.spot).name
        if line.outcome in ("blind.win", "blind.push"):
            return WhyView(hand=hand, pays=_pays(line))
        return WhyView(hand=hand, dealer_hand=self._dealer.name)

    def _beaten(self, line: Line, ending: str) -> WhyView:
        """Bad Beat: only the hand that lost, whoever held it; in a tie both have the same."""
        player = self._player(line.spot)
        if ending != "tie" and player.hand > self._dealer.hand:
            return WhyView(dealer_hand=self._dealer.name, pays=_pays(line))
        return WhyView(hand=player.name, pays=_pays(line))

    def _pairs_label(self, spot: Spot) -> str | None:
        state = self._state
        row = state.house.pairs_table().row_for(state.hands[spot].cards, state.dealer)
        return row.label if row else None

    # The progressive -------------------------------------------------------------------

    def _progressive(self, line: Line) -> WhyView:
        made, row = self._progressive_row(line.spot)
        if row is None or row.share is None:
            return WhyView(hand=made.name, pays=_for_one(row.for_one) if row else None)
        share = self._shares.get(line.spot)
        return WhyView(
            hand=made.name,
            pays=f"{row.share_text} of the meter",
            meter_cents=share.of_cents if share else None,
            winners=share.winners if share and share.winners > 1 else None,
        )

    def _envied(self, seat: int) -> Iterator[WhyView]:
        """For each Envy line of a seat's hand: who won what. There is one for each such winner."""
        for line in self._jackpot_lines if self._all_known else ():
            if line.outcome == "progressive.win" and line.spot.seat != seat:
                _, row = self._progressive_row(line.spot)
                if row is not None and row.envy_for_one:
                    pays = _for_one(row.envy_for_one)
                    yield WhyView(seat=line.spot.seat, award=row.label, pays=pays)
        while True:
            yield WhyView()

    def _progressive_row(self, spot: Spot) -> tuple[Hand, ProgressiveRow | None]:
        table = self._state.house.progressive_table()
        made = progressive_hand(self._state, self._state.hands[spot], table.reads)
        return made, table.row_for(made)

    @cached_property
    def _jackpot_lines(self) -> list[Line]:
        settlement = self._state.settlement
        lines = settlement.lines if settlement else ()
        return [line for line in lines if line.wager == "progressive"]

    @cached_property
    def _all_known(self) -> bool:
        """Whether every hand in the progressive is; a stadium's replay has the own ones alone."""
        return all(line.spot in self._state.hands for line in self._jackpot_lines)

    @cached_property
    def _shares(self) -> dict[Spot, Share]:
        state, settlement = self._state, self._state.settlement
        if settlement is None or not self._all_known:
            return {}
        return meter_shares(
            state,
            entries(state, settlement_spots(state)),
            meter_cents=settlement.meter_cents or 0,
            seed_cents=settlement.seed_cents,
        )


class _Named(NamedTuple):
    """A hand with its name, which is asked for by every wager and takes longer than the rest."""

    hand: Hand
    name: str


def _named(hand: Hand) -> _Named:
    return _Named(hand, hand.name)


def _pays(line: Line) -> str | None:
    return None if line.odds is None else str(line.odds)


def _for_one(units: int | None) -> str:
    return f"{units or 0:,} for 1"


def _with_cover(line: Line, why: WhyView) -> WhyView:
    """How much of a line a player/dealer's bank covered, where it was not the whole."""
    if not line.uncovered_cents or line.result is Result.RETURNED:
        return why
    covered_cents = line.taken_cents if line.result is Result.LOSE else line.payout_cents
    return msgspec.structs.replace(why, covered_cents=covered_cents)
