"""The reasons for the results of a round's wagers, as values.

The lines of a settlement made in this process contain the values. They are not stored, so
for a settlement that was read from a store the hand is settled again; ``docs/why/choices.md`` says
why (*A stored line has its sentence, and not the values in it*).
"""

from collections.abc import Iterator, Sequence
from functools import cached_property

from openfelt.cards import Hand
from openfelt.rules.lines import NO_VALUES, Line, Result, Why
from openfelt.rules.progressive import (
    Entry,
    Share,
    award_why,
    entries,
    envy_lines,
    meter_shares,
)
from openfelt.rules.round import Round
from openfelt.rules.settlement import dealer_hand, settle_hand, settlement_spots
from openfelt.rules.unknown_cards import has_unknown_cards, settles_without, with_any_cards
from openfelt.rules.wagers import Spot


class Reasons:
    """Why the lines of one round ended as they did."""

    def __init__(self, state: Round) -> None:
        self._state = state

    def of_hand(self, lines: Sequence[Line]) -> list[Why]:
        """The values behind each line of one hand, given all of its lines in their order."""
        values = [line.why for line in lines if line.why is not None]
        if len(values) == len(lines):
            return values
        if all(line.result is Result.RETURNED for line in lines):
            # A void round may have been ended before its cards were dealt.
            return [NO_VALUES] * len(lines)
        if lines[0].spot in self._state.fouled_hands:
            # Its cards are never turned, and it may not have decided.
            return [_with_cover(line, NO_VALUES) for line in lines]
        if has_unknown_cards(self._state):
            if not settles_without(self._state):
                return [NO_VALUES] * len(lines)
            self._state = with_any_cards(self._state)
        return list(self._settled_again(lines))

    def _settled_again(self, lines: Sequence[Line]) -> Iterator[Why]:
        spot = lines[0].spot
        settled = {
            (line.wager, line.beneficiary, line.outcome): line.why
            for line in settle_hand(self._state, spot, self._dealer)
        }
        envied = self._envied(spot)
        for line in lines:
            if line.result is Result.RETURNED:
                yield NO_VALUES
            elif line.wager == "envy":
                yield next(envied, NO_VALUES)
            elif line.wager == "progressive":
                yield self._awarded(spot)
            else:
                why = settled.get((line.wager, line.beneficiary, line.outcome))
                yield self._cut(line, _with_cover(line, why or NO_VALUES))

    def _cut(self, line: Line, why: Why) -> Why:
        """Name the aggregate of the wager, where the line was paid less for it."""
        limits = self._state.house.limits_on(self._state.opened.day)
        if not line.over_aggregate_cents or limits is None:
            return why
        return why._replace(aggregate_cents=limits.payout_aggregate_cents(line.wager))

    @cached_property
    def _dealer(self) -> Hand:
        return dealer_hand(self._state)

    # The progressive -------------------------------------------------------------------

    def _awarded(self, spot: Spot) -> Why:
        (entry,) = entries(self._state, (spot,))
        shares = entry.row is not None and entry.row.share is not None
        return award_why(entry, self._shares.get(spot) if shares else None)

    def _envied(self, spot: Spot) -> Iterator[Why]:
        """For each Envy line of a hand, the seat that earned it and its award."""
        for line in envy_lines(self._state, self._entries):
            if line.spot == spot and line.why is not None:
                yield line.why

    @cached_property
    def _entries(self) -> tuple[Entry, ...]:
        """All hands in the progressive; none where only some of them are known.

        A replay of a stadium's round has the player's own hands, but the lines of every hand.
        """
        state, settlement = self._state, self._state.settlement
        lines = settlement.lines if settlement is not None else ()
        if any(line.wager == "progressive" and line.spot not in state.hands for line in lines):
            return ()
        dead = state.dead_hands
        return entries(state, [spot for spot in settlement_spots(state) if spot not in dead])

    @cached_property
    def _shares(self) -> dict[Spot, Share]:
        state, settlement = self._state, self._state.settlement
        if settlement is None:
            return {}
        return meter_shares(
            state,
            self._entries,
            meter_cents=settlement.meter_cents or 0,
            seed_cents=settlement.seed_cents,
        )


def _with_cover(line: Line, why: Why) -> Why:
    """Say how much of a line a player/dealer's bank covered, where it was not the whole."""
    if not line.uncovered_cents:
        return why
    covered_cents = line.taken_cents if line.result is Result.LOSE else line.payout_cents
    return why._replace(covered_cents=covered_cents)
