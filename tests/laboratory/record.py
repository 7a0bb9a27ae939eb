"""Rounds out of a table's record: the stored events as plain JSON become the referee's sheets.

It knows the published form of the events and nothing of the program that writes them.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tests.laboratory.referee_sheet import Bet, Decision, Hand, Result, Sheet

Event = tuple[str, Mapping[str, Any]]
"""The name of an event and its values."""


class Recorded(NamedTuple):
    """A finished round as the program tells it: what happened, and how it was settled."""

    sheet: Sheet
    results: list[Result]
    """The lines of the settlement, in the referee's words."""
    dealer_qualified: bool | None
    cover_left_cents: int | None
    meter_cents: int | None
    cut: tuple[str, ...] = ()
    """The wagers that were paid less because of an aggregate."""


def line_result(line: Mapping[str, Any], spot: str) -> Result:
    """One line of a settlement, as the record or the replay writes it."""
    seat, number = _spot(spot)
    for_dealer = line.get("for_dealer", line.get("beneficiary") == "dealer")
    return Result(
        seat=seat,
        number=number,
        wager=line["wager"],
        for_dealer=for_dealer,
        stake_cents=line["stake_cents"],
        result=line["result"],
        returned_cents=line["returned_cents"],
        paid_cents=line["payout_cents"],
        by_link=line["wager"] in ("progressive", "envy"),
    )


def bets_of(wagers: Iterable[Mapping[str, Any]]) -> tuple[Bet, ...]:
    """Wagers as they are written; a Blind and a Play wager follow from the Ante."""
    return tuple(
        Bet(
            wager["kind"],
            wager["cents"],
            wager.get("for_dealer", wager.get("beneficiary") == "dealer"),
        )
        for wager in wagers
        if wager["kind"] not in ("blind", "play")
    )


_ENDS = {"void_hand": "void", "lose_hand": "fouled"}


@dataclass(slots=True)
class _Open:
    """A round on its way."""

    number: int
    banker: Mapping[str, int]
    bets: dict[str, tuple[Bet, ...]] = field(default_factory=dict)
    decisions: dict[str, list[Decision]] = field(default_factory=dict)
    cards: dict[tuple[str, str | None], dict[int, str]] = field(default_factory=dict)
    ended: dict[str, str] = field(default_factory=dict)
    closed: bool = False

    def take(self, name: str, body: Mapping[str, Any]) -> None:
        match name:
            case "wagers_set":
                self.bets[body["spot"]] = bets_of(body["wagers"])
            case "bets_closed":
                self.closed = True
            case "card_dealt" | "card_corrected":
                lies, spot, position = body["place"]
                lying = self.cards.setdefault((lies, spot), {})
                if name == "card_corrected":
                    self._correct_holds(spot, lying[position], body["card"])
                lying[position] = body["card"]
            case "decision_made":
                made = _decision(body["decision"], by=body.get("by", "player"))
                self.decisions.setdefault(body["spot"], []).append(made)
            case "irregularity_declared" if body["effect"] in _ENDS:
                self.ended[body["spot"]] = _ENDS[body["effect"]]

    def _correct_holds(self, spot: str | None, wrong: str, right: str) -> None:
        """A hold that named a card that was not there names the one that is."""
        for at, made in enumerate(self.decisions.get(spot or "", [])):
            held = tuple(right if card == wrong else card for card in made.held)
            self.decisions[spot or ""][at] = Decision(made.word, made.times, held, made.by_clock)

    def sheet(self, house: str, *, void: bool) -> Sheet:
        hands = tuple(
            Hand(
                *_spot(spot),
                bets,
                self._lying("hand", spot),
                tuple(self.decisions.get(spot, ())),
                self.ended.get(spot, ""),
            )
            for spot, bets in self.bets.items()
            if bets
        )
        return Sheet(
            house=house,
            number=self.number,
            hands=hands,
            dealer=self._lying("dealer"),
            common=self._lying("common"),
            banker_seat=self.banker.get("seat", 0),
            cover_cents=self.banker.get("cover_cents", 0),
            void=void,
            closed=self.closed,
        )

    def _lying(self, lies: str, spot: str | None = None) -> tuple[str, ...]:
        return tuple(card for _, card in sorted(self.cards.get((lies, spot), {}).items()))


def _decision(plain: Mapping[str, Any], *, by: str) -> Decision:
    return Decision(
        word=plain["kind"],
        times=plain.get("multiple", 0),
        held=tuple(plain.get("cards", ())),
        by_clock=by == "clock",
    )


def _spot(text: str) -> tuple[int, int]:
    seat, _, number = text.partition(".")
    return int(seat), int(number)


def _recorded(sheet: Sheet, settlement: Mapping[str, Any]) -> Recorded:
    lines = settlement["lines"]
    return Recorded(
        sheet=sheet,
        results=[line_result(line, line["spot"]) for line in lines],
        dealer_qualified=settlement.get("dealer_qualified"),
        cover_left_cents=settlement.get("cover_left_cents"),
        meter_cents=settlement.get("meter_cents"),
        cut=tuple(line["wager"] for line in lines if line.get("over_aggregate_cents", 0) > 0),
    )


def rounds_of(house: str, events: Iterable[Event]) -> Iterator[Recorded]:
    """Every finished round among the events of one table; ``house`` is the laboratory's name."""
    playing: _Open | None = None
    for name, body in events:
        if name == "round_opened":
            playing = _Open(body["number"], body.get("banker") or {})
        elif playing is not None and name in ("round_settled", "round_voided"):
            sheet = playing.sheet(house, void=name == "round_voided")
            yield _recorded(sheet, body["settlement"])
            playing = None
        elif playing is not None:
            playing.take(name, body)
